//! The status block from outside: what is taught, what claims, and what does not.

use testkit::Env;

use crate::{COMPLETE, prompts_of, shell, world};

/// A shell program that prints a status block with these lines.
fn block(lines: &str) -> String {
    format!("cat <<'END'\nworking\n---LOOP_STATUS---\n{lines}\n---END_LOOP_STATUS---\nEND")
}

fn ending(env: &Env, body: &str, args: &[&str]) -> serde_json::Value {
    let call = shell(env, body, &["--json", "--max-iterations", "1"]);
    args.iter().fold(call, |call, arg| call.arg(arg)).run().json()
}

#[test]
fn a_block_claims_and_is_in_the_result() {
    let env = world();
    let body =
        block("STATUS: COMPLETE\nFILES_MODIFIED: 2\nEXIT_SIGNAL: true\nRECOMMENDATION: rest");
    let result = ending(&env, &body, &["--check", "true"]);
    insta::assert_snapshot!(result["ending"], @r#"{"type":"done","by":"status"}"#);
    insta::assert_snapshot!(result["final_status"], @r#"{"status":"COMPLETE","tasks_completed_this_loop":null,"files_modified":2,"tests_status":null,"work_type":null,"exit_signal":true,"recommendation":"rest"}"#);
    assert_eq!(result["completion_text"], "EXIT_SIGNAL: true");
}

#[test]
fn either_line_claims_and_an_explicit_no_beats_it() {
    for (lines, ends) in [
        ("STATUS: COMPLETE", "done"),
        ("EXIT_SIGNAL: true", "done"),
        ("STATUS: COMPLETE\nEXIT_SIGNAL: false", "max_iterations"),
        ("STATUS: IN_PROGRESS", "max_iterations"),
    ] {
        let env = world();
        assert_eq!(ending(&env, &block(lines), &[])["ending"]["type"], ends, "{lines}");
    }
}

#[test]
fn a_block_on_standard_error_or_without_its_end_is_none() {
    let env = world();
    let on_stderr = format!("{{ {}\n}} >&2", block("STATUS: COMPLETE"));
    assert_eq!(ending(&env, &on_stderr, &[])["ending"]["type"], "max_iterations");
    let half = "printf '%s\\n' ---LOOP_STATUS--- 'STATUS: COMPLETE'";
    assert_eq!(ending(&env, half, &[])["ending"]["type"], "max_iterations");
}

#[test]
fn the_lesson_comes_with_the_first_prompt_and_does_not_claim_when_printed_back() {
    let env = world();
    let echo = "printf '%s\\n' \"$1\"";
    let result = ending(&env, echo, &["--protocol", "status", "--check", "true"]);
    assert_eq!(result["ending"]["type"], "max_iterations");
    assert_eq!(result["final_status"], serde_json::Value::Null);
    insta::assert_snapshot!(prompts_of(&env)[0], @"
    mend it

    ---
    End your last message with a status block, exactly in this form, not in a code block, one value on each line:
    ---LOOP_STATUS---
    STATUS: IN_PROGRESS | COMPLETE | BLOCKED
    TASKS_COMPLETED_THIS_LOOP: <number>
    FILES_MODIFIED: <number>
    TESTS_STATUS: PASSING | FAILING | NOT_RUN
    WORK_TYPE: IMPLEMENTATION | TESTING | DOCUMENTATION | REFACTORING
    EXIT_SIGNAL: true | false
    RECOMMENDATION: <one line: what to do next, or what blocks you>
    ---END_LOOP_STATUS---
    Say EXIT_SIGNAL: true only when all of the work is done: that is your claim. Say STATUS: BLOCKED when only a person can help.
    A claim is accepted only if windlass itself sees this pass: `true`.
    ");
}

#[test]
fn strict_completion_wants_the_signal_and_two_phrases() {
    let said = |words: &str, lines: &str| format!("echo '{words}'\n{}", block(lines));
    let signal = "EXIT_SIGNAL: true";
    for (body, ends) in [
        (said("All tasks complete, nothing left to do.", signal), "done"),
        (said("All done. ALL DONE!", signal), "max_iterations"),
        (said("All tasks complete, nothing left to do.", "STATUS: COMPLETE"), "max_iterations"),
        (said("working", signal), "max_iterations"),
        (format!("echo 'all done, project complete'; echo '{COMPLETE}'"), "max_iterations"),
    ] {
        let env = world();
        assert_eq!(ending(&env, &body, &["--strict-completion"])["ending"]["type"], ends, "{body}");
    }
    let env = world();
    let one = said("all done", signal);
    let args = ["--strict-completion", "--completion-threshold", "1"];
    assert_eq!(ending(&env, &one, &args)["ending"]["type"], "done");
}

#[test]
fn phrases_in_prose_alone_never_end_a_loop() {
    let env = world();
    let body = "echo 'All tasks complete. Nothing left to do. Project complete. COMPLETE'";
    assert_eq!(ending(&env, body, &[])["ending"]["type"], "max_iterations");
}

#[test]
fn an_agent_with_a_system_prompt_is_taught_there_too() {
    let env = world();
    env.install("claude", "printf '%s\\n' \"$@\" > called; cat > /dev/null");
    let call = ["iterate", "-p", "go", "--agent", "claude", "--max-iterations", "1", "-q"];
    env.windlass([call.as_slice(), &["--protocol", "status"]].concat()).code(1);
    let called = env.read("called");
    assert!(called.contains("--append-system-prompt\nEnd your last message with a status block"));
}
