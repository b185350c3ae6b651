//! Reviewers, auditors and parsers only read: what they change is put back, and their answer is void.

use serde_json::json;
use testkit::{Env, Invocation, wait_until};

use crate::{
    develop::develop,
    heal::{heal, review},
    oracle::{LIMIT, has_store},
    pr_local::{auditor, local, pump},
    world,
};

/// What the notes say is kept, as the tree that git has for it.
fn kept(env: &Env, stderr: &str) -> String {
    let tree = stderr.split("kept as tree ").nth(1).and_then(|rest| rest.get(..12));
    let tree = tree.unwrap_or_else(|| panic!("{stderr}"));
    env.sql(&format!(
        "SELECT count(*) > 0 FROM events WHERE type = 'step_finished' AND body LIKE '%{tree}%'"
    ))
}

/// `heal` and `develop` with a reviewer that does this before it is content.
fn reviewed<'a>(env: &'a Env, kind: &str, does: &str, args: &[&str]) -> Invocation<'a> {
    match kind {
        "heal" => heal(env, &format!("as reviewer\n{does}\n{}\n", review(&[])), args),
        _ => {
            let script =
                format!("as developer\nwrite a.txt x\nas reviewer\n{does}\nsay APPROVED\n");
            develop(env, &script, args)
        }
    }
}

#[test]
fn a_reviewer_that_changes_a_file_is_asked_once_more_and_then_given_up() {
    for kind in ["heal", "develop"] {
        for does in ["append README.md by me", "delete README.md"] {
            let env = world();
            let before = env.read("README.md");
            let ran = reviewed(&env, kind, does, &[]).run().code(5);
            assert_eq!(env.read("README.md"), before, "{kind}: {does}");
            let told = "the reviewer changed files, and it is there to read: README.md is as before \
                        again, and its answer does not count";
            assert!(ran.stderr.contains(told), "{ran}");
            assert_eq!(kept(&env, &ran.stderr), "1\n");
            let ending = env.windlass(["status", "--json"]).success().json()["ending"].clone();
            let reason = "the reviewer changed files twice, and it is there to read";
            assert_eq!(ending, json!({"type": "agent_failed", "reason": reason}));
            let reviews = "SELECT count(*) FROM sessions WHERE role = 'reviewer'";
            assert_eq!(env.sql(reviews), "2\n");
        }
    }
}

#[test]
fn one_that_keeps_to_reading_the_second_time_is_believed() {
    let env = world();
    let agent = env.agent_sh(
        "test -e $HOME/asked || echo by me >> README.md; touch $HOME/asked\n\
         echo '{\"findings\": []}'",
    );
    let before = env.read("README.md");
    let ran = env.command(["heal", "--all", "--json", "-c"]).arg(agent).run().success();
    assert_eq!(ran.json()["ending"]["type"], "clean");
    assert_eq!(
        (env.read("README.md"), env.sql("SELECT count(*) FROM sessions")),
        (before, "2\n".to_owned())
    );
}

#[test]
fn a_commit_of_a_reviewer_is_taken_back() {
    let env = world();
    env.write("README.md", "# Not committed\n");
    let head = env.git(["rev-parse", "HEAD"]);
    let commit = "git -c user.name=x -c user.email=x@y commit --quiet --all --message=mine";
    let agent = env.agent_sh(&format!(
        "test -e $HOME/asked || {commit}; touch $HOME/asked\necho '{{\"findings\": []}}'",
    ));
    let ran = env.command(["heal", "--json", "-c"]).arg(agent).run().success();
    assert!(ran.stderr.contains(" is taken back, and HEAD is at "), "{ran}");
    assert_eq!(env.git(["rev-parse", "HEAD"]), head);
    assert_eq!(env.git(["symbolic-ref", "--short", "HEAD"]), "main\n");
    assert_eq!(env.read("README.md"), "# Not committed\n");
    assert_eq!(env.git(["status", "--porcelain"]), " M README.md\n");
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "2\n", "the first answer does not count");
}

#[test]
fn files_that_a_reviewer_only_adds_are_removed_and_its_answer_counts() {
    for kind in ["heal", "develop"] {
        let env = world();
        let ran = reviewed(&env, kind, "write cache/notes.txt mine", &[]).run().success();
        assert!(ran.stderr.contains("cache/notes.txt is removed; what was there is kept"), "{ran}");
        assert!(!env.work().join("cache/notes.txt").exists());
        assert_eq!(kept(&env, &ran.stderr), "1\n");
        assert_eq!(env.sql("SELECT count(*) FROM sessions WHERE role = 'reviewer'"), "1\n");
    }
}

#[test]
fn a_parser_that_changes_a_file_is_given_up_too() {
    let env = world();
    let script = "as reviewer\nsay It is all wrong.\nas parser\nappend README.md by me\n\
                  say {\"findings\": []}\n";
    let before = env.read("README.md");
    let ran = heal(&env, script, &[]).run().code(5);
    assert!(ran.stdout.contains("the parser changed files twice"), "{ran}");
    assert_eq!(env.read("README.md"), before);
}

#[test]
fn auditors_are_repeated_together_one_at_a_time() {
    let env = pump();
    let before = env.read("src/pump.rs");
    let agent = auditor(&env, "test $name != security || echo mine >> src/pump.rs");
    let ran = local(&env, agent, &[]).run().code(5);
    assert_eq!(env.read("src/pump.rs"), before);
    assert!(ran.stderr.contains("the auditor changed files, and it is there to read"), "{ran}");
    assert!(ran.stdout.contains("the auditor security changed files twice"), "{ran}");
    let places = env.sql("SELECT place FROM sessions ORDER BY id DESC LIMIT 2");
    assert_eq!(places, "1/auditor/security/repeated\n1/auditor/correctness/repeated\n");

    let env = pump();
    let agent = auditor(
        &env,
        "test $name != security || test -e $HOME/asked || { touch $HOME/asked; rm src/pump.rs; }",
    );
    let ran = local(&env, agent, &["--json"]).run().success();
    assert_eq!(ran.json()["sessions"], 10);
    assert_eq!(env.read("src/pump.rs"), before);

    let env = pump();
    let ran = local(&env, auditor(&env, "echo mine > $name.log"), &["--json"]).run().success();
    assert_eq!(ran.json()["sessions"], 5);
    assert_eq!(env.git(["status", "--porcelain"]), "");
}

#[test]
fn files_are_counted_where_the_loop_is_called_off_while_somebody_reads() {
    let env = world();
    let script = "as developer\nwrite a.txt x\nas reviewer\nhang\n";
    let running = develop(&env, script, &["--json"]).spawn();
    let reviews = "SELECT count(*) FROM sessions WHERE role = 'reviewer'";
    wait_until("a review", LIMIT, || has_store(&env) && env.sql(reviews) == "1\n");
    env.windlass(["cancel"]).success();
    assert_eq!(running.wait().json()["files_modified"], 1);
}
