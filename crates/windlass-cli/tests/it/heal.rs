//! `heal` from outside, one pass: a review, its findings, a fix for each, and the tests.

use serde_json::json;
use testkit::{Env, Invocation};

use crate::{prompts_of, user_config, world};

/// `heal` of everything with the scripted agent in all roles, unless `args` say what to review.
pub(crate) fn heal<'a>(env: &'a Env, script: &str, args: &[&str]) -> Invocation<'a> {
    let says_what = ["--all", "--base", "--findings", "--start-at"];
    let call = heal_branch(env, script, args);
    if args.iter().any(|arg| says_what.contains(arg)) { call } else { call.arg("--all") }
}

/// `heal` of what differs from the base, with the scripted agent in all roles.
pub(crate) fn heal_branch<'a>(env: &'a Env, script: &str, args: &[&str]) -> Invocation<'a> {
    let call = env.command(["heal", "--agent", "scripted", "--script"]);
    args.iter().fold(call.arg(env.script(script)), |call, arg| call.arg(arg))
}

/// A line of a script that says a review with findings of these titles.
pub(crate) fn review(titles: &[&str]) -> String {
    let findings: Vec<String> = titles
        .iter()
        .map(|title| {
            format!(
                "{{\"severity\": \"HIGH\", \"file\": \"a.txt\", \"line\": 1, \"title\": \"{title}\", \
                 \"description\": \"It is so: {title}.\"}}"
            )
        })
        .collect();
    format!("say I have looked.\\n```json\\n{{\"findings\": [{}]}}\\n```", findings.join(", "))
}

/// One finding, and a fixer that does `fix`.
pub(crate) fn one_finding(fix: &str) -> String {
    format!("as reviewer\n{}\nas fixer\n{fix}\n", review(&["it is wrong"]))
}

#[test]
fn one_pass_is_done_when_all_is_fixed_and_the_tests_pass() {
    let env = world();
    let script = format!("as reviewer\n{}\nas fixer\nappend a.txt x\\n\n", review(&["one", "two"]));
    let args = ["--test", "grep -c x a.txt", "--name", "mine"];
    insta::assert_snapshot!(heal(&env, &script, &args).run().snapshot(), @"
    exit: 0
    --- stdout
    Loop mine: heal with scripted in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 1 ━━━
    BREATHE (review)
    reviewer: finished in [time]
    REFLECT (read findings)
    2 findings
      HIGH a.txt:1: one
      HIGH a.txt:1: two
    HEAL (fix): 2 findings
    fixer 1: finished in [time]
    fix 1: changed (HIGH a.txt:1: one)
    fixer 2: finished in [time]
    fix 2: changed (HIGH a.txt:1: two)
    AWAKEN (test)
    check `grep -c x a.txt`: passed ([time])
    accepted: 1 check passed on tree cb04f03
    iteration 1: [time], 1 file changed
    ✓ done after 1 iteration, proven by 1 check
      3 sessions, 1 check, 1 file modified, 2 findings, 2 fixed, 0 left, [time]
      proof: 1 check passed; no baseline; guarded files unchanged
      findings: 2, 2 fixes applied in a single pass
    --- stderr
      agent        scripted (reviewer, fixer)
      sandbox      none
      budget       none, at most 1 iteration
      checks       `grep -c x a.txt`
      guarded      nothing (no tests found); `--guard GLOB` adds files
    next: git switch -c windlass/mine && git add -A -- a.txt && git commit -m mine -- a.txt
    next: windlass show mine
    next: windlass diff mine
    undo: windlass rollback mine 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    ");
    let result = env.windlass(["show", "mine", "--json"]).success().json()["result"].clone();
    assert_eq!(result["ending"], json!({"type": "done", "by": "verdict"}));
    assert_eq!(
        (&result["findings"], &result["fixes"], &result["verified"]),
        (&json!({"total": 2, "open": 0, "fixed": 2, "skipped": 0}), &2.into(), &true.into())
    );
    let prompts = prompts_of(&env);
    assert!(prompts[1].contains("(number 1 of 2;"), "{}", prompts[1]);
    assert!(prompts[2].contains("title: two\n\nIt is so: two.\n"), "{}", prompts[2]);
    assert_eq!(env.git(["status", "--porcelain"]), "?? a.txt\n");
    assert!(env.read(".review-output.md").starts_with("I have looked.\n```json\n"));
}

#[test]
fn a_finding_that_was_not_fixed_is_left() {
    for (fix, status, shown) in [
        ("say I looked, and it is fine.", "open|", "nothing was changed"),
        ("say SKIPPED: it is meant so", "skipped|it is meant so", "skipped: it is meant so"),
        ("write a.txt x\nexit 3", "open|", "failed: exited with code 3"),
    ] {
        let env = world();
        let ran = heal(&env, &one_finding(fix), &["--test", "true"]).run().code(1);
        assert!(ran.stdout.contains(&format!("fix 1: {shown}")), "{ran}");
        assert!(ran.stdout.contains("✗ not done: 1 finding left"), "{ran}");
        assert!(ran.stdout.contains("left: HIGH a.txt:1: it is wrong"), "{ran}");
        assert_eq!(env.sql("SELECT status, reason FROM findings"), format!("{status}\n"));
        let ending = env.windlass(["status", "--json"]).success().json()["ending"].clone();
        assert_eq!(ending, json!({"type": "findings_left", "left": 1}));
    }
}

#[test]
fn a_word_about_skipping_in_code_does_not_skip() {
    let env = world();
    let fix = "write a.txt x\nsay Done. The test prints\\n```\\nSKIPPED: 3\\n```\n";
    let result = heal(&env, &one_finding(fix), &["--json"]).run().success().json();
    assert_eq!(result["ending"]["type"], "done");
    assert_eq!(result["ending"]["unverified"], true, "there are no tests to be found");
}

#[test]
fn tests_that_fail_are_given_to_the_agent_as_often_as_it_may_try() {
    let env = world();
    let script = one_finding("append a.txt x\\n");
    let test = "echo so many: $(wc -l < a.txt); test $(wc -l < a.txt) -ge 3";
    let ran = heal(&env, &script, &["--test", test, "--json"]).run().success();
    assert_eq!(ran.json()["verified"], true);
    assert_eq!(
        env.sql("SELECT place FROM sessions WHERE role = 'fixer' ORDER BY id"),
        "1/fixer/1\n1/fixer/tests/1\n1/fixer/tests/2\n"
    );
    let prompts = prompts_of(&env);
    assert!(prompts[2].contains("attempt 1 of 2"), "{}", prompts[2]);
    assert!(prompts[2].contains("so many: 1\n"), "{}", prompts[2]);
    assert!(prompts[3].contains("so many: 2\n"), "{}", prompts[3]);
}

#[test]
fn tests_that_cannot_be_mended_end_the_pass() {
    for (attempts, sessions) in [("0", 2), ("1", 3)] {
        let env = world();
        let script = one_finding("append a.txt x\\n");
        let args = ["--test", "exit 7", "--heal-attempts", attempts];
        let ran = heal(&env, &script, &args).run().code(1);
        let told = "✗ Tests failed on iteration 1: the check `exit 7` failed with exit code 7";
        assert!(ran.stdout.contains(told), "{ran}");
        let result = env.windlass(["show", "--json"]).success().json()["result"].clone();
        assert_eq!(result["ending"]["type"], "tests_failed");
        assert_eq!(result["sessions"], sessions);
    }
}

#[test]
fn a_clean_review_at_once_needs_no_fix() {
    let env = world();
    let script = format!("as reviewer\n{}\nas fixer\nexit 1\n", review(&[]));
    let ran = heal(&env, &script, &["--test", "false", "--name", "mine"]).run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 0
    --- stdout
    Loop mine: heal with scripted in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 1 ━━━
    BREATHE (review)
    reviewer: finished in [time]
    REFLECT (read findings)
    no findings
    accepted: unverified, no check was given
    iteration 1: [time], no files changed
    ✓ Clean review on iteration 1
      1 session, no checks, no files modified, no findings, 0 fixed, 0 left, [time]
      findings: 0, 0 fixes applied in a single pass
    --- stderr
      agent        scripted (reviewer, fixer)
      sandbox      none
      budget       none, at most 1 iteration
      checks       `false`
      guarded      nothing (no tests found); `--guard GLOB` adds files
    next: windlass findings mine
    next: windlass diff mine
    ");
    let ran = heal(&env, &script, &["--check", "exit 4", "--json"]).run().code(1);
    assert_eq!(ran.json()["ending"]["type"], "tests_failed", "a check must pass in any case");
}

#[test]
fn review_only_says_what_would_be_fixed() {
    let env = world();
    let found = heal(&env, &one_finding("exit 1"), &["--review-only", "--name", "mine"]).run();
    insta::assert_snapshot!(found.snapshot(), @r"
    exit: 1
    --- stdout
    Loop mine: heal with scripted in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 1 ━━━
    BREATHE (review)
    reviewer: finished in [time]
    REFLECT (read findings)
    1 finding
      HIGH a.txt:1: it is wrong
    iteration 1: [time], no files changed
    ✗ not done: 1 finding left
      1 session, no checks, no files modified, 1 finding, 0 fixed, 1 left, [time]
      findings: 1, 0 fixes applied in a single pass
      left: HIGH a.txt:1: it is wrong
    --- stderr
      agent        scripted (reviewer, fixer)
      sandbox      none
      budget       none, at most 1 iteration
      checks       none
    next: windlass findings mine --open
    next: windlass diff mine
    ");
    let script = format!("as reviewer\n{}\n", review(&[]));
    heal(&env, &script, &["--review-only"]).run().success();
    assert_eq!(env.sql("SELECT DISTINCT role FROM sessions"), "reviewer\n");
}

#[test]
fn reviewer_and_fixer_may_be_different_agents() {
    let env = world();
    let block = r#"{"findings": [{"title": "a"}, {"title": "b"}, {"title": "c"}]}"#;
    let reviewer = env.agent_sh(&format!("printf '%s' '```json\n{block}\n```'"));
    let fixer = env.agent_sh(
        "case \"$2\" in *'title: a'*) echo $1 >> a;; *'title: b'*) echo SKIPPED: no;; *) exit 1;; esac",
    );
    let config = format!(
        "[agents.rev]\ncommand = [{reviewer:?}]\n\
         [agents.fix]\ncommand = [{fixer:?}, '{{model}}']\nmodel = 'x'\n"
    );
    user_config(&env, &config);
    let call =
        ["heal", "--all", "--reviewer", "rev", "--fixer", "fix:big", "--test", "true", "--json"];
    let result = env.windlass(call).code(1).json();
    assert_eq!(result["ending"], json!({"type": "findings_left", "left": 2}));
    assert_eq!(result["findings"], json!({"total": 3, "open": 1, "fixed": 1, "skipped": 1}));
    assert_eq!(env.read("a"), "big\n");
    let agents = "SELECT role, agent, count(*) FROM sessions GROUP BY role, agent ORDER BY role";
    assert_eq!(env.sql(agents), "fixer|fix:big|3\nreviewer|rev|1\n");
}

#[test]
fn fixers_that_keep_failing_end_the_loop() {
    let env = world();
    let script = format!("as reviewer\n{}\nas fixer\nexit 9\n", review(&["a", "b", "c", "d"]));
    let ran = heal(&env, &script, &["--failure-threshold", "2", "--json"]).run().code(5);
    let reason = "2 fixes in a row failed, the last one: exited with code 9";
    assert_eq!(ran.json()["ending"], json!({"type": "agent_failed", "reason": reason}));
    assert_eq!(ran.json()["sessions"], 3);
}
