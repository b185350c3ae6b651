//! A finding about a guarded test releases it: the work need not pass with it as it was, and the summary
//! names it.

use serde_json::{Value, json};
use testkit::Env;

use crate::{
    heal::heal,
    originals::in_git,
    pr_local::{finding, report},
    pr_loop::{pr, pulled},
};

/// A line of a script that says a report about this file.
fn about(file: &str) -> String {
    let mut found = finding("HIGH", 1, "it asks for too much");
    found["file"] = file.into();
    said(&[found])
}

fn said(findings: &[Value]) -> String {
    format!("say {}", report(findings).replace('\\', "\\\\").replace('\n', "\\n"))
}

#[track_caller]
fn assert_released(env: &Env, file: &str) {
    let shown = env.windlass(["show", "mine", "--json"]).success().json();
    assert_eq!(shown["result"]["proof"]["released"], json!([file]));
    assert_eq!(shown["result"]["verified"], true, "it is no waiver");
}

#[test]
fn heal_names_the_test_that_a_finding_has_released() {
    let env = in_git();
    let fix = "write tests/answer.sh true\\n";
    let script = format!("as reviewer\n{}\nas fixer\n{fix}\n", about("tests/answer.sh"));
    let ran = heal(&env, &script, &["--test", "run-tests", "--name", "mine"]).run();
    insta::assert_snapshot!(ran.snapshot());
    assert_released(&env, "tests/answer.sh");
}

#[test]
fn a_test_that_an_earlier_iteration_released_is_still_named_at_the_end() {
    let env = in_git();
    let script = format!(
        "as reviewer\n{}\nas fixer\nwrite tests/answer.sh true\\n\nnext\nas reviewer\n{}\nas fixer\n\
         append answer x\\n\nnext\nas reviewer\n{}\n",
        about("tests/answer.sh"),
        about("answer"),
        said(&[])
    );
    heal(&env, &script, &["--test", "run-tests", "--name", "mine", "--loop"]).run().success();
    assert_released(&env, "tests/answer.sh");
}

#[test]
fn pr_names_the_test_that_a_finding_has_released() {
    let (env, github) = pulled();
    env.write("tests/pump.sh", "grep -q pull src/pump.rs\n");
    env.git(["add", "--all"]);
    env.git(["commit", "--quiet", "--message=tests"]);
    let head = env.git(["rev-parse", "HEAD"]);
    github.world(|world| {
        let pull = world.pull(7);
        pull.head_sha = head.trim().to_owned();
        pull.add_file("tests/pump.sh", "@@ -0,0 +1 @@\n+grep -q pull src/pump.rs");
    });
    let script = format!(
        "as auditor\n{}\nas fixer\nwrite tests/pump.sh true\\n\nsay Fixed.\nnext\nas auditor\n{}\n",
        about("tests/pump.sh"),
        said(&[])
    );
    let args = ["--loop", "--check", "sh tests/pump.sh", "--name", "mine", "--jobs", "1"];
    let ran = pr(&env, &github, &script, &args).run();
    insta::assert_snapshot!(ran.snapshot());
    assert_released(&env, "tests/pump.sh");
}
