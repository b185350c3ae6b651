//! What the checks say before the first session, and what that changes: counts, tests that failed
//! before, flaky checks, loops that need no claim, and worktrees that are prepared first.

use serde_json::{Value, json};
use testkit::{Env, Invocation};

use crate::{shell, user_config, world};

const CLAIM: &str = "echo '<promise>COMPLETE</promise>'";

/// Prints the result of one test for each file of `tests`, in TAP: those that say `fail` fail.
const TAP: &str = r#"n=0; bad=0; echo "1..$(ls tests | wc -l)"
for t in tests/*; do n=$((n+1)); if grep -q fail "$t"; then echo "not ok $n - $t"; bad=1; else echo "ok $n - $t"; fi; done
exit $bad"#;

/// A world with these tests, where `run-tests` runs them.
fn tested(tests: &[(&str, &str)]) -> Env {
    let env = world().with_baselines();
    env.install("run-tests", TAP);
    for (name, text) in tests {
        env.write(format!("tests/{name}"), text);
    }
    env.git(["add", "--all"]);
    env.git(["commit", "--quiet", "--message=tests"]);
    env
}

/// A loop whose tests are the agent's to change, so that a test can be fixed by editing it.
fn free<'a>(env: &'a Env, body: &str, args: &[&str]) -> Invocation<'a> {
    let all = [&["--check", "run-tests", "--test-policy", "free"], args].concat();
    shell(env, body, &all)
}

fn proof(env: &Env) -> Value {
    env.windlass(["show", "--json"]).success().json()["result"]["proof"].clone()
}

/// The events of that type, of the newest loop.
fn events(env: &Env, kind: &str) -> Vec<Value> {
    let log = env.windlass(["log", "--json"]).success().stdout;
    let all = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    all.filter(|event| event["type"] == kind).collect()
}

#[test]
fn the_start_tells_what_fails_and_claims_are_held_against_it() {
    let env = tested(&[("a", "fail"), ("b", "fail"), ("c", "")]);
    let body = format!("f=$(grep -l fail tests/* | head -1); echo ok > $f; {CLAIM}");
    let ran = free(&env, &body, &[]).run().success();
    insta::assert_snapshot!(ran.snapshot());
    let proof = proof(&env);
    assert_eq!(proof["baseline"], "failed");
    assert_eq!(proof["tests"], json!({"passed": 3, "failed": 0, "skipped": 0, "failing": []}));
    let counts: Vec<String> = events(&env, "tests")
        .iter()
        .map(|it| format!("{} -> {}", it["failed_before"], it["tests"]["failed"]))
        .collect();
    assert_eq!(counts, ["2 -> 1", "1 -> 0"]);
    assert_eq!(events(&env, "baseline").len(), 1);
}

#[test]
fn checks_that_pass_already_are_warned_of_and_the_result_says_so() {
    let env = tested(&[("a", "")]);
    let ran = free(&env, CLAIM, &[]).run().success();
    insta::assert_snapshot!(ran.snapshot());
    assert_eq!(proof(&env)["baseline"], "passed");
}

#[test]
fn a_baseline_that_takes_too_long_is_given_up_and_the_loop_goes_on() {
    let env = world().with_baselines();
    let check = "test -f done || sleep 30";
    let args = ["--check", check, "--baseline-timeout", "1s", "--test-policy", "free"];
    let ran = shell(&env, &format!("touch done; {CLAIM}"), &args).run().success();
    assert!(ran.stderr.contains("--baseline-timeout"), "{}", ran.stderr);
    assert_eq!(proof(&env)["baseline"], "not_run");
}

#[test]
fn what_the_baseline_changes_is_put_back_and_what_it_adds_is_not_committed() {
    let env = world().with_baselines();
    let check = "echo changed > README.md; echo report > report.txt; test -f done";
    let args = ["--check", check, "--auto-commit", "--max-iterations", "1"];
    shell(&env, "cat README.md > seen; touch work", &args).run().code(1);
    assert_eq!(env.read("seen"), "# A project\n");
    assert_eq!(env.read("report.txt"), "report\n");
    assert_eq!(env.git(["show", "--format=", "--name-only", "HEAD"]), "seen\nwork\n");
}

#[test]
fn outside_git_what_the_baseline_changes_is_put_back_from_what_was_kept() {
    for policy in ["guard", "free"] {
        let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass")).with_baselines();
        env.write("notes.txt", "as it was\n");
        env.write("gone.txt", "still here\n");
        let check =
            "echo changed > notes.txt; rm -f gone.txt; echo report > report.txt; test -f done";
        let args = ["--check", check, "--test-policy", policy, "--max-iterations", "1"];
        let ran = shell(&env, "cat notes.txt gone.txt > seen", &args).run().code(1);
        assert_eq!(env.read("seen"), "as it was\nstill here\n");
        assert_eq!(env.read("report.txt"), "report\n");
        let told = "the checks changed files before the first session, which are back as they were: \
                    gone.txt, notes.txt";
        assert!(ran.stderr.contains(told), "{ran}");
    }
}

#[test]
fn a_check_that_exits_with_0_while_tests_fail_has_failed() {
    let env = tested(&[("a", "fail")]);
    let args = ["--check", "run-tests || true", "--test-policy", "free", "--max-iterations", "1"];
    let ran = shell(&env, CLAIM, &args).run().code(1);
    let told = "the check `run-tests || true` failed, though it exits with 0: 1 of 1 test fails";
    assert!(ran.stdout.contains(told), "{}", ran.stdout);
}

#[test]
fn a_check_that_runs_no_test_any_more_has_failed() {
    let env = tested(&[("a", "fail"), ("b", "")]);
    let body = format!("printf 'exit 0\\n' > quiet; {CLAIM}");
    let check = "test -f quiet && exit 0; run-tests";
    let args = ["--check", check, "--test-policy", "free", "--max-iterations", "1"];
    let ran = shell(&env, &body, &args).run().code(1);
    assert!(ran.stdout.contains("ran no test, and 2 tests ran before the loop"), "{}", ran.stdout);
}

#[test]
fn tests_that_failed_before_may_go_on_failing_where_the_user_says_so() {
    let env = tested(&[("a", "fail"), ("b", "fail")]);
    let body = format!("echo ok > tests/a; {CLAIM}");
    let args = ["--known-failures", "allow"];
    let result = free(&env, &body, &args).arg("--json").run().success().json();
    assert_eq!((&result["success"], &result["verified"]), (&json!(true), &json!(false)));
    assert_eq!(result["proof"]["waived"], true);
    // A new failure is no known one.
    let env = tested(&[("a", "fail"), ("b", "")]);
    let body = format!("echo fail > tests/b; {CLAIM}");
    free(&env, &body, &["--known-failures", "allow", "--max-iterations", "1"]).run().code(1);
}

#[test]
fn claims_that_only_known_failures_speak_against_end_the_loop_after_two() {
    let env = tested(&[("a", "fail"), ("b", "")]);
    let ran = free(&env, &format!("echo x >> work; {CLAIM}"), &[]).run().code(3);
    insta::assert_snapshot!(ran.snapshot());
    let name = env.sql("SELECT name FROM loops").trim().to_owned();
    let args = ["resume", &name, "--known-failures", "allow"];
    env.windlass(args).success();
}

#[test]
fn a_flaky_check_has_to_pass_twice_in_a_row() {
    let env = world().with_baselines();
    // It passes at the baseline, then fails once, then passes.
    let check =
        "n=$(cat ../runs/n 2>/dev/null || echo 0); n=$((n+1)); echo $n > ../runs/n; test $n != 2";
    let args = ["--check", check, "--test-policy", "free"];
    shell(&env, &format!("touch work; {CLAIM}"), &args).run().success();
    let places = env.sql("SELECT place, passed FROM checks ORDER BY rowid");
    assert_eq!(places, "0/baseline/1|1\n1/check/1|0\n1/check/1/again/2|1\n1/check/1/again/3|1\n");
    let proof = proof(&env);
    assert_eq!(proof["flaky"], json!([check]));
    assert_eq!(proof["doubts"][0]["detector"], "flaky-check");
}

#[test]
fn a_check_that_fails_twice_is_not_flaky() {
    let env = world().with_baselines();
    let args = ["--check", "test ! -f work", "--max-iterations", "1", "--test-policy", "free"];
    shell(&env, &format!("touch work; {CLAIM}"), &args).run().code(1);
    let places = env.sql("SELECT place, passed FROM checks ORDER BY rowid");
    assert_eq!(places, "0/baseline/1|1\n1/check/1|0\n1/check/1/again/2|0\n");
}

#[test]
fn where_the_checks_alone_decide_no_claim_is_needed() {
    let env = tested(&[("a", "fail"), ("b", "fail")]);
    let body = "f=$(grep -l fail tests/* | head -1); echo ok > $f";
    let result = free(&env, body, &["--done-when", "checks", "--json"]).run().success().json();
    assert_eq!(result["ending"], json!({"type": "done", "by": "checks"}));
    assert_eq!((&result["iterations"], &result["verified"]), (&json!(2), &json!(true)));
    assert_eq!(events(&env, "claim_rejected"), Vec::<Value>::new());
}

#[test]
fn checks_that_cannot_decide_keep_the_loop_from_starting() {
    let env = tested(&[("a", "")]);
    let ran = free(&env, CLAIM, &["--done-when", "checks"]).run().code(2);
    assert!(ran.stdout.contains("every check passes already"), "{}", ran.stdout);
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "0\n");
    free(&env, CLAIM, &["--done-when", "checks", "--no-baseline"]).run().code(2);
    let slow = ["--check", "sleep 20", "--baseline-timeout", "1s", "--done-when", "checks"];
    let ran = shell(&env, CLAIM, &slow).run().code(2);
    assert!(ran.stderr.contains("--baseline-timeout"), "{}", ran.stderr);
}

#[test]
fn a_new_worktree_is_prepared_before_the_checks_first_run() {
    let env = world().with_baselines();
    user_config(&env, "worktree_setup = 'echo ready > prepared'\n");
    let args = ["--check", "test -f prepared", "--worktree", "w", "--json"];
    let result = shell(&env, CLAIM, &args).run().success().json();
    assert_eq!(result["proof"]["baseline"], "passed");
    assert_eq!(result["files_modified"], 0);
    // In place there is nothing to prepare.
    shell(&env, CLAIM, &["--check", "test ! -f prepared"]).run().success();
}

#[test]
fn a_worktree_that_cannot_be_prepared_is_told_with_the_last_lines() {
    let env = world().with_baselines();
    user_config(&env, "worktree_setup = 'echo no network; exit 7'\n");
    let ran = shell(&env, CLAIM, &["--check", "true", "--worktree", "w"]).run().code(4);
    assert!(ran.stdout.contains("worktree_setup"), "{}", ran.stdout);
    assert!(ran.stdout.contains("exit code 7") && ran.stdout.contains("no network"));
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "0\n");
}
