//! `replay`: a recorded loop with other thresholds.

use super::result_of;
use crate::world;

#[test]
fn a_replay_tells_where_other_thresholds_would_have_stopped_the_loop() {
    let env = world();
    let script = "append a.txt x\nnext\nsay thinking";
    result_of(&env, script, &["--stagnation-threshold", "4"]);
    let sets = [
        "--set",
        "stagnation=2",
        "--set",
        "stagnation=9",
        "--set",
        "stagnation=0,max-iterations=3",
    ];
    let call = env.command(["replay", "mine"]);
    let ran = sets.iter().fold(call, |call, arg| call.arg(arg)).run();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✗ stopped after 5 iterations by the rule stagnation: no progress in 4 iterations: no files changed

      SETTING                         STOPS                BECAUSE
      as it was                       after iteration 5    stagnation: no progress in 4 iterations: no files changed
      stagnation=2                    after iteration 3    stagnation: no progress in 2 iterations: no files changed
      stagnation=9                    not in 5 iterations
      max-iterations=3, stagnation=0  after iteration 3    max-iterations: iteration limit (3) reached

    The recording ends at iteration 5.
    --- stderr
    ");
    let told = env.windlass(["replay", "--set", "stagnation=3", "--json"]).success().json();
    assert_eq!(told["recorded"], 5);
    insta::assert_json_snapshot!(told["settings"], @r#"
    [
      {
        "set": {
          "stagnation": "3"
        },
        "stop": {
          "iteration": 4,
          "rule": "stagnation",
          "reason": "no progress in 3 iterations: no files changed",
          "rules": [
            "stagnation"
          ]
        }
      }
    ]
    "#);
    insta::assert_snapshot!(env.windlass(["replay", "--set", "stagnatoin=3"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no rule `stagnatoin`

    hint: did you mean `stagnation`?
    ");
}
