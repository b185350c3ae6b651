//! Claim and proof from outside: checks, what they are run on, what is kept of them, and files that
//! an agent must leave alone.

use std::fs;

use testkit::Env;

use crate::{COMPLETE, prompts_of, scripted, shell, world};

const CLAIM: &str = "echo '<promise>COMPLETE</promise>'";

/// Why the claims were rejected, a line each.
fn rejections(env: &Env) -> String {
    let shown = env.windlass(["show", "--json"]).success().json();
    let iterations = shown["iterations"].as_array().expect("an array of iterations");
    let reasons = iterations.iter().filter_map(|one| one["rejected_because"].as_array()).flatten();
    reasons.filter_map(|reason| Some(format!("{}\n", reason.as_str()?))).collect()
}

/// The tree that the work tree is now, as git itself would write it.
fn tree_now(env: &Env) -> String {
    let index = env.root().join("index");
    let git =
        |args: &[&str]| env.other("git", args).env("GIT_INDEX_FILE", &index).run().success().stdout;
    git(&["add", "--all"]);
    git(&["write-tree"])
}

#[test]
fn all_checks_run_and_what_they_said_is_stored() {
    let env = world();
    let args = ["--max-iterations", "1", "--check", "echo one; exit 3", "--check", "echo two"];
    shell(&env, CLAIM, &args).run().code(1);
    let rows = env.sql("SELECT command, passed, exit_code, output_hash FROM checks ORDER BY rowid");
    insta::assert_snapshot!(rows, @"
    echo one; exit 3|0|3|2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806
    echo two|1|0|27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a
    ");
    let trees = env.sql("SELECT DISTINCT tree FROM checks");
    assert_eq!(trees, tree_now(&env));
    assert_eq!(env.sql("SELECT count(*) FROM checks WHERE duration_ms >= 0"), "2\n");
}

#[test]
fn checks_run_on_claims_only() {
    let env = world();
    let works = "echo working; echo more >> work.txt";
    shell(&env, works, &["--max-iterations", "4", "--check", "true"]).run().code(1);
    assert_eq!(env.sql("SELECT count(*) FROM checks"), "0\n");
}

#[test]
fn one_short_of_giving_up_the_checks_are_run_to_look() {
    let env = world();
    shell(&env, "echo idle", &["--max-iterations", "2", "--check", "true"]).run().code(1);
    assert_eq!(env.sql("SELECT place FROM checks"), "2/look/1\n");
}

#[test]
fn a_check_is_a_line_for_the_shell_in_the_loops_directory() {
    let env = world();
    let check = "test \"$(pwd)\" = \"$WHERE\" && echo a | grep -q a && ! read line";
    let place = format!("WHERE={}", env.work().display());
    shell(&env, CLAIM, &["--check", check, "--env", &place]).run().success();
}

#[test]
fn the_verdict_of_a_check_reaches_the_result() {
    let env = world();
    let json = |args: &[&str]| shell(&env, CLAIM, args).arg("--json").run().success().json();
    let proven = json(&["--check", "true"]);
    assert_eq!(proven["ending"], serde_json::json!({"type": "done", "by": "promise"}));
    assert_eq!(proven["verified"], true);
    let unproven = json(&[]);
    let ending = serde_json::json!({"type": "done", "by": "promise", "unverified": true});
    assert_eq!(unproven["ending"], ending);
    assert_eq!(unproven["verified"], false);
    assert_eq!(unproven["success"], true);
}

#[test]
fn a_check_that_changes_tracked_files_runs_once_more_and_the_proof_is_of_what_stayed() {
    let env = world();
    let body = format!("echo work > new.txt; {CLAIM}");
    let args = ["--check", "echo tidy > README.md", "--check", "true"];
    shell(&env, &body, &args).run().success();
    assert_eq!(
        env.sql("SELECT place, passed FROM checks ORDER BY rowid"),
        "\
        1/check/1|1\n1/check/2|1\n1/recheck/1|1\n1/recheck/2|1\n"
    );
    let bound = env.sql("SELECT tree FROM checks ORDER BY rowid DESC LIMIT 1");
    assert_eq!(bound, tree_now(&env));
    let last = env.sql("SELECT tree FROM iterations");
    assert_eq!(last, bound, "that is how the iteration left the tree");
    let result = env.windlass(["show", "--json"]).success().json();
    assert_eq!(result["result"]["files_modified"], 2, "README.md and new.txt");
    assert!(env.windlass(["diff"]).success().stdout.contains("+tidy"), "a diff shows both");
}

#[test]
fn files_that_a_check_makes_have_it_run_once_more_and_are_not_held_against_it() {
    let env = world();
    let body = format!("echo work > new.txt; {CLAIM}");
    shell(&env, &body, &["--check", "date +%N > report.txt"]).run().success();
    assert_eq!(env.sql("SELECT count(*) FROM checks"), "2\n");
    // The proof names the tree that the last check began with.
    let ran_on = env.sql("SELECT tree FROM checks ORDER BY rowid DESC LIMIT 1");
    let shown = env.windlass(["log", "--json"]).success().json_lines();
    let accepted = shown.iter().find(|line| line["type"] == "claim_accepted").expect("accepted");
    assert_eq!(format!("{}\n", accepted["tree"].as_str().expect("a tree")), ran_on);
    assert_ne!(env.sql("SELECT tree FROM checks ORDER BY rowid LIMIT 1"), ran_on);
}

#[test]
fn a_new_file_that_changes_while_the_checks_run_is_not_what_they_passed_on() {
    let env = world();
    let body = format!("echo work > new.txt; {CLAIM}");
    let args = ["--max-iterations", "1", "--check", "grep -q work new.txt && echo more >> new.txt"];
    shell(&env, &body, &args).run().code(1);
    insta::assert_snapshot!(rejections(&env), @"files change every time the checks run, so what they prove is gone when they end: `new.txt`; make the checks leave the tree alone");
}

#[test]
fn a_check_that_always_changes_tracked_files_proves_nothing() {
    let env = world();
    let args = ["--max-iterations", "1", "--check", "date +%N >> README.md"];
    shell(&env, CLAIM, &args).run().code(1);
    insta::assert_snapshot!(rejections(&env), @"files change every time the checks run, so what they prove is gone when they end: `README.md`; make the checks leave the tree alone");
    assert_eq!(env.sql("SELECT count(*) FROM checks"), "2\n");
}

#[test]
fn a_check_has_its_own_time_limit() {
    let env = world();
    let args = ["--max-iterations", "1", "--check-timeout", "1s", "--check", "echo hm; sleep 60"];
    let ran = shell(&env, CLAIM, &args).run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 1
    --- stdout
    Loop [name]: iterate with command in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 1 ━━━
    agent: finished in [time]
    claim: COMPLETE
    check `echo hm; sleep 60`: failed (timed out, [time])
        hm
    claim rejected: the check `echo hm; sleep 60` took too long
    iteration 1: [time], no files changed
    ✗ not done: iteration limit (1) reached
      1 session, 1 check, no files modified, [time]
      not proven: 0 of 1 check passed; no baseline
    --- stderr
      task         mend it
      agent        command
      sandbox      none
      budget       none, at most 1 iteration
      checks       `echo hm; sleep 60`
      guarded      nothing (no tests found); `--guard GLOB` adds files
    next: windlass resume [name] --max-iterations 2
    next: windlass why [name]
    ");
}

#[test]
fn the_end_of_what_a_failed_check_printed_reaches_the_next_prompt() {
    let env = world();
    let check = "seq 100000; echo '\u{1b}[31mthe real error\u{1b}[0m' >&2; false";
    shell(&env, CLAIM, &["--max-iterations", "2", "--check", check]).run().code(1);
    let prompt = &prompts_of(&env)[1];
    assert!(prompt.contains("| the real error\n"), "{prompt}");
    assert!(prompt.contains("| 100000\n") && !prompt.contains("| 1\n"), "{prompt}");
    assert!(prompt.len() < 100_000 && !prompt.contains('\u{1b}'), "{prompt}");
}

#[test]
fn a_protected_file_that_was_changed_deleted_or_added_rejects_the_claim() {
    for in_git in [true, false] {
        let env = if in_git { world() } else { Env::outside_git(env!("CARGO_BIN_EXE_windlass")) };
        env.write("tests/a.t", "a");
        env.write("tests/deep/b.t", "b");
        let script = format!(
            "append tests/a.t x\ndelete tests/deep/b.t\nwrite tests/c.t c\nsay {COMPLETE}\nnext\n\
             write tests/a.t a\nwrite tests/deep/b.t b\nsay {COMPLETE}\nnext\n\
             delete tests/c.t\nsay {COMPLETE}"
        );
        let result = scripted(&env, &script, &["--protect", "tests/**", "--json"]);
        assert_eq!(result.run().success().json()["iterations"], 3);
        insta::allow_duplicates! { insta::assert_snapshot!(rejections(&env), @"
        tests/a.t was changed, but it is protected (by `--protect 'tests/**'`): restore it
        tests/deep/b.t was deleted, but it is protected (by `--protect 'tests/**'`): restore it
        tests/c.t was added where all is protected (by `--protect 'tests/**'`): remove it
        tests/c.t was added where all is protected (by `--protect 'tests/**'`): remove it
        "); }
        let prompt = &prompts_of(&env)[1];
        assert!(prompt.contains("- tests/a.t was changed, but it is protected"), "{prompt}");
        assert_eq!(env.sql("SELECT count(*) FROM checks"), "0\n");
    }
}

#[test]
fn files_that_a_check_names_are_protected() {
    for in_git in [true, false] {
        let env = if in_git { world() } else { Env::outside_git(env!("CARGO_BIN_EXE_windlass")) };
        env.write("tests/t.sh", "exit 1\n");
        let body = format!("echo 'exit 0' > tests/t.sh; {CLAIM}");
        let args = ["--check", "sh tests/t.sh", "--max-iterations", "1"];
        shell(&env, &body, &args).run().code(1);
        insta::allow_duplicates! { insta::assert_snapshot!(rejections(&env), @"
        on the original tests, the check `sh tests/t.sh` failed with exit code 1
        `tests/t.sh` (changed; a test) is guarded: existing tests must still pass as they were. To let the agent change it: `--unguard 'tests/t.sh'`
        "); }
        env.write("tests/t.sh", "exit 1\n");
        shell(&env, &body, &args).arg("--no-protect-checks").run().success();
    }
}

#[test]
fn a_source_file_that_a_check_merely_names_is_the_agents_to_change() {
    for check in ["grep -q Usage README.md", "cat calc.py | grep -q Usage"] {
        let env = world();
        let files = ["README.md", "main.py", "calc.py"];
        files.iter().for_each(|file| drop(env.write(file, "old\n")));
        let body = format!("for f in README.md main.py calc.py; do echo Usage > $f; done; {CLAIM}");
        let result = shell(&env, &body, &["--check", check, "--json"]).run().success().json();
        assert_eq!(
            (&result["iterations"], &result["verified"]),
            (&1.into(), &true.into()),
            "{check}"
        );
    }
}

#[test]
fn why_names_the_guarded_file_and_the_flag() {
    let env = world();
    env.write("check.sh", "exit 1\n");
    let body = format!("echo 'exit 0' > check.sh; {CLAIM}");
    let args = ["--check", "sh check.sh", "--max-iterations", "2", "--name", "mine"];
    shell(&env, &body, &args).run().code(3);
    let why = env.windlass(["why", "mine"]).success().stdout;
    assert!(why.contains("check.sh") && why.contains("--unguard"), "{why}");
}

#[test]
fn a_protected_path_must_be_what_it_was_and_not_only_hold_it() {
    let env = world();
    env.write("tests/t.sh", "exit 0\n");
    let body = format!("mv tests/t.sh x; ln -s ../x tests/t.sh; {CLAIM}");
    let args = ["--check", "sh tests/t.sh", "--protect", "tests/**", "--max-iterations", "1"];
    shell(&env, &body, &args).run().code(1);
    assert_eq!(
        rejections(&env),
        "tests/t.sh was changed, but it is protected (by `--protect 'tests/**'`): restore it\n"
    );
}

#[test]
fn ignored_files_can_be_protected_too() {
    let env = world();
    env.write(".gitignore", "*.key\n");
    env.write("a.key", "1");
    let body = format!("echo 2 > a.key; {CLAIM}");
    shell(&env, &body, &["--protect", "*.key", "--max-iterations", "1"]).run().code(1);
    assert!(rejections(&env).starts_with("a.key was changed"));
}

#[test]
fn what_an_agent_leaves_running_is_ended_before_the_proof() {
    let env = world();
    let body = format!("(setsid sh -c 'sleep 2; touch late' >/dev/null 2>&1 &); {CLAIM}");
    shell(&env, &body, &["--check", "sleep 3; ! test -e late", "--grace", "1s"]).run().success();
    assert!(!env.work().join("late").exists());
}

#[test]
fn checks_of_the_config_count_like_those_of_flags() {
    let env = world();
    let file = env.home().join(".config/windlass/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "checks = ['false']\n").unwrap();
    shell(&env, CLAIM, &["--max-iterations", "1"]).run().code(1);
    assert_eq!(rejections(&env), "the check `false` failed with exit code 1\n");
}
