//! What a loop prints, by the flag that chooses it.

use serde_json::json;

use super::keys;
use crate::{COMPLETE, scripted, shell, world};

#[test]
fn json_is_one_object_with_every_field() {
    let env = world();
    let script = format!("say Looking.\nnext\nwrite a.txt x\nsay So: {COMPLETE}");
    let ran = scripted(&env, &script, &["--name", "mine", "--json", "--check", "true"]).run();
    insta::assert_snapshot!(ran.snapshot(), @r#"
    exit: 0
    --- stdout
    {"schema":1,"id":"[id............]","name":"mine","kind":"iterate","directory":"/tmp/windlass-XXXXXX/work","worktree":null,"agent":"scripted","ending":{"type":"done","by":"promise"},"success":true,"verified":true,"proof":{"checks":[{"command":"true","passed":true,"exit_code":0,"duration_ms":0,"output_hash":"[sha256........................................................]","tests":null}],"baseline":"not_run","tests":null,"originals":"same","hidden":"none","second_opinion":null,"doubts":[],"flaky":[],"tree":"[git...................................]"},"loop_mode":true,"task":"mend it","iterations":2,"sessions":2,"findings":{"total":0,"open":0,"fixed":0,"skipped":0},"fixes":0,"tasks_completed":0,"files_modified":1,"usage":{"input_tokens":0,"output_tokens":0,"cost_usd":null},"posted":null,"completion_text":"So: <promise>COMPLETE</promise>","final_text":"So: <promise>COMPLETE</promise>","final_status":null,"rate_limit_hit":false,"task_list":null,"duration_ms":0,"exit_code":0,"error":null}
    --- stderr
    next: git switch -c windlass/mine && git add -A -- a.txt && git commit -m 'mend it' -- a.txt
    next: windlass show mine
    next: windlass diff mine
    undo: windlass rollback mine 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
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
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    warning: the agent failed: exited with code 3; one more stops the loop (rule agent-failing)
    warning: the rule agent-failing tripped: the agent failed twice in a row, last: exited with code 3
    next: windlass log mine
    next: windlass resume mine
    ");
    let result = ran.code(5).json();
    insta::assert_snapshot!(result["error"], @r#""the agent failed twice in a row, last: exited with code 3""#);
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
    guarded
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
    step_started
    step_finished
    proof
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
fn quiet_prints_the_word_of_the_ending_and_the_name_of_a_rule() {
    let env = world();
    let ran = shell(&env, &format!("echo '{COMPLETE}'"), &["-q", "--name", "mine"]).run();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    done
    --- stderr
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    next: windlass show mine
    next: windlass diff mine
    ");
    let ran = shell(&env, "true", &["--quiet", "--max-iterations", "1", "--name", "other"]).run();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 1
    --- stdout
    max_iterations
    --- stderr
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    warning: the rule max-iterations tripped: iteration limit (1) reached
    next: windlass resume other --max-iterations 2
    next: windlass why other
    ");
    let ran = shell(&env, "true", &["-q", "--stagnation-threshold", "1"]).run().code(3);
    assert_eq!(ran.stdout, "rule stagnation\n");
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
    note: no check found: claims are accepted unproven; give one with `--check CMD`
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
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 0
    --- stdout
    Loop mine: iterate with scripted in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 20 ━━━
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
      task         mend it
      agent        scripted
      sandbox      none
      budget       none, at most 20 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    next: windlass show mine
    next: windlass diff mine
    ");
}
