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
    ✗ stopped after 5 iterations by the rule stagnation: 4 iterations running without progress: no file moved

      SETTING                         STOPS                BECAUSE
      as it was                       after iteration 5    stagnation: 4 iterations running without progress: no file moved
      stagnation=2                    after iteration 3    stagnation: 2 iterations running without progress: no file moved
      stagnation=9                    not in 5 iterations
      max-iterations=3, stagnation=0  after iteration 3    max-iterations: 3 of 3 iterations are used up

    The record ends there: what the agent would have done after iteration 5, nobody can know.
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
          "reason": "3 iterations running without progress: no file moved",
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
