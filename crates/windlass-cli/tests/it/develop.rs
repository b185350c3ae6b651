//! `develop` from outside: what developer and reviewer are given, what a verdict is, and how the loop
//! ends.

use serde_json::{Value, json};
use testkit::{Env, Invocation};

use crate::{prompts_of, world};

/// `develop` of one task with the scripted agent in all roles.
pub(crate) fn develop<'a>(env: &'a Env, script: &str, args: &[&str]) -> Invocation<'a> {
    let call = env.command(["develop", "-p", "greet the world", "--agent", "scripted", "--script"]);
    args.iter().fold(call.arg(env.script(script)), |call, arg| call.arg(arg))
}

/// The words of `phase` events, in order.
pub(crate) fn phases(lines: &[Value]) -> Vec<&str> {
    let phases = lines.iter().filter(|line| line["type"] == "phase");
    phases.filter_map(|line| line["phase"].as_str()).collect()
}

const TWO_ROUNDS: &str = "\
as developer
write hello.txt Hello\\n
as reviewer
say Thinking.\\nFEEDBACK: 1. `hello.txt`: greet the **world**.\\n\\n2. <b>Not</b> just anybody.
next
as developer
write hello.txt Hello, world\\n
as reviewer
say All points are dealt with.\\n\\nAPPROVED
";

#[test]
fn work_that_is_approved_at_once_needs_one_iteration() {
    let env = world();
    let script = "as developer\nwrite a.txt 1\nas reviewer\nsay APPROVED\n";
    let ran = develop(&env, script, &["--name", "mine"]).run();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    Loop mine: develop with scripted in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 5 ━━━
    task: greet the world
    developing
    developer: finished in [time]
    reviewing
    reviewer: finished in [time]
    accepted: unverified, no check was given
    approved
    iteration 1: [time], 1 file changed
    ✓ approved after 1 iteration, unverified: no check was given
      2 sessions, no checks, 1 file modified, [time]
    --- stderr
      task         greet the world
      agent        scripted (developer, reviewer)
      sandbox      none
      budget       none, at most 5 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    next: git switch -c windlass/mine && git add -A -- a.txt && git commit -m 'greet the world' -- a.txt
    next: windlass show mine
    next: windlass diff mine
    undo: windlass rollback mine 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    ");
    let result = env.windlass(["show", "mine", "--json"]).success().json()["result"].clone();
    assert_eq!(result["ending"], json!({"type": "approved", "by": "verdict", "unverified": true}));
    let tasks = env.windlass(["show", "mine", "--json"]).success().json()["tasks"].clone();
    let task = json!({"task": "greet the world", "status": "approved", "attempts": 1});
    assert_eq!(tasks, json!([task]));
}

#[test]
fn events_of_phases_have_the_role_of_the_agent_and_a_message() {
    let env = world();
    let script = "as developer\nwrite a.txt 1\nas reviewer\nsay APPROVED\n";
    let lines = develop(&env, script, &["--jsonl"]).run().success().json_lines();
    let told = |key: &'static str| {
        let phases = lines.iter().filter(|line| line["type"] == "phase");
        phases.map(|line| line[key].as_str().unwrap_or("-")).collect::<Vec<_>>()
    };
    assert_eq!(told("role"), ["-", "developer", "reviewer", "reviewer"]);
    insta::assert_snapshot!(told("message").join("\n"), @"
    work on the task begins
    the developer works
    the reviewer reads the diff
    the reviewer approved, and the proof stood
    ");
}

#[test]
fn feedback_goes_back_word_for_word_and_the_reviewer_sees_all_work() {
    let env = world();
    let ran = develop(&env, TWO_ROUNDS, &["--check", "grep -q world hello.txt"]).run();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    Loop [name]: develop with scripted in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 5 ━━━
    task: greet the world
    developing
    developer: finished in [time]
    reviewing
    reviewer: finished in [time]
    feedback:
      │ FEEDBACK: 1. `hello.txt`: greet the **world**.
      │ 
      │ 2. <b>Not</b> just anybody.
    iteration 1: [time], 1 file changed
    ━━━ Iteration 2 of at most 5 ━━━
    developing
    developer: finished in [time]
    reviewing
    reviewer: finished in [time]
    check `grep -q world hello.txt`: passed ([time])
    accepted: 1 check passed on tree 41faa54
    approved
    iteration 2: [time], 1 file changed
    ✓ approved after 2 iterations, proven by 1 check
      4 sessions, 1 check, 1 file modified, [time]
      proof: 1 check passed; no baseline; guarded files unchanged
    --- stderr
      task         greet the world
      agent        scripted (developer, reviewer)
      sandbox      none
      budget       none, at most 5 iterations
      checks       `grep -q world hello.txt`
      guarded      nothing (no tests found); `--guard GLOB` adds files
    next: git switch -c windlass/[name] && git add -A -- hello.txt && git commit -m 'greet the world' -- hello.txt
    next: windlass show [name]
    next: windlass diff [name]
    undo: windlass rollback [name] 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    ");
    let prompts = prompts_of(&env);
    assert_eq!(prompts.len(), 4);
    assert!(prompts[0].starts_with("greet the world\n"), "{}", prompts[0]);
    assert!(!prompts[0].contains("What the reviewer wants changed"), "{}", prompts[0]);
    let feedback = "1. `hello.txt`: greet the **world**.\n\n2. <b>Not</b> just anybody.";
    assert!(prompts[2].contains(feedback), "{}", prompts[2]);
    assert!(!prompts[2].contains("Thinking."), "{}", prompts[2]);
    assert!(prompts[1].contains("+Hello\n"), "{}", prompts[1]);
    assert!(prompts[3].contains("+Hello, world\n"), "{}", prompts[3]);
    assert!(prompts[3].contains(feedback), "{}", prompts[3]);
}

#[test]
fn the_diff_is_that_of_the_whole_loop_with_commits_and_new_files() {
    let env = world();
    env.write("before.txt", "not of this loop\n");
    let developer = env.agent_sh(
        "n=$(git rev-list --count HEAD)\necho $n > committed-$n.txt\n\
         git add committed-$n.txt && git commit -qm work-$n\necho $n > new-$n.txt\n\
         echo more >> README.md",
    );
    let reviewer = env.agent_sh("test -e new-2.txt && echo APPROVED || echo FEEDBACK: again");
    crate::user_config(
        &env,
        &format!(
            "[agents.dev]\ncommand = [{developer:?}]\n[agents.rev]\ncommand = [{reviewer:?}]\n"
        ),
    );
    let roles = ["--developer", "dev", "--reviewer", "rev"];
    let call = ["develop", "-p", "go on", "--json"];
    let result = env.windlass([&call[..], &roles].concat()).success().json();
    assert_eq!(result["iterations"], 2);
    let prompt = &prompts_of(&env)[3];
    for file in ["committed-1.txt", "committed-2.txt", "new-1.txt", "new-2.txt", "README.md"] {
        assert!(prompt.contains(&format!(" b/{file}\n")), "{file} is not in\n{prompt}");
    }
    assert!(!prompt.contains("before.txt"), "{prompt}");
}

#[test]
fn an_approval_that_a_check_speaks_against_goes_back_to_the_developer() {
    let env = world();
    let script = "as developer\nwrite a.txt bad\\n\nas reviewer\nsay APPROVED\nnext\n\
                  as developer\nwrite a.txt good\\n\nas reviewer\nsay APPROVED: now it is fine\n";
    let check = "cat a.txt; grep -q good a.txt";
    let lines = develop(&env, script, &["--check", check, "--jsonl"]).run().success().json_lines();
    let prompts = prompts_of(&env);
    assert!(prompts[2].contains("## Why the work was not accepted"), "{}", prompts[2]);
    assert!(prompts[2].contains("failed with exit code 1"), "{}", prompts[2]);
    assert!(prompts[2].contains("bad\n"), "what the check printed: {}", prompts[2]);
    assert!(!prompts[2].contains("What the reviewer wants changed"), "{}", prompts[2]);
    assert_eq!(
        phases(&lines),
        ["started", "developing", "reviewing", "developing", "reviewing", "approved"]
    );
    assert_eq!(env.sql("SELECT claim FROM iterations ORDER BY number"), "rejected\naccepted\n");
}

#[test]
fn without_approval_the_loop_escalates_and_shows_what_is_open() {
    let env = world();
    let script = "as developer\nappend a.txt x\nas reviewer\n\
                  say FEEDBACK:\\nThe tests are missing.\\nSo are the documents.\n";
    let ran = develop(&env, script, &["--max-iterations", "2", "--name", "mine"]).run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 1
    --- stdout
    Loop mine: develop with scripted in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 2 ━━━
    task: greet the world
    developing
    developer: finished in [time]
    reviewing
    reviewer: finished in [time]
    feedback:
      │ FEEDBACK:
      │ The tests are missing.
      │ So are the documents.
    iteration 1: [time], 1 file changed
    ━━━ Iteration 2 of at most 2 ━━━
    developing
    developer: finished in [time]
    reviewing
    reviewer: finished in [time]
    feedback:
      │ FEEDBACK:
      │ The tests are missing.
      │ So are the documents.
    iteration 2: [time], 1 file changed
    escalated: no approval in time
    ✗ escalated after 2 iterations: no approval that stood
      4 sessions, no checks, 1 file modified, [time]
      what is open:
      │ FEEDBACK:
      │ The tests are missing.
      │ So are the documents.
    --- stderr
      task         greet the world
      agent        scripted (developer, reviewer)
      sandbox      none
      budget       none, at most 2 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    next: windlass log mine
    next: windlass diff mine
    next: windlass resume mine --max-iterations 4
    ");
    let lines =
        develop(&env, script, &["--max-iterations", "1", "--jsonl"]).run().code(1).json_lines();
    assert_eq!(phases(&lines), ["started", "developing", "reviewing", "feedback", "escalated"]);
    let ran = develop(&env, script, &["--max-iterations", "2", "--json"]).run().code(1);
    assert_eq!(
        ran.json()["ending"],
        json!({"type": "escalated", "limit": 2, "tasks": [],
               "feedback": "FEEDBACK:\nThe tests are missing.\nSo are the documents."})
    );
    assert_eq!(ran.json()["success"], false);
}

#[test]
fn an_approval_that_no_check_allowed_is_told_as_what_is_open() {
    let env = world();
    let script = "as developer\nwrite a.txt x\nas reviewer\nsay APPROVED\n";
    let args = ["--max-iterations", "1", "--check", "exit 3", "--json"];
    let result = develop(&env, script, &args).run().code(1).json();
    let open = "the check `exit 3` failed with exit code 3";
    assert_eq!(
        result["ending"],
        json!({"type": "escalated", "limit": 1, "tasks": [], "feedback": open})
    );
}

#[test]
fn a_reviewer_that_says_nothing_is_asked_again_before_the_developer_is() {
    let env = world();
    let script = "as developer\nwrite a.txt x\nas reviewer\nsay\n\
                  next\nas developer\nsay never\nas reviewer\nsay APPROVED\n";
    let lines = develop(&env, script, &["--jsonl"]).run().success().json_lines();
    assert_eq!(
        phases(&lines),
        ["started", "developing", "reviewing", "failed", "reviewing", "approved"]
    );
    assert_eq!(
        env.sql("SELECT place, status FROM sessions ORDER BY id"),
        "1/developer|finished\n1/reviewer|failed\n2/reviewer|finished\n"
    );
}

#[test]
fn a_reviewer_that_fails_without_end_ends_the_loop_and_never_approves() {
    let env = world();
    let script = "as developer\nwrite a.txt x\nas reviewer\nsay APPROVED\nexit 3\n";
    let ran = develop(&env, script, &["--failure-threshold", "2", "--json"]).run().code(5);
    assert_eq!(ran.json()["ending"]["type"], "agent_failed");
    assert_eq!(env.sql("SELECT count(*) FROM events WHERE type = 'claimed'"), "0\n");
    let args = ["--max-iterations", "1", "--json"];
    let ending = develop(&env, script, &args).run().code(1).json()["ending"].clone();
    assert_eq!(
        ending["feedback"],
        "there is no review: the last session failed: exited with code 3: APPROVED"
    );
}

#[test]
fn a_reviewer_that_says_both_or_neither_does_not_approve() {
    for words in [
        "APPROVED\\n\\nFEEDBACK: but rename it",
        "It looks fine to me.",
        "This is not APPROVED yet.",
        "> APPROVED",
        "```\\nAPPROVED\\n```",
        "APPROVED: but fix the crash first",
        "✅ APPROVED, pending the crash fix",
    ] {
        let env = world();
        let script = format!("as developer\nwrite a.txt x\nas reviewer\nsay {words}\n");
        let args = ["--max-iterations", "1", "--json"];
        let result = develop(&env, &script, &args).run().code(1).json();
        assert_eq!(result["ending"]["type"], "escalated", "{words}");
    }
}

#[test]
fn an_approval_counts_whatever_marks_stand_around_it() {
    for words in
        ["✅ APPROVED", "**Verdict: APPROVED**", "`APPROVED`", "APPROVED!", "APPROVED, nice work"]
    {
        let env = world();
        let script = format!("as developer\nwrite a.txt x\nas reviewer\nsay {words}\n");
        let result = develop(&env, &script, &["--json"]).run().success().json();
        assert_eq!(result["ending"]["type"], "approved", "{words}");
        assert_eq!(result["iterations"], 1, "{words}");
    }
}

#[test]
fn what_a_failed_review_left_is_not_judged_by_the_next_one() {
    let env = world();
    let script = "as developer\nwrite a.txt x\nas reviewer\nwrite b.txt mine\nexit 1\n\
                  next\nas reviewer\nsay APPROVED\n";
    let result = develop(&env, script, &["--json"]).run().success().json();
    assert_eq!((&result["iterations"], &result["sessions"]), (&2.into(), &3.into()));
    assert!(!prompts_of(&env)[2].contains(" b/b.txt\n"), "{}", prompts_of(&env)[2]);
}

#[test]
fn outside_a_repository_the_reviewer_is_told_so() {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    let script = "as developer\nwrite a.txt x\nas reviewer\nsay APPROVED\n";
    develop(&env, script, &[]).run().success();
    assert!(prompts_of(&env)[1].contains("This is no repository"), "{}", prompts_of(&env)[1]);
}
