//! What each command prints about a loop that has ended.

use serde_json::{Value, json};

use super::{finished, keys};
use crate::COMPLETE;

#[test]
fn show_json_has_the_promised_shape() {
    let env = finished();
    let shown = env.windlass(["show", "mine", "--json"]).success().json();
    assert_eq!(keys(&shown), ["result", "iterations", "sessions", "tasks"]);
    let promised = |value: &Value, names: &[&str]| {
        for name in names {
            assert!(value.get(*name).is_some(), "`{name}` is missing: {value}");
        }
    };
    let iterations = shown["iterations"].as_array().unwrap();
    assert_eq!(iterations.len(), 2);
    let names =
        ["number", "tree", "claim", "checks", "started_at", "duration_ms", "exit_code", "preview"];
    promised(&iterations[0], &names);
    assert_eq!(
        (&iterations[0]["claim"], &iterations[1]["claim"]),
        (&json!("rejected"), &json!("accepted"))
    );
    let check = &iterations[0]["checks"][0];
    promised(check, &["command", "exit_code", "duration_ms", "output_hash", "tree", "passed"]);
    assert_eq!(check["tail"], "no a.txt");
    let sessions = shown["sessions"].as_array().unwrap();
    let names = [
        "iteration",
        "task",
        "role",
        "agent",
        "model",
        "prompt",
        "status",
        "outcome",
        "text",
        "tools",
        "usage",
        "started_at",
        "duration_ms",
    ];
    promised(&sessions[1], &names);
    assert_eq!(sessions[1]["outcome"], json!({"type": "finished"}));
    assert_eq!(sessions[0]["text"], format!("Looking.\n{COMPLETE}"));
    assert_eq!(sessions[1]["iteration"], 2);
}

#[test]
fn a_finished_loop_can_be_looked_at_from_every_side() {
    let env = finished();
    insta::assert_snapshot!(env.windlass(["status"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✓ done after 2 iterations, proven by 1 check

      task       mend it
      promise    COMPLETE
      options    --agent scripted --script /tmp/windlass-XXXXXX/tmp/script-0 --check 'test -f a.txt || { echo no a.txt; false; }' --no-baseline
      iteration  2 of at most 20
      proof      1 check passed; no baseline; guarded files unchanged
      circuit    closed
      files      1 file modified
      time       2 sessions in [time]
      started    just now (0000-00-00 00:00:00)

      │ Looking.
      │ <promise>COMPLETE</promise>
      │ So: <promise>COMPLETE</promise>

      git switch -c windlass/mine && git add -A -- a.txt && git commit -m 'mend it' -- a.txt
      windlass show mine
      windlass diff mine
      windlass rollback mine 0
        (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    --- stderr
    ");
    insta::assert_snapshot!(env.windlass(["list"]).snapshot(), @"
    exit: 0
    --- stdout
    NAME  KIND     TASK     ENDING                                        ENDED     COST  DIRECTORY
    mine  iterate  mend it  ✓ done after 2 iterations, its checks passed  just now        /tmp/windlass-XXXXXX/work
    --- stderr
    ");
    insta::assert_snapshot!(env.windlass(["show"]).snapshot(), @r"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✓ done after 2 iterations, proven by 1 check
      2 sessions, 1 file modified, [time]
      started 0000-00-00 00:00:00
      task     mend it
      promise  COMPLETE
      options  --agent scripted --script /tmp/windlass-XXXXXX/tmp/script-0 --check 'test -f a.txt || { echo no a.txt; false; }' --no-baseline
        guarded      nothing (no tests found); `--guard GLOB` adds files
      proof: 1 check passed; no baseline; guarded files unchanged

    ━━━ Iteration 1 of at most 20 ━━━ [time], no files changed, tree ef34065
      agent  finished, [time]
      check  `test -f a.txt || { echo no a.txt; false; }` failed with exit code 1, [time]
      claim  rejected: the check `test -f a.txt || { echo no a.txt; false; }` failed with exit code 1
      said   <promise>COMPLETE</promise>

    ━━━ Iteration 2 of at most 20 ━━━ [time], 1 file changed, tree bcce782
      agent  finished, [time]
      check  `test -f a.txt || { echo no a.txt; false; }` passed, [time]
      claim  accepted
      said   So: <promise>COMPLETE</promise>

      windlass diff mine
    --- stderr
    ");
}

#[test]
fn what_happened_in_a_finished_loop_can_be_read() {
    let env = finished();
    insta::assert_snapshot!(env.windlass(["log"]).snapshot(), @r"
    exit: 0
    --- stdout
    Loop mine: iterate with scripted in /tmp/windlass-XXXXXX/work
      task         mend it
      agent        scripted
      sandbox      none
      budget       none, at most 20 iterations
      checks       `test -f a.txt || { echo no a.txt; false; }`
      guarded      nothing (no tests found); `--guard GLOB` adds files
    ━━━ Iteration 1 of at most 20 ━━━
      │ Looking.
      │ <promise>COMPLETE</promise>
    agent: finished in [time]
    claim: COMPLETE
    check `test -f a.txt || { echo no a.txt; false; }`: failed (exit 1, [time])
        no a.txt
    claim rejected: the check `test -f a.txt || { echo no a.txt; false; }` failed with exit code 1
    iteration 1: [time], no files changed
    ━━━ Iteration 2 of at most 20 ━━━
      │ So: <promise>COMPLETE</promise>
    agent: finished in [time]
    claim: COMPLETE
    check `test -f a.txt || { echo no a.txt; false; }`: passed ([time])
    claim accepted: 1 check passed on tree bcce782
    iteration 2: [time], 1 file changed
    ✓ done after 2 iterations, proven by 1 check
    --- stderr
    ");
    insta::assert_snapshot!(env.windlass(["why"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✓ done after 2 iterations, proven by 1 check
      proof: 1 check passed; no baseline; guarded files unchanged

      ITERATION  CLAIM     CHECKS    FILES
      1          rejected  1 failed  0 changed
      2          accepted  1 passed  1 changed

    The checks passed. What to do with the work:
      git switch -c windlass/mine && git add -A -- a.txt && git commit -m 'mend it' -- a.txt
      windlass show mine
      windlass diff mine
      windlass rollback mine 0
        (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    --- stderr
    ");
    insta::assert_snapshot!(env.windlass(["log", "--iteration", "2"]).snapshot(), @"
    exit: 0
    --- stdout
    ━━━ Iteration 2 of at most 20 ━━━
      │ So: <promise>COMPLETE</promise>
    agent: finished in [time]
    claim: COMPLETE
    check `test -f a.txt || { echo no a.txt; false; }`: passed ([time])
    claim accepted: 1 check passed on tree bcce782
    iteration 2: [time], 1 file changed
    ✓ done after 2 iterations, proven by 1 check
    --- stderr
    ");
}

#[test]
fn no_command_prints_colour_where_there_is_no_terminal() {
    let env = finished();
    for command in ["status", "list", "show", "log", "why", "diff"] {
        for call in [env.command([command]), env.command([command]).without_env("NO_COLOR")] {
            let ran = call.run().success();
            assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'), "{ran:?}");
        }
        let coloured = env.windlass([command, "--color", "always"]).success();
        // A diff that does not go to a terminal stays one that can be applied.
        assert_eq!(coloured.stdout.contains('\u{1b}'), command != "diff", "{command}: {coloured}");
    }
}

#[test]
fn what_commands_print_for_programs_is_json() {
    let env = finished();
    for command in ["status", "list", "show", "why"] {
        let ran = env.windlass([command, "--json"]).success();
        ran.json();
        assert_eq!(ran.stderr, "", "{command}");
    }
    insta::assert_snapshot!(env.windlass(["why", "--json"]).snapshot(), @r#"
    exit: 0
    --- stdout
    {"id":"[id............]","name":"mine","kind":"iterate","directory":"/tmp/windlass-XXXXXX/work","agent":"scripted","task":"mend it","ending":{"type":"done","by":"promise"},"verified":true,"iterations":2,"max_iterations":20,"phase":"ended","sessions":2,"files_modified":1,"usage":{"input_tokens":0,"output_tokens":0,"cost_usd":null},"circuit":"closed","circuit_reason":null,"started_at":"0000-00-00T00:00:00.000Z","ended_at":"0000-00-00T00:00:00.000Z","updated_at":"0000-00-00T00:00:00.000Z","duration_ms":0,"reason":"done after 2 iterations, proven by 1 check","rules":[],"last_claim":{"iteration":2,"failed":[],"originals":null,"guarded":[],"rejected":false},"proof":{"checks":[{"command":"test -f a.txt || { echo no a.txt; false; }","passed":true,"exit_code":0,"duration_ms":0,"output_hash":"[sha256........................................................]","tests":null}],"baseline":"not_run","tests":null,"originals":"same","hidden":"none","second_opinion":null,"doubts":[],"flaky":[],"tree":"[git...................................]"},"evidence":[{"iteration":1,"claim":"rejected","checks_passed":0,"checks_failed":1,"files_changed":0,"only_numbers":false,"tree":"[git...................................]","tasks":null,"said":37,"status":null,"denied":0,"errors":["`test -f a.txt || { echo no a.txt; false; }`: exit code 1: no a.txt"],"failure":null,"usage":{"input_tokens":0,"output_tokens":0,"cost_usd":null},"duration_ms":0},{"iteration":2,"claim":"accepted","checks_passed":1,"checks_failed":0,"files_changed":1,"only_numbers":false,"tree":"[git...................................]","tasks":null,"said":32,"status":null,"denied":0,"errors":[],"failure":null,"usage":{"input_tokens":0,"output_tokens":0,"cost_usd":null},"duration_ms":0}],"advice":{"words":"The checks passed. What to do with the work:","commands":["windlass show mine","windlass diff mine"]}}
    --- stderr
    "#);
}
