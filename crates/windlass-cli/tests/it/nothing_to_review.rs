//! `heal` and `pr` where there is nothing to review: that is told, and never taken for clean.

use std::fs;

use serde_json::json;
use testkit::Env;

use crate::{
    heal::{heal_branch, review},
    pr_local::{auditor, finding, local, pump},
    pr_loop::{found, pr, pulled, reviews},
    pr_post::says,
    world,
};

/// A file with findings that has none, beside the work tree.
fn no_findings(env: &Env) -> String {
    let file = env.root().join("tmp/empty.sarif");
    let sarif = json!({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "lint"}}, "results": []}]});
    fs::write(&file, sarif.to_string()).expect("the folder is ours");
    file.display().to_string()
}

fn empty(reason: &str) -> serde_json::Value {
    json!({"type": "nothing_to_review", "reason": reason})
}

/// A reviewer that finds nothing, on work that is as its base.
fn nothing_found() -> String {
    format!("as reviewer\n{}\n", review(&[]))
}

#[test]
fn work_that_does_not_differ_from_its_base_is_not_clean() {
    let env = world();
    let ran = heal_branch(&env, &nothing_found(), &["--name", "mine"]).run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 1
    --- stdout
    Loop mine: heal with scripted in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 1 ━━━
    BREATHE (review)
    ✗ nothing to review: nothing differs from main
      no sessions, no checks, no files modified, [time]
    --- stderr
      agent        scripted (reviewer, fixer)
      sandbox      none
      budget       none, at most 1 iteration
      checks       none
    next: windlass show mine
    ");
    let result = env.windlass(["show", "mine", "--json"]).success().json()["result"].clone();
    assert_eq!(result["ending"], empty("nothing differs from main"));
    assert_eq!((&result["success"], &result["exit_code"]), (&json!(false), &json!(1)));
    assert_eq!(result["error"], "there is nothing to review: nothing differs from main");
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "0\n", "nobody was asked");
    let why = env.windlass(["why", "mine"]).success();
    assert!(why.stdout.contains("There was nothing to review"), "{why}");
    let looped = heal_branch(&env, &nothing_found(), &["--loop", "-q"]).run().code(1);
    assert_eq!(looped.stdout, "nothing_to_review\n");
}

#[test]
fn that_there_may_be_nothing_is_asked_for() {
    let env = world();
    let result =
        heal_branch(&env, &nothing_found(), &["--allow-empty", "--json"]).run().success().json();
    let ending = json!({
        "type": "nothing_to_review", "reason": "nothing differs from main", "allowed": true,
    });
    assert_eq!((&result["ending"], &result["success"]), (&ending, &json!(true)));
    let agent = auditor(&env, "");
    local(&env, agent, &["--allow-empty"]).run().success();
}

#[test]
fn a_path_that_is_not_there_is_bad_input() {
    let env = world();
    let ran = heal_branch(&env, &nothing_found(), &["README.md", "srcc/typo.rs"]).run().code(2);
    assert!(ran.stderr.contains("there is no file or directory `srcc/typo.rs`"), "{ran}");
    assert!(!env.windlass_home().exists(), "nothing was started");
    heal_branch(&env, &nothing_found(), &["README.md"]).run().success();
}

#[test]
fn nothing_is_posted_of_a_pull_request_that_changes_nothing_here() {
    let env = world();
    let agent = auditor(&env, "");
    for looped in [&["--json"][..], &["--json", "--max-iterations", "2"]] {
        let result = local(&env, agent.clone(), looped).run().code(1).json();
        assert_eq!(result["ending"], empty("nothing differs from main"));
    }
    let (env, github) = pulled();
    env.git(["checkout", "--quiet", "main"]);
    env.git(["branch", "--force", "pump", "main"]);
    let head = env.git(["rev-parse", "main"]).trim().to_owned();
    github.world(|world| world.pull(7).head_sha = head);
    for args in [&["--approve"][..], &["--loop", "--approve"]] {
        pr(&env, &github, &says(&[]), args).run().code(1);
    }
    assert!(reviews(&github).is_empty());
}

#[test]
fn before_the_first_commit_and_without_a_repository_nothing_is_approved() {
    let unborn = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    unborn.git(["init", "--quiet", "--initial-branch=main"]);
    let result = heal_branch(&unborn, &nothing_found(), &["--json"]).run().code(1).json();
    assert_eq!(result["ending"], empty("there is no commit to compare with"));
    for env in [unborn, Env::outside_git(env!("CARGO_BIN_EXE_windlass"))] {
        env.write("a.txt", "a\n");
        let call = env.command(["pr", "--local", "--json", "-c"]).arg(auditor(&env, ""));
        assert_eq!(
            call.run().code(1).json()["ending"],
            empty("there is no commit to compare with")
        );
    }
}

#[test]
fn a_file_without_findings_stands_for_no_review() {
    let (env, github) = pulled();
    let file = no_findings(&env);
    let reason = empty("the file with the findings has none");
    for args in [&["--json"][..], &["--json", "--loop"]] {
        let script = format!("as reviewer\n{}\nas auditor\n{}\n", review(&[]), found(&[]));
        let args = [args, &["--findings", &file]].concat();
        let result = heal_branch(&env, &script, &args).run().code(1).json();
        assert_eq!(result["ending"], reason);
        let result = pr(&env, &github, &script, &[&args[..], &["--approve"]].concat()).run();
        assert_eq!(result.code(1).json()["ending"], reason);
    }
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "0\n");
    assert!(reviews(&github).is_empty());
}

#[test]
fn findings_that_are_less_severe_are_counted_where_they_are_left_out() {
    let (env, github) = pulled();
    let minor = [finding("LOW", 2, "a matter of taste"), finding("MEDIUM", 3, "not so nice")];
    let args = ["--min-severity", "high", "--name", "mine"];
    let ran = pr(&env, &github, &says(&minor), &args).run().success();
    assert!(ran.stderr.contains("note: 2 findings below HIGH left out\n"), "{ran}");
    let told = "✓ Clean review on iteration 1, 2 less severe findings left out";
    assert!(ran.stdout.contains(told), "{ran}");
    let result = env.windlass(["show", "mine", "--json"]).success().json()["result"].clone();
    assert_eq!(result["ending"], json!({"type": "clean", "iteration": 1, "left_out": 2}));
    let args = ["--min-severity", "high", "--loop", "--json"];
    let result = pr(&env, &github, &says(&minor[..1]), &args).run().success().json();
    assert_eq!(result["ending"], json!({"type": "clean", "iteration": 1, "left_out": 1}));
    let bodies: Vec<String> = reviews(&github)
        .iter()
        .map(|review| review["body"].as_str().unwrap_or_default().to_owned())
        .collect();
    let first = "The audit found nothing severe to change. 2 findings below HIGH left out.";
    assert!(bodies[0].starts_with(first), "{bodies:#?}");
    assert!(bodies[1].contains("1 finding below HIGH left out."), "{bodies:#?}");
}

#[test]
fn fixes_that_undo_the_whole_change_approve_nothing() {
    let (env, github) = pulled();
    let script = format!("as auditor\n{}\nas fixer\ndelete src/pump.rs\n", found(&["it leaks"]));
    let result = pr(&env, &github, &script, &["--loop", "--json"]).run().code(1).json();
    assert_eq!(result["ending"], empty("the fixes undid the whole change"));
    assert!(reviews(&github).is_empty());

    let env = pump();
    let script = format!("as reviewer\n{}\nas fixer\ndelete src/pump.rs\n", review(&["it leaks"]));
    let result =
        heal_branch(&env, &script, &["--loop", "--test", "true", "--json"]).run().code(1).json();
    assert_eq!(result["ending"], empty("the fixes undid the whole change"));
}
