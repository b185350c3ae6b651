//! `--worktree` in every kind of loop: the work is there and not in the user's tree, and comes home.

use serde_json::Value;

use crate::{
    COMPLETE,
    develop::develop,
    heal::{heal, review},
    merging::{assert_tidy, commit},
    pr_local::{answers, auditor, finding, local, report},
    world,
};

/// The arguments that give a loop a worktree.
const OWN: [&str; 6] = ["--worktree", "topic", "--auto-commit", "--name", "mine", "--json"];

/// That the work is in the worktree alone, and comes home from there.
#[track_caller]
fn comes_home(env: &testkit::Env, result: &Value, file: &str) {
    let tree = result["worktree"].as_str().expect("it has a worktree");
    assert!(tree.ends_with("/worktrees/mine"), "{result}");
    assert!(!env.work().join(file).exists(), "it worked in the user's tree");
    assert_eq!(env.git(["status", "--porcelain"]), "");
    env.windlass(["merge", "mine", "--any-ending", "-q"]).success();
    assert!(env.work().join(file).exists());
    assert_tidy(env);
}

#[test]
fn tasks_works_in_a_worktree() {
    let env = world();
    commit(&env, "TASKS.md", "- [ ] one\n");
    let script = "write a.txt x\nreplace TASKS.md [ ] => [x]\n";
    let script = env.script(&format!("{script}say {COMPLETE}\n"));
    let call = env.command(["tasks", "--tasks", "TASKS.md", "--agent", "scripted", "--script"]);
    let call = OWN.iter().fold(call.arg(script), |call, arg| call.arg(arg));
    let result = call.run().success().json();
    assert_eq!(env.read("TASKS.md"), "- [ ] one\n");
    comes_home(&env, &result, "a.txt");
    assert_eq!(env.read("TASKS.md"), "- [x] one\n");
}

#[test]
fn develop_works_in_a_worktree() {
    let env = world();
    let script = "as developer\nwrite a.txt 1\nas reviewer\nsay APPROVED\n";
    let result = develop(&env, script, &OWN).run().success().json();
    comes_home(&env, &result, "a.txt");
}

#[test]
fn heal_works_in_a_worktree_and_its_tests_prove_the_merge() {
    let env = world();
    let script = format!("as reviewer\n{}\nas fixer\nappend a.txt x\\n\n", review(&["one"]));
    let args: Vec<&str> = OWN.iter().copied().chain(["--test", "test -e a.txt"]).collect();
    let result = heal(&env, &script, &args).run().success().json();
    comes_home(&env, &result, "a.txt");
    let checks =
        env.sql("SELECT command FROM checks JOIN loops ON loops.id = loop WHERE kind = 'merge'");
    assert_eq!(checks, "test -e a.txt\n");
}

#[test]
fn pr_works_in_a_worktree() {
    let env = world();
    commit(&env, "src/pump.rs", "fn pump() {}\n");
    answers(&env, "security", &report(&[finding("HIGH", 1, "it leaks")]));
    let agent = auditor(&env, "pwd >> ../../../where");
    let args = ["--worktree", "topic", "--name", "mine", "--json"];
    let result = local(&env, agent, &args).arg("--base").arg("HEAD~1").run().json();
    let tree = result["worktree"].as_str().expect("it has a worktree");
    assert!(tree.ends_with("/worktrees/mine"), "{result}");
    let list = result["task_list"].as_str().expect("what remains is written down");
    assert!(!env.work().join(list).exists(), "it wrote into the user's tree");
    assert_eq!(env.git(["status", "--porcelain"]), "");
}
