//! `pr --loop` from outside, with GitHub's stand-in: audits and fixes until nothing is found, and
//! what GitHub is told then.

use serde_json::{Value, json};
use testkit::{Env, Invocation, github::GitHub};

use crate::{
    pr_local::{finding, pump, report},
    prompts_of,
};

/// Who asks; it must be seen by nobody but GitHub.
pub(crate) const TOKEN: &str = "canary-5f0c1d7e9b3a";

/// The pump as a pull request, number 7, at what is checked out.
pub(crate) fn pulled() -> (Env, GitHub) {
    let env = pump();
    let github = GitHub::start();
    let head = env.git(["rev-parse", "HEAD"]);
    github.world(|world| {
        world.token = Some(TOKEN.to_owned());
        let pull = world.pull(7);
        pull.head_sha = head.trim().to_owned();
        pull.add_file(
            "src/pump.rs",
            "@@ -0,0 +1,4 @@\n+fn pump() {\n+    draw();\n+    push();\n+}",
        );
    });
    (env, github)
}

/// A command that asks GitHub's stand-in.
pub(crate) fn asking<'a>(env: &'a Env, github: &GitHub, args: &[&str]) -> Invocation<'a> {
    env.command(args).env("GITHUB_API_URL", github.url()).env("GITHUB_TOKEN", TOKEN)
}

/// `pr 7` with the scripted agent in all roles.
pub(crate) fn pr<'a>(env: &'a Env, github: &GitHub, script: &str, args: &[&str]) -> Invocation<'a> {
    let call = asking(env, github, &["pr", "7", "--repo", "ada/engine", "--agent", "scripted"]);
    let call = call.arg("--script").arg(env.script(script));
    args.iter().fold(call, |call, arg| call.arg(arg))
}

/// A line of a script that says a report with findings of these titles.
pub(crate) fn found(titles: &[&str]) -> String {
    let findings: Vec<Value> = titles.iter().map(|title| finding("HIGH", 2, title)).collect();
    format!("say {}", report(&findings).replace('\\', "\\\\").replace('\n', "\\n"))
}

/// A part of a script for each audit, with a fixer that always changes something.
pub(crate) fn rounds(audits: &[&[&str]]) -> String {
    let part = |titles: &&[&str]| {
        format!(
            "as auditor\n{}\nas fixer\nappend src/pump.rs // x\\n\nsay Mended.\n",
            found(titles)
        )
    };
    audits.iter().map(part).collect::<Vec<_>>().join("next\n")
}

/// The reviews of the pull request. All that was asked so far must be what GitHub's own description
/// of its API allows.
#[track_caller]
pub(crate) fn reviews(github: &GitHub) -> Vec<Value> {
    let complaints = github.complaints(&against);
    assert!(complaints.is_empty(), "\n  {}\n", complaints.join("\n  "));
    github.world(|world| world.pull(7).reviews.clone())
}

/// What is wrong with a value, by a schema.
fn against(schema: &Value, value: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(schema).expect("GitHub's schemas are schemas");
    let wrong = validator.iter_errors(value);
    wrong.map(|error| format!("{error} at `{}`", error.instance_path())).collect()
}

const LEAKS: &str = "the valve leaks";
const STUCK: &str = "a wheel cannot turn";

#[test]
fn two_findings_then_one_then_none_are_approved_and_told() {
    let (env, github) = pulled();
    let script = rounds(&[&[LEAKS, STUCK], &[STUCK], &[]]);
    let args = ["--loop", "--check", "ls src", "--name", "mine", "--jobs", "1"];
    let ran = pr(&env, &github, &script, &args).arg("--title").arg("A pump").run();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    Loop mine: pr with scripted in /tmp/windlass-XXXXXX/work
    Pull request 7: Add a pump by ada, pump into main
    ━━━ Iteration 1 of at most 5 ━━━
    auditor correctness: finished in [time]
    auditor security: finished in [time]
    auditor architecture: finished in [time]
    auditor api-stability: finished in [time]
    auditor project-rules: finished in [time]
    2 findings
      HIGH src/pump.rs:2: the valve leaks
      HIGH src/pump.rs:2: a wheel cannot turn
    fixer: finished in [time]
    Iteration 1: 2 findings -> 2 fixed, 0 skipped
    check `ls src`: passed ([time])
    iteration 1: [time], 1 file changed
    ━━━ Iteration 2 of at most 5 ━━━
    auditor correctness: finished in [time]
    auditor security: finished in [time]
    auditor architecture: finished in [time]
    auditor api-stability: finished in [time]
    auditor project-rules: finished in [time]
    1 finding (1 still open, 1 fixed since)
      HIGH src/pump.rs:2: a wheel cannot turn
    fixer: finished in [time]
    Iteration 2: 1 finding -> 1 fixed, 0 skipped
    check `ls src`: passed ([time])
    iteration 2: [time], 1 file changed
    ━━━ Iteration 3 of at most 5 ━━━
    auditor correctness: finished in [time]
    auditor security: finished in [time]
    auditor architecture: finished in [time]
    auditor api-stability: finished in [time]
    auditor project-rules: finished in [time]
    no findings (1 fixed since)
    check `ls src`: passed ([time])
    Iteration 3: 0 findings -> APPROVED
    accepted: 1 check passed on tree c02b6a1
    iteration 3: [time], no files changed
    posted: https://github.com/ada/engine/pull/7#pullrequestreview-100
    ✓ approved after 3 iterations, proven by 1 check
      17 sessions, 3 checks, 1 file modified, 2 findings, 2 fixed, 0 left, [time]
      proof: 1 check passed; no baseline; guarded files unchanged
      findings: 2 → 1 → 0, 3 fixes applied in loop mode
      commented on GitHub: 2af6c01, no approval: the fixes are local and not pushed
    --- stderr
      agent        scripted (auditor, fixer)
      sandbox      none
      budget       none, at most 5 iterations
      checks       `ls src`
      guarded      nothing (no tests found); `--guard GLOB` adds files
    note: the fixer says that it fixed 2, and at least 1 of them is still there
    next: git add -A -- src/pump.rs && git commit -m 'pull request 7' -- src/pump.rs
    next: windlass show mine
    next: windlass diff mine
    undo: windlass rollback mine 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    ");
    let reviews = reviews(&github);
    let [review] = &reviews[..] else { panic!("{reviews:#?}") };
    assert_eq!((&review["state"], &review["comments"]), (&json!("COMMENT"), &Value::Null));
    let body = review["body"].as_str().unwrap_or_default();
    let first = body.lines().next().unwrap_or_default();
    let tree = first
        .strip_prefix("The fixes of this audit are local and not pushed. The audited tree is `")
        .and_then(|rest| rest.strip_suffix("`."));
    env.git(["add", "--all"]);
    assert_eq!(tree, Some(env.git(["write-tree"]).trim()), "{body}");
    assert!(body.contains("No findings are left after 3 iterations (2 → 1 → 0)."), "{body}");
    let (title, description) = github.world(|world| {
        let pull = world.pull(7);
        (pull.title.clone(), pull.body.clone().unwrap_or_default())
    });
    assert_eq!(title, "A pump");
    assert_eq!(
        description,
        "Adds a pump.\n\n<!-- windlass:begin -->\n\
         *Reviewed and auto-fixed in 3 iterations (2 -> 1 -> 0 findings)*\n<!-- windlass:end -->"
    );
    let lines = github.lines();
    assert!(lines.ends_with(&["PATCH 7".to_owned()]), "{lines:?}");
    assert_eq!(env.git(["log", "--format=%s"]), "pump\nstart\n", "nothing was committed");
    let result = env.windlass(["show", "mine", "--json"]).success().json()["result"].clone();
    assert_eq!(result["ending"]["type"], "approved");
    assert_eq!(result["findings"], json!({"total": 2, "open": 0, "fixed": 2, "skipped": 0}));
    assert_eq!((&result["verified"], &result["task_list"]), (&true.into(), &Value::Null));
}

#[test]
fn a_second_run_replaces_its_own_text_and_nothing_else() {
    let (env, github) = pulled();
    let once = rounds(&[&[LEAKS], &[]]);
    pr(&env, &github, &once, &["--loop"]).run().success();
    github.world(|world| {
        let pull = world.pull(7);
        pull.body = pull.body.as_ref().map(|body| format!("Mine before.\n{body}\nMine after."));
    });
    pr(&env, &github, &rounds(&[&[]]), &["--loop"]).run().success();
    let (title, description) = github.world(|world| {
        let pull = world.pull(7);
        (pull.title.clone(), pull.body.clone().unwrap_or_default())
    });
    assert_eq!(title, "Add a pump", "nobody gave another");
    assert_eq!(
        description,
        "Mine before.\nAdds a pump.\n\n<!-- windlass:begin -->\n\
         *Reviewed and auto-fixed in 1 iteration (0 findings)*\n<!-- windlass:end -->\nMine after."
    );
    assert_eq!(reviews(&github).len(), 2, "each loop posts its own");
}

#[test]
fn one_session_fixes_all_findings_by_file() {
    let (env, github) = pulled();
    pr(&env, &github, &rounds(&[&[LEAKS, STUCK], &[]]), &["--loop"]).run().success();
    let roles = "SELECT role, count(*) FROM sessions GROUP BY role ORDER BY role";
    assert_eq!(env.sql(roles), "auditor|10\nfixer|1\n");
    let prompts = prompts_of(&env);
    let fix = prompts.iter().find(|prompt| prompt.starts_with("Fix what an audit")).unwrap();
    for part in ["2 findings", "In `src/pump.rs`", LEAKS, STUCK, "pull request: 7", "base: main"] {
        assert!(fix.contains(part), "{part}: {fix}");
    }
    let audit = &prompts[0];
    for part in ["number: 7\ntitle: Add a pump\nauthor: ada\n", "Adds a pump.", "head: pump\n"] {
        assert!(audit.contains(part), "{part}: {audit}");
    }
    let last = prompts.last().unwrap();
    assert!(last.contains("+// x\n"), "the change is read anew: {last}");
}

#[test]
fn what_the_fixer_skips_is_told_with_its_reason() {
    let (env, github) = pulled();
    let skips = "say Mended one.\\nSKIPPED: src/pump.rs, the wheel: it is meant so";
    let script = format!(
        "as auditor\n{}\nas fixer\n{skips}\nnext\nas auditor\n{}\n",
        found(&[LEAKS, STUCK]),
        found(&[])
    );
    let ran = pr(&env, &github, &script, &["--loop"]).run().success();
    assert!(ran.stdout.contains("\nIteration 1: 2 findings -> 1 fixed, 1 skipped\n"), "{ran}");
    assert!(ran.stdout.contains("  skipped: src/pump.rs, the wheel: it is meant so\n"), "{ran}");
    assert!(!ran.stderr.contains("the fixer says"), "{ran}");
}

#[test]
fn why_a_finding_was_skipped_reaches_the_findings_and_the_list_of_what_remains() {
    let (env, github) = pulled();
    let skips = "say Mended one.\\n- SKIPPED: a wheel cannot turn: it is meant so\\n**SKIPPED:** src/pump.rs, the valve leaks: not true";
    let script = format!(
        "as auditor\n{}\nas fixer\n{skips}\nnext\nas auditor\n{}\n",
        found(&[LEAKS, STUCK]),
        found(&[LEAKS, STUCK])
    );
    let ran = pr(&env, &github, &script, &["--loop", "--name", "mine"]).run().code(1);
    assert!(ran.stdout.contains("\nIteration 1: 2 findings -> 0 fixed, 2 skipped\n"), "{ran}");
    let findings = env.windlass(["findings", "mine"]).success().stdout;
    let list = env.read("windlass-findings.md");
    for reason in ["it is meant so", "not true"] {
        assert!(findings.contains(reason), "{findings}");
        assert!(list.contains(reason), "{list}");
    }
}

#[test]
fn a_fix_that_the_next_audit_does_not_see_is_told() {
    let (env, github) = pulled();
    let script = rounds(&[&[LEAKS, STUCK], &[STUCK], &[]]);
    let ran = pr(&env, &github, &script, &["--loop"]).run().success();
    let told = "the fixer says that it fixed 2, and at least 1 of them is still there";
    assert_eq!(ran.stderr.matches(told).count(), 1, "{ran}");
    assert_eq!(ran.stderr.matches("the fixer says").count(), 1, "{ran}");
}

#[test]
fn checks_that_fail_keep_it_from_being_approved() {
    let (env, github) = pulled();
    let script = rounds(&[&[LEAKS], &[]]);
    let check = "cd src; echo so many: $(grep -c x pump.rs); test $(grep -c x pump.rs) -ge 2";
    let ran = pr(&env, &github, &script, &["--loop", "--check", check]).run().success();
    assert!(ran.stdout.contains("Iteration 2: 0 findings -> 0 fixed, 0 skipped"), "{ran}");
    assert!(ran.stdout.contains("Iteration 3: 0 findings -> APPROVED"), "{ran}");
    let mut prompts = prompts_of(&env).into_iter().rev();
    let second = prompts.find(|prompt| prompt.starts_with("Fix what an audit")).unwrap();
    assert!(second.contains("so many: 1\n"), "{second}");

    let ran = pr(&env, &github, &rounds(&[&[]]), &["--loop", "--check", "exit 7", "--json"]).run();
    assert_eq!(ran.code(1).json()["ending"]["type"], "tests_failed");
    assert_eq!(reviews(&github).len(), 1, "only what was approved is posted");
}

#[test]
fn checks_are_found_where_none_are_given() {
    let (env, github) = pulled();
    env.write("Makefile", "lint:\n\t@echo linted\n");
    let ran = pr(&env, &github, &rounds(&[&[]]), &["--loop", "--dirty"]).run().success();
    assert!(ran.stderr.contains("  checks       `make lint` (from Makefile)"), "{ran}");
    assert!(ran.stdout.contains("check `make lint`: passed"), "{ran}");
}
