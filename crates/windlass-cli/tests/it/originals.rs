//! Existing tests are guarded: a claim must also pass on the tests as they were, and the agent's files
//! come back, whatever happens.

use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::{Value, json};
use testkit::{Env, wait_until};

use crate::{sandboxes::has_bwrap, shell, world};

pub(crate) const CLAIM: &str = "echo '<promise>COMPLETE</promise>'";

/// The check, outside the tree: runs every test, and tells of each in TAP.
pub(crate) const RUN_TESTS: &str = r#"n=0; bad=0; echo "1..$(ls tests/*.sh | wc -l)"
for t in tests/*.sh; do n=$((n+1)); if sh "$t"; then echo "ok $n - $t"; else echo "not ok $n - $t"; bad=1; fi; done
exit $bad"#;

/// A project with two tests, one of which fails until `answer` says 42.
pub(crate) fn project(env: Env) -> Env {
    env.install("run-tests", RUN_TESTS);
    env.write("answer", "41\n");
    env.write("tests/answer.sh", "grep -qx 42 answer\n");
    env.write("tests/there.sh", "test -f answer\n");
    env
}

pub(crate) fn in_git() -> Env {
    let env = project(world().with_baselines());
    env.git(["add", "--all"]);
    env.git(["commit", "--quiet", "--message=project"]);
    env
}

fn originals(env: &Env) -> Value {
    env.windlass(["show", "--json"]).success().json()["result"]["proof"]["originals"].clone()
}

#[test]
fn work_that_passes_the_tests_as_they_were_is_proven_whatever_became_of_them() {
    let env = in_git();
    let body = format!("echo 42 > answer; echo '# more' >> tests/answer.sh; {CLAIM}");
    let result = shell(&env, &body, &["--check", "run-tests", "--json"]).run().success().json();
    assert_eq!((&result["verified"], &result["iterations"]), (&json!(true), &json!(1)));
    assert_eq!(originals(&env), "passed");
    assert_eq!(env.read("tests/answer.sh"), "grep -qx 42 answer\n# more\n");
}

#[test]
fn a_weakened_test_is_refused_and_the_user_is_told_how_to_go_on() {
    let env = in_git();
    let body = format!("echo true > tests/answer.sh; chmod 700 tests/answer.sh; {CLAIM}");
    let ran = shell(&env, &body, &["--check", "run-tests", "--name", "mine"]).run().code(3);
    insta::assert_snapshot!(ran.snapshot());
    // The agent's file is back, with its mode.
    let file = env.work().join("tests/answer.sh");
    assert_eq!(env.read("tests/answer.sh"), "true\n");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o700);
    env.windlass(["accept", "mine"]).success();
    let result = env.windlass(["show", "mine", "--json"]).success().json()["result"].clone();
    assert_eq!(result["ending"], json!({"type": "done", "by": "user", "unverified": true}));
    assert_eq!(
        (&result["verified"], &result["proof"]["originals"]),
        (&json!(false), &json!("waived"))
    );
}

#[test]
fn a_loop_that_is_told_which_tests_may_change_goes_on_and_is_proven() {
    let env = in_git();
    let body = format!("echo true > tests/answer.sh; {CLAIM}");
    shell(&env, &body, &["--check", "run-tests", "--name", "mine"]).run().code(3);
    let args = ["resume", "mine", "--unguard", "tests/answer.sh", "--json"];
    assert_eq!(env.windlass(args).success().json()["verified"], true);
}

#[test]
fn tests_that_are_gone_renamed_or_became_something_else_are_put_back_for_the_proof() {
    for trick in [
        "rm tests/answer.sh",
        "mv tests/answer.sh tests/other",
        "rm tests/answer.sh; mkdir tests/answer.sh",
        "rm tests/answer.sh; ln -s there.sh tests/answer.sh",
        "mkdir kept; mv tests/there.sh kept; rm -r tests; ln -s kept tests",
        "echo true > tests/answer.sh; chmod 444 tests/answer.sh; chmod 555 tests",
        "echo true > tests/answer.sh; echo 'tests/' > .gitignore; git rm -q -r --cached tests",
    ] {
        let env = in_git();
        let body = format!("test -e ../runs/done || {{ {trick}; }}; touch ../runs/done; {CLAIM}");
        let args = ["--check", "run-tests", "--max-iterations", "1"];
        shell(&env, &body, &args).run().code(1);
        let list = "ls -lR --time-style=+ tests/ kept 2>&1";
        let after = env.other("sh", ["-c", list]).run().stdout;
        let told = env.windlass(["why"]).success().stdout;
        assert!(told.contains("tests/answer.sh"), "{trick}: {told}");
        // What a second look shows is what the agent left.
        let env = in_git();
        env.other("sh", ["-c", &format!("mkdir -p ../runs; {trick}")]).run().success();
        let left = env.other("sh", ["-c", list]).run().stdout;
        assert_eq!(after, left, "{trick}");
        drop(fs::set_permissions(env.work().join("tests"), fs::Permissions::from_mode(0o755)));
    }
}

#[test]
fn a_kill_while_the_originals_are_in_place_is_put_right_by_the_next_command() {
    let env = in_git();
    // It waits where it meets the original.
    env.install(
        "run-tests",
        &format!("if grep -q 42 tests/answer.sh && test -f seen; then touch ../runs/now; sleep 60; fi\n{RUN_TESTS}"),
    );
    let body = format!("touch seen; echo true > tests/answer.sh; {CLAIM}");
    let running = shell(&env, &body, &["--check", "run-tests", "--name", "mine"]).spawn();
    let now = env.root().join("runs/now");
    wait_until("the originals are in place", std::time::Duration::from_secs(30), || now.exists());
    assert_eq!(env.read("tests/answer.sh"), "grep -qx 42 answer\n");
    drop(running.kill9());
    env.windlass(["gc"]).success();
    assert_eq!(env.read("tests/answer.sh"), "true\n");
}

#[test]
fn what_the_user_changes_between_sessions_is_the_original_from_then_on() {
    let env = in_git();
    let body = "test -f ../runs/second && echo '<promise>COMPLETE</promise>'; touch ../runs/second";
    let args = ["--check", "run-tests", "--name", "mine", "--max-iterations", "1"];
    shell(&env, body, &args).run().code(1);
    env.write("tests/answer.sh", "grep -qx 41 answer\n");
    let args = ["resume", "mine", "--max-iterations", "2", "--json"];
    assert_eq!(env.windlass(args).success().json()["verified"], true);
    assert_eq!(originals(&env), "same");
}

#[test]
fn outside_git_originals_come_from_copies() {
    let env = project(Env::outside_git(env!("CARGO_BIN_EXE_windlass")).with_baselines());
    let body = format!("echo true > tests/answer.sh; {CLAIM}");
    shell(&env, &body, &["--check", "run-tests"]).run().code(3);
    assert_eq!(env.read("tests/answer.sh"), "true\n");
    assert_eq!(originals(&env), "failed");
}

#[test]
fn in_a_sandbox_the_same_holds() {
    if !has_bwrap() {
        return;
    }
    let env = in_git();
    let body = format!("echo true > tests/answer.sh; {CLAIM}");
    let args = ["--check", "run-tests", "--sandbox", "bwrap"];
    shell(&env, &body, &args).run().code(3);
    assert_eq!(originals(&env), "failed");
    assert_eq!(env.read("tests/answer.sh"), "true\n");
}

#[test]
fn a_changed_inline_test_is_a_doubt_and_a_new_one_is_none() {
    for env in
        [in_git(), project(Env::outside_git(env!("CARGO_BIN_EXE_windlass")).with_baselines())]
    {
        env.write("src/lib.rs", "#[test]\nfn adds() { assert!(1 + 1 == 2); }\n");
        let args = ["--check", "run-tests", "--json"];
        let more = "echo '#[test] fn more() {}' >> src/lib.rs";
        let body = format!("echo 42 > answer; {more}; {CLAIM}");
        let result = shell(&env, &body, &args).run().success().json();
        assert_eq!(result["proof"]["doubts"], json!([]), "{result}");

        let weak = "sed -i 's/1 + 1/2/' src/lib.rs";
        let body = format!("echo 43 > answer; echo 42 > answer; {weak}; {CLAIM}");
        let result = shell(&env, &body, &args).run().success().json();
        assert_eq!(
            result["proof"]["doubts"],
            json!([{
                "detector": "inline-test",
                "file": "src/lib.rs",
                "line": 1,
                "reason": "`src/lib.rs` has other inline tests than before: `adds` was changed",
                "confidence": "likely"
            }])
        );
        assert_eq!(result["verified"], true, "a doubt rejects nothing");
    }
}

#[test]
fn locked_tests_may_not_change_and_new_ones_are_welcome() {
    let env = in_git();
    let args = ["--check", "run-tests", "--test-policy", "lock", "--max-iterations", "1"];
    let body = format!("echo 42 > answer; echo '# more' >> tests/there.sh; {CLAIM}");
    let ran = shell(&env, &body, &args).run().code(1);
    assert!(ran.stdout.contains("existing tests are locked"), "{}", ran.stdout);
    env.git(["checkout", "--quiet", "."]);
    let body = format!("echo 42 > answer; echo true > tests/new.sh; {CLAIM}");
    shell(&env, &body, &args).run().success();
}
