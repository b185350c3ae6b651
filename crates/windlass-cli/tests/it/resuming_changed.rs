//! `resume` with what people change when they go on: the prompt, the checks, the agent and more.

use std::time::Duration;

use serde_json::json;
use testkit::wait_until;

use crate::{COMPLETE, heal::heal, heal_loop::rounds, prompts_of, scripted, shell, world};

#[test]
fn a_loop_goes_on_with_another_prompt_check_command_and_promise() {
    let env = world();
    env.install("first", "echo 1 >> a; echo '<promise>COMPLETE</promise>'");
    let call = ["iterate", "-p", "the first words", "-c", "first", "--check", "false"];
    env.command(call).args(["--name", "mine", "--max-iterations", "2"]).run().code(1);
    env.install("second", "echo 2 >> b; echo '<promise>READY</promise>'");
    let call = ["resume", "mine", "--max-iterations", "4", "-p", "other words\nand more"];
    let call =
        env.command(call).args(["-c", "second", "--check", "test -e b", "--promise", "READY"]);
    insta::assert_snapshot!(call.run().snapshot(), @"
    exit: 0
    --- stdout
    Loop mine goes on, up to 4 iterations
    changed: --check from `false` to `test -e b`
    changed: --command from `first` to `second`
    changed: --promise from `COMPLETE` to `READY`
    changed: --prompt from `the first words` to `other words …`
    ━━━ Iteration 3 of at most 4 ━━━
    agent: finished in [time]
    claim: READY
    check `test -e b`: passed ([time])
    claim accepted: 1 check passed on tree 11b37fc
    iteration 3: [time], 1 file changed
    ✓ done after 3 iterations, proven by 1 check
      3 sessions, 3 checks, 2 files modified, [time]
      proof: 1 check passed; no baseline; guarded files unchanged
    --- stderr
      task         other words
      agent        command
      sandbox      none
      budget       none, at most 4 iterations
      checks       `test -e b`
    next: git switch -c windlass/mine && git add -A -- a b && git commit -m 'other words' -- a b
    next: windlass show mine
    next: windlass diff mine
    undo: windlass rollback mine 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    ");
    assert_eq!(
        env.sql("SELECT command, passed FROM checks ORDER BY id"),
        "false|0\nfalse|0\ntest -e b|1\n"
    );
    let prompts = prompts_of(&env);
    assert!(prompts[1].contains("the first words") && prompts[2].contains("other words\nand more"));
    insta::assert_snapshot!(env.windlass(["log", "mine"]).success().stdout.lines()
        .filter(|line| line.contains("changed:")).collect::<Vec<_>>().join("\n"), @"
    changed: --check from `false` to `test -e b`
    changed: --command from `first` to `second`
    changed: --promise from `COMPLETE` to `READY`
    changed: --prompt from `the first words` to `other words …`
    ");
    insta::assert_snapshot!(env.windlass(["show", "mine"]).success().stdout.lines()
        .filter(|line| line.contains("changed:")).collect::<Vec<_>>().join("\n"), @"
    changed: --check from `false` to `test -e b`
    changed: --command from `first` to `second`
    changed: --promise from `COMPLETE` to `READY`
    changed: --prompt from `the first words` to `other words …`
    ");
    let changed =
        "SELECT body ->> 'option' FROM journal WHERE type = 'option_changed' ORDER BY seq";
    assert_eq!(env.sql(changed), "checks\ncommand\nmax_iterations\npromise\nprompt\n");
}

#[test]
fn what_is_past_stays_what_it_was_whatever_the_checks_are_now() {
    let env = world();
    let script =
        format!("write a 1\nsay {COMPLETE}\nnext\nwrite a 2\nnext\nwrite a 3\nsay {COMPLETE}");
    let args = ["--name", "mine", "--max-iterations", "2", "--check", "grep -q 3 a"];
    scripted(&env, &script, &args).run().code(1);
    // The claim of the first iteration was rejected, and two checks do not run in its place now.
    let call =
        ["resume", "mine", "--max-iterations", "5", "--check", "true", "--check", "test -e a"];
    let result = env.command(call).arg("--json").run().success().json();
    assert_eq!((&result["iterations"], &result["ending"]["type"]), (&json!(3), &json!("done")));
    assert_eq!(
        env.sql("SELECT place, command FROM checks ORDER BY id"),
        "1/check/1|grep -q 3 a\n3/check/1|true\n3/check/2|test -e a\n"
    );
}

#[test]
fn another_agent_has_nothing_of_the_one_before() {
    let env = world();
    env.install("one", "exit 3");
    let call =
        ["iterate", "-p", "x", "-c", "one --print", "--prompt-mode", "stdin", "--name", "mine"];
    env.command(call).args(["--failure-threshold", "1"]).run().code(5);
    env.install("claude", &format!("echo '{{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"{COMPLETE}\"}}'"));
    let ran = env.windlass(["resume", "mine", "--agent", "claude", "--model", "haiku", "--json"]);
    let result = ran.success().json();
    assert_eq!(result["agent"], "claude");
    assert_eq!(env.sql("SELECT agent FROM sessions ORDER BY id"), "command\nclaude\n");
}

#[test]
fn a_prompt_file_that_has_changed_is_told_and_not_read_again_unasked() {
    let env = world();
    env.write("P.md", "the old words\n");
    let script = format!("write a 1\nnext\nwrite a 2\nnext\nsay {COMPLETE}");
    let script = env.script(&script);
    let call = ["iterate", "--prompt-file", "P.md", "--agent", "scripted", "--max-iterations", "1"];
    env.command(call).args(["--name", "mine", "--script"]).arg(script).run().code(1);
    let same = env.windlass(["resume", "mine", "--max-iterations", "1"]).code(2);
    assert!(!same.stderr.contains("prompt file"), "{same}");
    env.write("P.md", "the new words\n");
    let kept = env.windlass(["resume", "mine", "--max-iterations", "2"]).code(1);
    let told = kept.stderr.replace(&env.work().display().to_string(), "WORK");
    let told = told.lines().find(|line| line.contains("prompt file")).unwrap_or_default();
    insta::assert_snapshot!(told, @"note: the prompt file has changed since, and this loop keeps the prompt that it has; `--prompt-file WORK/P.md` takes the new one");
    let taken = ["resume", "mine", "--max-iterations", "3", "--prompt-file", "P.md"];
    let taken = env.windlass(taken).success();
    assert!(!taken.stderr.contains("has changed since"), "{taken}");
    let prompts = prompts_of(&env);
    assert!(prompts[1].contains("the old words") && prompts[2].contains("the new words"));
}

#[test]
fn a_flag_that_changes_what_a_rule_tripped_on_closes_the_circuit() {
    let env = world();
    let body = format!("test -e go && echo '{COMPLETE}'; true");
    let args = ["--name", "mine", "--stagnation-threshold", "2"];
    shell(&env, &body, &args).run().code(3);
    env.write("go", "");
    for other in ["--churn-threshold=9", "--timeout=9m", "--stagnation-threshold=2"] {
        env.windlass(["resume", "mine", other]).code(3);
    }
    let ran = env.windlass(["resume", "mine", "--stagnation-threshold", "4"]);
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    Loop mine goes on, up to 20 iterations
    changed: --stagnation-threshold from 2 to 4
    the circuit is closed again
    ━━━ Iteration 3 of at most 20 ━━━
    agent: finished in [time]
    claim: COMPLETE
    claim accepted: unverified, no check was given
    iteration 3: [time], 1 file changed
    ✓ done after 3 iterations, unverified: no check was given
      3 sessions, no checks, 1 file modified, [time]
    --- stderr
      task         mend it
      agent        command
      sandbox      none
      budget       none, at most 20 iterations
      checks       none
    note: `--stagnation-threshold` changes what the rule stagnation tripped on
    next: git switch -c windlass/mine && git add -A -- go && git commit -m 'mend it' -- go
    next: windlass show mine
    next: windlass diff mine
    undo: windlass rollback mine 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    ");
}

#[test]
fn what_would_help_is_told() {
    let env = world();
    let args = ["--name", "mine", "--max-iterations", "11", "--stagnation-threshold", "0"];
    shell(&env, "true", &args).run().code(1);
    insta::assert_snapshot!(env.windlass(["resume", "mine", "--max-iterations", "1"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: the loop mine cannot be resumed: 11 iterations are used; `--max-iterations 12` or more continues

    hint: `windlass show mine` tells what it did
    ");
    insta::assert_snapshot!(env.windlass(["resume", "mine", "--max-iterations=12", "--promise", "X", "-q"]).snapshot(), @"
    exit: 1
    --- stdout
    max_iterations
    --- stderr
    warning: the rule max-iterations tripped: iteration limit (12) reached
    next: windlass resume mine --max-iterations 24
    next: windlass why mine
    ");
    env.windlass(["heal", "--all", "-c", "false", "--name", "other", "--failure-threshold", "1"])
        .code(5);
    insta::assert_snapshot!(env.windlass(["resume", "other", "--promise", "x"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--promise` has no effect on a loop of the kind `heal`, which has no such option
    ");
    insta::assert_snapshot!(env.windlass(["resume", "other", "-p", "x"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--prompt` has no effect on a loop of the kind `heal`: windlass itself says what its agents are asked
    ");
}

#[test]
fn a_script_of_a_new_check_is_guarded_from_then_on_and_that_of_the_old_one_is_not() {
    let env = world();
    env.write("old.sh", "exit 1\n");
    env.write("new.sh", "test -e never\n");
    let body = format!(
        "test -e go || {{ echo '{COMPLETE}'; exit; }}; echo true > \"$(cat go)\"; touch done; echo '{COMPLETE}'"
    );
    let args = ["--name", "mine", "--check", "sh old.sh", "--max-iterations", "1"];
    shell(&env, &body, &args).run().code(1);
    env.write("go", "new.sh");
    let resume = ["resume", "mine", "--check", "sh new.sh", "--max-iterations"];
    let ran = env.command(resume).arg("2").run().code(1);
    assert!(ran.stdout.contains("guarded: new.sh was changed"), "{ran}");
    env.write("new.sh", "test -e done\n");
    env.write("go", "old.sh");
    env.command(["resume", "mine", "--max-iterations", "3"]).run().success();
}

#[test]
fn a_check_that_another_takes_the_place_of_proves_nothing() {
    let env = world();
    let slow = "touch checking; exec sleep 60";
    let args = ["--name", "mine", "--grace", "1s", "--check", "true", "--check", slow];
    let running = shell(&env, &format!("echo '{COMPLETE}'"), &args).spawn();
    wait_until("the second check runs", Duration::from_secs(30), || {
        env.work().join("checking").exists()
    });
    env.windlass(["cancel", "mine"]).success();
    running.wait().code(143);
    let call = ["resume", "mine", "--check", "false", "--max-iterations", "1", "-q"];
    assert_eq!(env.windlass(call).code(1).stdout, "max_iterations\n");
    let last =
        "SELECT command, passed FROM checks WHERE place = '1/check/1' ORDER BY id DESC LIMIT 1";
    assert_eq!(env.sql(last), "false|0\n");
}

#[test]
fn a_review_goes_on_with_more_checks_and_does_not_run_them_for_what_is_past() {
    let env = world();
    let script = rounds(&[&["one", "two"], &["two"], &[]]);
    let args = ["--loop", "--test", "true", "--name", "mine", "--max-iterations", "1"];
    heal(&env, &script, &args).run().code(1);
    let call = ["resume", "mine", "--max-iterations", "5", "--check", "test -e a.txt", "-q"];
    assert_eq!(env.windlass(call).success().stdout, "clean\n");
    insta::assert_snapshot!(env.sql("SELECT place, command FROM checks ORDER BY id"), @"
    1/test/1/1|true
    2/test/1/1|true
    2/test/1/2|test -e a.txt
    ");
}
