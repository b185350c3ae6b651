//! What a loop and the commands about it print: for people, for programs, and on which stream.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::{Env, Signal, wait_until};

use crate::{COMPLETE, scripted, shell, world};

const LIMIT: Duration = Duration::from_secs(30);

/// The names in an object, in their order.
fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// A loop `mine` of two iterations: a rejected claim, then a proven one.
fn finished() -> Env {
    let env = world();
    let script = format!("say Looking.\nsay {COMPLETE}\nnext\nwrite a.txt x\nsay So: {COMPLETE}");
    let args = ["--name", "mine", "--check", "test -f a.txt || { echo no a.txt; false; }"];
    scripted(&env, &script, &args).run().success();
    env
}

#[test]
fn json_is_one_object_with_every_field() {
    let env = world();
    let script = format!("say Looking.\nnext\nwrite a.txt x\nsay So: {COMPLETE}");
    let ran = scripted(&env, &script, &["--name", "mine", "--json", "--check", "true"]).run();
    insta::assert_snapshot!(ran.snapshot(), @r#"
    exit: 0
    --- stdout
    {"schema":1,"id":"[id............]","name":"mine","kind":"iterate","directory":"/tmp/windlass-XXXXXX/work","worktree":null,"agent":"scripted","ending":{"type":"done","by":"promise"},"success":true,"verified":true,"iterations":2,"sessions":2,"findings":{"total":0,"open":0,"fixed":0,"skipped":0},"fixes":0,"tasks_completed":0,"files_modified":1,"usage":{"input_tokens":0,"output_tokens":0,"cost_usd":null},"completion_text":"So: <promise>COMPLETE</promise>","final_text":"So: <promise>COMPLETE</promise>","final_status":null,"rate_limit_hit":false,"task_list":null,"duration_ms":0,"exit_code":0,"error":null}
    --- stderr
    next: windlass show mine
    next: windlass diff mine
    "#);
    let result = ran.json();
    let promised = [
        "schema",
        "id",
        "name",
        "kind",
        "directory",
        "agent",
        "ending",
        "success",
        "verified",
        "iterations",
        "sessions",
        "findings",
        "fixes",
        "tasks_completed",
        "files_modified",
        "usage",
        "completion_text",
        "final_text",
        "final_status",
        "rate_limit_hit",
        "task_list",
        "duration_ms",
        "exit_code",
        "error",
    ];
    for name in promised {
        assert!(result.get(name).is_some(), "`{name}` is missing: {result}");
    }
    assert_eq!(ran.stdout.lines().count(), 1);
}

#[test]
fn json_of_a_loop_that_gave_up_says_why_and_what_next_on_stderr() {
    let env = world();
    let ran =
        shell(&env, "exit 3", &["--failure-threshold", "2", "--json", "--name", "mine"]).run();
    insta::assert_snapshot!(ran.masked_stderr(), @"
    warning: the rule agent-failing is one short of tripping: the agent failed: exited with code 3
    warning: the rule agent-failing tripped: the agent failed 2 times running, the last time: exited with code 3
    next: windlass log mine
    next: windlass resume mine
    ");
    let result = ran.code(5).json();
    insta::assert_snapshot!(result["error"], @r#""the agent failed 2 times running, the last time: exited with code 3""#);
    assert_eq!(result["ending"]["type"], "agent_failed");
    assert_eq!(keys(&result["ending"]), ["type", "reason"]);
    assert_eq!((&result["exit_code"], &result["success"]), (&json!(5), &json!(false)));
}

#[test]
fn jsonl_is_an_event_a_line_and_the_result_last() {
    let env = world();
    let ran = scripted(&env, &format!("say hi\nsay {COMPLETE}"), &["--jsonl", "--check", "true"]);
    let ran = ran.run().success();
    let lines = ran.json_lines();
    let (result, events) = lines.split_last().expect("lines");
    let types: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    insta::assert_snapshot!(types.join("\n"), @"
    loop_started
    step_started
    step_finished
    step_started
    step_finished
    step_started
    step_finished
    iteration_started
    step_started
    agent_said
    step_finished
    step_started
    step_finished
    claimed
    step_started
    step_finished
    step_started
    step_finished
    step_started
    step_finished
    claim_accepted
    step_started
    step_finished
    iteration_finished
    loop_finished
    ");
    let numbers: Vec<_> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "stored, none left out");
    assert_eq!(result["type"], "result");
    let alone = env.windlass(["show", "--json"]).success().json();
    for (name, value) in alone["result"].as_object().unwrap() {
        assert_eq!(&result[name], value, "{name}");
    }
    insta::assert_snapshot!(ran.masked_stderr(), @"
    next: windlass show [name]
    next: windlass diff [name]
    ");
    let again = env.windlass(["log", "--json"]).success().stdout;
    assert!(ran.stdout.starts_with(&again), "the log has the same events");
}

#[test]
fn quiet_prints_the_word_of_the_ending() {
    let env = world();
    let ran = shell(&env, &format!("echo '{COMPLETE}'"), &["-q", "--name", "mine"]).run();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    done
    --- stderr
    next: windlass show mine
    next: windlass diff mine
    ");
    let ran = shell(&env, "true", &["--quiet", "--max-iterations", "1", "--name", "other"]).run();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 1
    --- stdout
    max_iterations
    --- stderr
    warning: the rule max-iterations tripped: 1 of 1 iterations are used up
    next: windlass resume other --max-iterations 2
    next: windlass why other
    ");
}

#[test]
fn format_prints_what_the_template_says() {
    let env = world();
    let template =
        "{{ name }}: {{ ending.type }} by {{ ending.by }} in {{ iterations }}{{ error }}";
    let args = ["--format", template, "--name", "mine"];
    let ran = shell(&env, &format!("echo '{COMPLETE}'"), &args).run();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    mine: done by promise in 1
    --- stderr
    next: windlass show mine
    next: windlass diff mine
    ");
}

#[test]
fn verbose_shows_what_the_agent_says() {
    let env = world();
    let script =
        format!("say I look.\nwarn careful\nsay \\e]0;owned\\e\\\\red \\e[31mx\nsay {COMPLETE}");
    let ran = scripted(&env, &script, &["-v", "--name", "mine"]).run();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    Loop mine: iterate with scripted in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of 20 ━━━
      │ I look.
      │ red x
      │ <promise>COMPLETE</promise>
      │ careful
    agent: finished in [time]
    claim: COMPLETE
    claim accepted: unverified, no check was given
    iteration 1: [time], no files changed
    ✓ done after 1 iteration, unverified: no check was given
      1 session, no checks, no files modified, [time]
    --- stderr
    next: windlass show mine
    next: windlass diff mine
    ");
}

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
    ✓ done after 2 iterations, proven by its checks

      iteration  ━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 2 of 20
      circuit    closed
      files      1 file modified
      time       2 sessions in [time]
      started    just now (0000-00-00 00:00:00)

      │ Looking.
      │ <promise>COMPLETE</promise>
      │ So: <promise>COMPLETE</promise>

      windlass show mine
      windlass diff mine
    --- stderr
    ");
    insta::assert_snapshot!(env.windlass(["list"]).snapshot(), @"
    exit: 0
    --- stdout
    NAME  KIND     STATE   ITERATION  WHEN      SPEND  DIRECTORY
    mine  iterate  ✓ done  2 of 20    just now         /tmp/windlass-XXXXXX/work
    --- stderr
    ");
    insta::assert_snapshot!(env.windlass(["show"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✓ done after 2 iterations, proven by 1 check
      2 sessions, 1 file modified, [time]
      started 0000-00-00 00:00:00

    ━━━ Iteration 1 of 20 ━━━ [time], no files changed, tree ef34065
      agent  finished, [time]
      check  `test -f a.txt || { echo no a.txt; false; }` failed with exit code 1, [time]
      claim  rejected: the check `test -f a.txt || { echo no a.txt; false; }` failed with exit code 1
      said   <promise>COMPLETE</promise>

    ━━━ Iteration 2 of 20 ━━━ [time], 1 file changed, tree bcce782
      agent  finished, [time]
      check  `test -f a.txt || { echo no a.txt; false; }` passed, [time]
      claim  accepted
      said   So: <promise>COMPLETE</promise>

      windlass diff mine
    --- stderr
    ");
    insta::assert_snapshot!(env.windlass(["log"]).snapshot(), @"
    exit: 0
    --- stdout
    Loop mine: iterate with scripted in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of 20 ━━━
      │ Looking.
      │ <promise>COMPLETE</promise>
    agent: finished in [time]
    claim: COMPLETE
    check `test -f a.txt || { echo no a.txt; false; }`: failed (exit 1, [time])
        no a.txt
    claim rejected: the check `test -f a.txt || { echo no a.txt; false; }` failed with exit code 1
    iteration 1: [time], no files changed
    ━━━ Iteration 2 of 20 ━━━
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

      ITERATION  CLAIM     CHECKS    FILES
      1          rejected  1 failed  0 changed
      2          accepted  1 passed  1 changed

    The work is proven done. See what happened:
      windlass show mine
      windlass diff mine
    --- stderr
    ");
    insta::assert_snapshot!(env.windlass(["log", "--iteration", "2"]).snapshot(), @"
    exit: 0
    --- stdout
    ━━━ Iteration 2 of 20 ━━━
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
fn a_loop_is_found_by_name_by_id_by_a_prefix_and_by_where_you_are() {
    let env = finished();
    scripted(&env, "say no", &["--name", "other", "--max-iterations", "1"]).run().code(1);
    let id = env.sql("SELECT id FROM loops WHERE name = 'mine'");
    let id = id.trim();
    let found = |reference: &str| {
        let status = env.windlass(["status", reference, "--json"]).success();
        status.json()["name"].as_str().unwrap().to_owned()
    };
    for reference in ["mine", "mi", id, &id[..10]] {
        assert_eq!(found(reference), "mine", "{reference}");
    }
    assert_eq!(env.windlass(["status", "--json"]).success().json()["name"], "other");
    scripted(&env, "say no", &["--name", "minor", "--max-iterations", "1"]).run().code(1);
    assert_eq!(found("mine"), "mine", "a whole name wins over a beginning");
    insta::assert_snapshot!(env.windlass(["status", "mi"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `mi` fits several loops: minor, mine

    hint: `windlass list` shows all loops
    ");
}

#[test]
fn list_goes_over_all_directories_newest_first() {
    let env = finished();
    env.write("sub/x", "");
    let call = scripted(&env, "say no", &["--name", "below", "--max-iterations", "1"]);
    call.arg("-C").arg("sub").run().code(1);
    let names = |args: &[&str]| {
        let list = env.windlass(args.iter().copied()).success().json();
        let names = list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap());
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(names(&["list", "--json"]), ["below", "mine"]);
    assert_eq!(names(&["list", "--here", "--json"]), ["mine"]);
    assert_eq!(names(&["list", "--here", "--json", "-C", "sub"]), ["below"]);
    insta::assert_snapshot!(env.windlass(["list"]).snapshot(), @"
    exit: 0
    --- stdout
    NAME   KIND     STATE             ITERATION  WHEN      SPEND  DIRECTORY
    below  iterate  ✗ max_iterations  1 of 1     just now         /tmp/windlass-XXXXXX/work/sub
    mine   iterate  ✓ done            2 of 20    just now         /tmp/windlass-XXXXXX/work
    --- stderr
    ");
}

#[test]
fn a_running_loop_can_be_followed_looked_at_and_called_off() {
    let env = world();
    let script = "say one\nnext\nsay two\nhang";
    let running = scripted(&env, script, &["--name", "mine", "--json", "--grace", "1s"]).spawn();
    let mut log = env.command(["log", "mine", "--follow"]);
    wait_until("the loop is stored", LIMIT, || {
        env.windlass_home().join("windlass.db").exists()
            && env.command(["status", "mine"]).run().code == Some(0)
    });
    log = log.limit(LIMIT);
    let mut following = log.spawn();
    following.wait_until(LIMIT, |out, _| out.contains("two"));
    let status = env.windlass(["status", "mine", "--json"]).success().json();
    assert_eq!(status["ending"], json!({"type": "running"}));
    assert_eq!(status["iterations"], 2);
    let result = env.windlass(["show", "mine", "--json"]).success().json()["result"].clone();
    assert_eq!((&result["exit_code"], &result["success"]), (&Value::Null, &json!(false)));
    let busy = shell(&env, "true", &["--max-iterations", "1"]).run();
    insta::assert_snapshot!(busy.snapshot(), @"
    exit: 4
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/work` is in use by the loop mine

    hint: wait for it, or end it with `windlass cancel mine`
    hint: or give this loop a tree of its own with `--worktree BRANCH`
    ");
    insta::assert_snapshot!(env.windlass(["resume", "mine"]).code(4).masked_stderr().replace(&running.pid().to_string(), "[pid]"), @"
    error: the loop mine is run by process [pid]

    hint: look at it with `windlass status mine`, end it with `windlass cancel mine`
    hint: if that process hangs, take it over with `windlass resume mine --take-over`
    ");
    insta::assert_snapshot!(env.windlass(["cancel", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine is cancelled, and nothing of it runs any more
    --- stderr
    hint: to go on: windlass resume mine
    ");
    let ended = running.wait().code(143);
    assert_eq!(ended.json()["ending"], json!({"type": "cancelled", "by": "request"}));
    let log = following.wait().success();
    assert!(log.stdout.contains("  │ one\n") && log.stdout.contains("cancelled"), "{log}");
}

#[test]
fn cancel_after_the_iteration_lets_it_come_to_its_end() {
    let env = world();
    let script = "say one\nsleep 2s\nwrite a.txt done";
    let mut running = scripted(&env, script, &["--name", "mine"]).spawn();
    running.wait_until(LIMIT, |out, _| out.contains("Iteration 1"));
    let ran = env.windlass(["cancel", "mine", "--after-iteration"]).success();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    mine will stop when its iteration is over
    --- stderr
    hint: to go on: windlass resume mine
    ");
    let ended = running.wait().code(143);
    assert!(ended.stdout.contains("iteration 1: "), "{ended}");
    assert_eq!(env.read("a.txt"), "done");
    assert_eq!(env.sql("SELECT count(*) FROM iterations"), "1\n");
}

#[test]
fn signals_have_their_exit_codes() {
    for (signal, code, by) in [(Signal::INT, 130, "sigint"), (Signal::TERM, 143, "sigterm")] {
        let env = world();
        let running = shell(&env, "touch up; exec sleep 60", &["--json", "--grace", "1s"]).spawn();
        wait_until("the agent starts", LIMIT, || env.work().join("up").exists());
        running.signal(signal);
        let ran = running.wait().code(code);
        assert_eq!(ran.json()["ending"], json!({"type": "cancelled", "by": by}));
        assert!(ran.stderr.contains("next: windlass resume "), "{ran}");
    }
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
    {"id":"[id............]","name":"mine","kind":"iterate","directory":"/tmp/windlass-XXXXXX/work","agent":"scripted","ending":{"type":"done","by":"promise"},"verified":true,"iterations":2,"max_iterations":20,"phase":"ended","sessions":2,"files_modified":1,"usage":{"input_tokens":0,"output_tokens":0,"cost_usd":null},"circuit":"closed","circuit_reason":null,"started_at":"0000-00-00T00:00:00.000Z","updated_at":"0000-00-00T00:00:00.000Z","duration_ms":0,"reason":"done after 2 iterations, proven by 1 check","rules":[],"evidence":[{"iteration":1,"claim":"rejected","checks_passed":0,"checks_failed":1,"files_changed":0,"only_numbers":false,"tree":"[git...................................]","tasks":null,"said":37,"status":null,"denied":0,"errors":["`test -f a.txt || { echo no a.txt; false; }`: exit code 1: no a.txt"],"failure":null,"usage":{"input_tokens":0,"output_tokens":0,"cost_usd":null},"duration_ms":0},{"iteration":2,"claim":"accepted","checks_passed":1,"checks_failed":0,"files_changed":1,"only_numbers":false,"tree":"[git...................................]","tasks":null,"said":32,"status":null,"denied":0,"errors":[],"failure":null,"usage":{"input_tokens":0,"output_tokens":0,"cost_usd":null},"duration_ms":0}],"advice":{"words":"The work is proven done. See what happened:","commands":["windlass show mine","windlass diff mine"]}}
    --- stderr
    "#);
}
