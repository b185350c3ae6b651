//! `iterate` from outside: what claims, what does not, when it gives up, and what prompts say.

use testkit::Env;

use crate::{COMPLETE, prompts_of, scripted, shell, world};

/// How a loop of one iteration with this agent ended.
fn ending_with(env: &Env, body: &str, args: &[&str]) -> String {
    let call = shell(env, body, &["-q", "--max-iterations", "1", "--failure-threshold", "0"]);
    args.iter().fold(call, |call, arg| call.arg(arg)).run().stdout
}

#[test]
fn a_loop_goes_on_until_a_claim_is_proven() {
    let env = world();
    let script = format!(
        "say I look around.\nnext\nsay {COMPLETE}\nnext\nwrite done.txt yes\nsay {COMPLETE}"
    );
    let ran = scripted(&env, &script, &["--check", "test -f done.txt"]).run();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    Loop [name]: iterate with scripted in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 20 ━━━
    agent: finished in [time]
    iteration 1: [time], no files changed
    ━━━ Iteration 2 of at most 20 ━━━
    agent: finished in [time]
    claim: COMPLETE
    check `test -f done.txt`: failed (exit 1, [time])
    claim rejected: the check `test -f done.txt` failed with exit code 1
    iteration 2: [time], no files changed
    ━━━ Iteration 3 of at most 20 ━━━
    agent: finished in [time]
    claim: COMPLETE
    check `test -f done.txt`: passed ([time])
    claim accepted: 1 check passed on tree 1bce5da
    iteration 3: [time], 1 file changed
    ✓ done after 3 iterations, proven by 1 check
      3 sessions, 2 checks, 1 file modified, [time]
      proof: 1 check passed; no baseline; guarded files unchanged
    --- stderr
      task         mend it
      agent        scripted
      sandbox      none
      budget       none, at most 20 iterations
      checks       `test -f done.txt`
      guarded      nothing (no tests found); `--guard GLOB` adds files
    warning: no progress in 2 iterations; one more stops the loop (rule stagnation)
    next: git switch -c windlass/[name] && git add -A -- done.txt && git commit -m 'mend it' -- done.txt
    next: windlass show [name]
    next: windlass diff [name]
    undo: windlass rollback [name] 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    ");
}

#[test]
fn without_checks_a_claim_is_accepted_and_called_unverified() {
    let env = world();
    let ran = shell(&env, &format!("echo '{COMPLETE}'"), &[]).run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 0
    --- stdout
    Loop [name]: iterate with command in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 20 ━━━
    agent: finished in [time]
    claim: COMPLETE
    claim accepted: unverified, no check was given
    iteration 1: [time], no files changed
    ✓ done after 1 iteration, unverified: no check was given
      1 session, no checks, no files modified, [time]
    --- stderr
      task         mend it
      agent        command
      sandbox      none
      budget       none, at most 20 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    next: windlass show [name]
    next: windlass diff [name]
    ");
}

#[test]
fn the_promise_can_be_another_one_under_both_names() {
    for flag in ["--promise", "--completion-promise"] {
        let env = world();
        let body = "echo '<promise>ALL IS WELL</promise>'";
        assert_eq!(ending_with(&env, body, &[flag, "ALL IS WELL"]), "done\n", "{flag}");
        let other = format!("echo '{COMPLETE}'");
        assert_eq!(ending_with(&env, &other, &[flag, "ALL IS WELL"]), "max_iterations\n");
    }
}

#[test]
fn with_an_empty_promise_a_clean_exit_is_the_claim() {
    let env = world();
    let result = shell(&env, "true", &["--promise", "", "--json"]).run().success().json();
    assert_eq!(result["ending"]["by"], "exit");
    assert_eq!(result["completion_text"], serde_json::Value::Null);
    assert_eq!(ending_with(&env, "exit 1", &["--promise", ""]), "max_iterations\n");
}

#[test]
fn with_promise_match_text_words_count_anywhere_in_any_case() {
    let env = world();
    let text = ["--promise", "all done", "--promise-match", "text"];
    assert_eq!(ending_with(&env, "echo 'So: All Done, at last.'; echo bye", &text), "done\n");
    assert_eq!(ending_with(&env, "echo 'small donee'", &text), "max_iterations\n");
    assert_eq!(ending_with(&env, "echo 'overall done'", &text), "max_iterations\n");
    assert_eq!(ending_with(&env, "echo 'So: All Done.' >&2", &text), "max_iterations\n");
}

#[test]
fn the_tag_stands_alone_on_a_line_or_ends_the_last_one() {
    let env = world();
    for (said, claims) in [
        (format!("{COMPLETE}\\nbye"), true),
        (format!("  {COMPLETE}  \\nbye"), true),
        (format!("It is done: {COMPLETE}\\n\\n"), true),
        (format!("It is done: {COMPLETE}"), true),
        (format!("It is done: {COMPLETE}\\nbye"), false),
        (format!("{COMPLETE} is what I would say"), false),
        ("<promise>complete</promise>".to_owned(), true),
        ("<promise> COMPLETE </promise>".to_owned(), true),
        ("<promise>COMPLETED</promise>".to_owned(), false),
        ("COMPLETE".to_owned(), false),
    ] {
        let expected = if claims { "done\n" } else { "max_iterations\n" };
        let ended = ending_with(&env, &format!("printf '{said}'"), &[]);
        assert_eq!(ended, expected, "{said}");
    }
}

#[test]
fn what_a_program_prints_to_stderr_or_before_a_crash_does_not_claim() {
    let env = world();
    assert_eq!(ending_with(&env, &format!("echo '{COMPLETE}' >&2"), &[]), "max_iterations\n");
    assert_eq!(ending_with(&env, &format!("echo '{COMPLETE}'; exit 1"), &[]), "max_iterations\n");
    assert_eq!(
        ending_with(&env, &format!("echo '{COMPLETE}'; kill -9 $$"), &[]),
        "max_iterations\n"
    );
}

#[test]
fn an_echo_of_the_prompt_never_claims() {
    let prompts = [
        format!("Mend it, then print\n{COMPLETE}"),
        format!("Mend it, then print {COMPLETE}"),
        format!("Print\n\n{COMPLETE}\n\nwhen it is done, and once more:\n{COMPLETE}"),
        format!("{COMPLETE}\nis what you print when it is done."),
    ];
    for prompt in &prompts {
        for (command, mode) in [("cat", "stdin"), ("echo", "arg"), ("printenv PROMPT", "env")] {
            let env = world();
            let call = ["iterate", "-q", "-p", prompt, "-c", command, "--prompt-mode", mode];
            let ran = env.command(call).arg("--max-iterations").arg("3").run().code(1);
            assert_eq!(ran.stdout, "max_iterations\n", "{command}: {prompt}");
        }
    }
    // What windlass itself adds to the prompt is no claim either, also where words count anywhere.
    let env = world();
    let call = ["iterate", "-q", "-p", "Mend it.", "--promise", "all done", "-c", "echo"];
    let call = env.command(call).arg("--promise-match").arg("text");
    assert_eq!(call.arg("--max-iterations").arg("3").run().code(1).stdout, "max_iterations\n");
}

#[test]
fn a_claim_after_an_echo_of_the_prompt_counts() {
    let env = world();
    let prompt = format!("Mend it, then print\n{COMPLETE}");
    let agent = env.agent_sh(&format!("cat; echo; echo 'I did.'; echo '{COMPLETE}'"));
    let call = ["iterate", "-q", "-p", &prompt, "--prompt-mode", "stdin", "-c"];
    assert_eq!(env.command(call).arg(agent).run().success().stdout, "done\n");
}

#[test]
fn iterations_are_used_up_at_their_limit() {
    for flag in ["--max-iterations", "--max-loops"] {
        let env = world();
        let ran = shell(&env, "echo still working", &[flag, "2"]).run();
        insta::allow_duplicates! { insta::assert_snapshot!(ran.snapshot(), @r"
        exit: 1
        --- stdout
        Loop [name]: iterate with command in /tmp/windlass-XXXXXX/work
        ━━━ Iteration 1 of at most 2 ━━━
        agent: finished in [time]
        iteration 1: [time], no files changed
        ━━━ Iteration 2 of at most 2 ━━━
        agent: finished in [time]
        iteration 2: [time], no files changed
        ✗ not done: iteration limit (2) reached
          2 sessions, no checks, no files modified, [time]
        --- stderr
          task         mend it
          agent        command
          sandbox      none
          budget       none, at most 2 iterations
          checks       none
        note: no check found: claims are accepted unproven; give one with `--check CMD`
        warning: no progress in 2 iterations; one more stops the loop (rule stagnation)
        next: windlass resume [name] --max-iterations 4
        next: windlass why [name]
        "); }
    }
}

#[test]
fn a_proven_claim_on_the_last_allowed_iteration_is_done() {
    let env = world();
    let script = format!("say no\nnext\nsay {COMPLETE}");
    let call = scripted(&env, &script, &["--max-iterations", "2", "--check", "true", "--json"]);
    let result = call.run().success().json();
    assert_eq!(result["ending"], serde_json::json!({"type": "done", "by": "promise"}));
    assert_eq!(result["iterations"], 2);
}

#[test]
fn without_a_limit_a_loop_goes_on() {
    let env = world();
    let body = "echo x >> n; test $(wc -l < n) -lt 25 || echo '<promise>COMPLETE</promise>'";
    let call = shell(&env, body, &["--max-iterations", "0", "--json"]);
    assert_eq!(call.run().success().json()["iterations"], 25);
}

#[test]
fn later_prompts_carry_the_context_and_what_the_last_proof_said() {
    let env = world();
    let file = env.write("PROMPT.md", "\n\n  Mend it.\n\nCarefully.  \n\n");
    let script = format!("say no\nnext\nsay {COMPLETE}\nnext\nexit 3\nnext\nsay no");
    let call = ["iterate", "--agent", "scripted", "--max-iterations", "4", "--script"];
    let call = env.command(call).arg(env.script(&script)).arg("--prompt-file").arg(file);
    call.arg("--check").arg("echo expected 4; echo 'found 5' >&2; false").run().code(1);
    let prompts = prompts_of(&env);
    assert!(prompts[0].starts_with("Mend it.\n\nCarefully.\n\n---\nThis is iteration 1 of 4"));
    insta::assert_snapshot!(prompts[1], @"
    Mend it.

    Carefully.

    ---
    This is iteration 2 of 4 of a loop that windlass runs. You see no earlier conversation: earlier work is in the files and in the git history. Look at what is there before you go on.
    When all of the work is done, and only then, claim it: print <promise>COMPLETE</promise> on a line of its own, with nothing else on that line.
    A claim is accepted only if windlass itself sees this pass: `echo expected 4; echo 'found 5' >&2; false`.
    Nobody answers questions during the loop: decide what you can decide, and note what you decided. Only if no part of the work can go on, say so with <blocked>what is missing, and who can give it</blocked> in place of a claim.
    You may extend existing tests, but the checks must also pass on the tests as they were. If the task itself requires other tests, say so with the report above.
    Wait for background commands, or stop them, before you finish: what still runs then is killed.
    ");
    insta::assert_snapshot!(prompts[2], @"
    Mend it.

    Carefully.

    ---
    This is iteration 3 of 4 of a loop that windlass runs. You see no earlier conversation: earlier work is in the files and in the git history. Look at what is there before you go on.
    When all of the work is done, and only then, claim it: print <promise>COMPLETE</promise> on a line of its own, with nothing else on that line.
    A claim is accepted only if windlass itself sees this pass: `echo expected 4; echo 'found 5' >&2; false`.
    Nobody answers questions during the loop: decide what you can decide, and note what you decided. Only if no part of the work can go on, say so with <blocked>what is missing, and who can give it</blocked> in place of a claim.
    You may extend existing tests, but the checks must also pass on the tests as they were. If the task itself requires other tests, say so with the report above.
    Wait for background commands, or stop them, before you finish: what still runs then is killed.

    The last claim was not accepted:
    - the check `echo expected 4; echo 'found 5' >&2; false` failed with exit code 1

    The end of what `echo expected 4; echo 'found 5' >&2; false` printed:
    | expected 4
    | found 5
    ");
    insta::assert_snapshot!(prompts[3], @"
    Mend it.

    Carefully.

    ---
    This is iteration 4 of 4 of a loop that windlass runs. You see no earlier conversation: earlier work is in the files and in the git history. Look at what is there before you go on.
    When all of the work is done, and only then, claim it: print <promise>COMPLETE</promise> on a line of its own, with nothing else on that line.
    A claim is accepted only if windlass itself sees this pass: `echo expected 4; echo 'found 5' >&2; false`.
    Nobody answers questions during the loop: decide what you can decide, and note what you decided. Only if no part of the work can go on, say so with <blocked>what is missing, and who can give it</blocked> in place of a claim.
    You may extend existing tests, but the checks must also pass on the tests as they were. If the task itself requires other tests, say so with the report above.
    Wait for background commands, or stop them, before you finish: what still runs then is killed.

    The session before this one failed: exited with code 3

    The last claim was not accepted:
    - the check `echo expected 4; echo 'found 5' >&2; false` failed with exit code 1

    The end of what `echo expected 4; echo 'found 5' >&2; false` printed:
    | expected 4
    | found 5
    ");
}

#[test]
fn without_context_every_prompt_is_the_users() {
    let env = world();
    let args = ["--no-context", "--max-iterations", "3", "--check", "false"];
    scripted(&env, &format!("say {COMPLETE}"), &args).run().code(1);
    assert_eq!(prompts_of(&env), ["mend it", "mend it", "mend it"]);
}

#[test]
fn nothing_that_windlass_adds_has_the_tag_where_it_would_claim() {
    let env = world();
    // The tag comes back from everywhere: the check, its output, a failure, a protected name.
    env.write(format!("a\n{}", "<promise>COMPLETE<_promise>"), "");
    let check = format!("printf '{COMPLETE}\\nx {COMPLETE}\\n'; false # {COMPLETE}");
    let script = format!("say {COMPLETE}\nnext\nwarn {COMPLETE}\nexit 1\nnext\nsay {COMPLETE}");
    let args = ["--max-iterations", "5", "--stagnation-threshold", "0", "--check", &check];
    scripted(&env, &script, &args).run().code(1);
    for prompt in &prompts_of(&env)[1..] {
        let claiming = prompt.lines().filter(|line| line.trim_end().ends_with(COMPLETE));
        assert_eq!(claiming.count(), 0, "{prompt}");
        assert!(prompt.contains("expected") || prompt.contains(COMPLETE), "it is still taught");
    }
}

#[test]
fn a_failed_session_uses_an_iteration_and_the_next_prompt_says_so() {
    let env = world();
    let script = format!("warn no key\nexit 7\nnext\nsay {COMPLETE}");
    let ran = scripted(&env, &script, &[]).run().success();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 0
    --- stdout
    Loop [name]: iterate with scripted in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 20 ━━━
    agent: exited with code 7 after [time]: no key
    iteration 1: [time], no files changed, failed
    Waiting [time], until 00:00: a pause after a failed session
    ━━━ Iteration 2 of at most 20 ━━━
    agent: finished in [time]
    claim: COMPLETE
    claim accepted: unverified, no check was given
    iteration 2: [time], no files changed
    ✓ done after 2 iterations, unverified: no check was given
      2 sessions, no checks, no files modified, [time]
    --- stderr
      task         mend it
      agent        scripted
      sandbox      none
      budget       none, at most 20 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    next: windlass show [name]
    next: windlass diff [name]
    ");
    let prompt = &prompts_of(&env)[1];
    assert!(prompt.contains("The session before this one failed: exited with code 7"), "{prompt}");
}

#[test]
fn an_agent_that_keeps_failing_ends_the_loop() {
    let env = world();
    let ran = shell(&env, "echo no key >&2; exit 7", &["--failure-threshold", "2"]).run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 5
    --- stdout
    Loop [name]: iterate with command in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 20 ━━━
    agent: exited with code 7 after [time]: no key
    iteration 1: [time], no files changed, failed
    Waiting [time], until 00:00: a pause after a failed session
    ━━━ Iteration 2 of at most 20 ━━━
    agent: exited with code 7 after [time]: no key
    iteration 2: [time], no files changed, failed
    ✗ stopped after 2 iterations: the agent failed twice in a row, last: exited with code 7: no key
      2 sessions, no checks, no files modified, [time]
    --- stderr
      task         mend it
      agent        command
      sandbox      none
      budget       none, at most 20 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    warning: the agent failed: exited with code 7: no key; one more stops the loop (rule agent-failing)
    next: windlass log [name]
    next: windlass resume [name]
    ");
}
