//! Checks that windlass finds itself, where nobody gives one: where it looks, what it takes, what it
//! says, and where it runs them.

use std::fs;

use testkit::Env;

use crate::{sandboxes::has_sandbox, scripted, user_config, world};

const CLAIM: &str = "say <promise>COMPLETE</promise>";

/// A program that takes the place of `make`, and says where it runs and in which environment.
const MAKE: &str = r#"echo "$PWD $* CI=$CI"; exit 0"#;

/// What was said about checks when the newest loop began.
fn notes(env: &Env) -> String {
    let text = "json_extract(body, '$.text')";
    let words =
        ["check", "found", "guarded", "matches"].map(|word| format!("{text} LIKE '%{word}%'"));
    let newest = "loop = (SELECT id FROM loops ORDER BY number DESC LIMIT 1)";
    let query = format!(
        "SELECT {text} FROM events WHERE type = 'noted' AND {newest} AND ({}) ORDER BY seq",
        words.join(" OR ")
    );
    format!("{}{}", found(env), env.sql(&query))
}

/// The checks that the newest loop found, and those that it found besides.
fn found(env: &Env) -> String {
    let newest = "loop = (SELECT id FROM loops ORDER BY number DESC LIMIT 1)";
    let columns = "json_extract(body, '$.start.checks'), json_extract(body, '$.start.also_found')";
    let is_found = "json_extract(body, '$.start.checks[0].found_in') IS NOT NULL";
    env.sql(&format!(
        "SELECT {columns} FROM events WHERE type = 'loop_started' AND {newest} AND {is_found}"
    ))
}

/// The commands that ran, and whether each passed.
fn checks(env: &Env) -> String {
    env.sql("SELECT command, passed FROM checks GROUP BY 1, 2 ORDER BY min(id)")
}

/// What the last check printed.
fn printed(env: &Env) -> String {
    env.sql("SELECT tail FROM checks ORDER BY id DESC LIMIT 1")
}

#[test]
fn the_projects_tests_are_found_and_must_pass() {
    let env = world();
    env.write("Makefile", "test:\n\ttest -f done\n");
    scripted(&env, CLAIM, &["--max-iterations", "1"]).run().code(1);
    insta::assert_snapshot!(notes(&env), @r#"[{"command":"make test","found_in":"Makefile"}]|"#);
    assert_eq!(checks(&env), "make test|0\n");
    env.write("done", "");
    let ran = scripted(&env, CLAIM, &["--max-iterations", "1", "--json"]).run().success().json();
    assert_eq!(ran["verified"], true);
}

#[test]
fn tests_of_a_directory_above_run_there_and_the_nearest_come_first() {
    let env = world();
    let make = env.install("make", MAKE);
    assert!(make.is_file());
    env.write("api/Makefile", "test:\n");
    env.write("api/src/deep/x", "");
    env.write("Makefile", "check:\n");
    let directory = env.work().join("api/src/deep");
    scripted(&env, CLAIM, &[]).directory(&directory).run().success();
    insta::assert_snapshot!(notes(&env), @r#"[{"command":"make test","found_in":"api/Makefile"}]|[{"command":"make check","found_in":"Makefile"}]"#);
    let api = env.work().join("api");
    assert_eq!(printed(&env).trim(), format!("{} test CI=1", api.display()));
}

#[test]
fn nothing_above_the_repository_or_outside_of_one_is_looked_at() {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    env.write("Makefile", "test:\n\tfalse\n");
    let below = env.work().join("below");
    fs::create_dir(&below).unwrap();
    scripted(&env, CLAIM, &[]).directory(&below).run().success();
    insta::assert_snapshot!(notes(&env), @"no check found: claims are accepted unproven; give one with `--check CMD`");
    assert_eq!(checks(&env), "");
}

#[test]
fn a_command_that_is_not_installed_is_dropped_and_the_next_one_is_used() {
    let env = world();
    env.write("phpunit.xml", "");
    env.write("Makefile", "test:\n\ttrue\n");
    scripted(&env, CLAIM, &[]).env("PATH", path_without(&env, "phpunit")).run().success();
    insta::assert_snapshot!(notes(&env), @r#"
    [{"command":"make test","found_in":"Makefile"}]|
    found `phpunit` (from phpunit.xml), but `phpunit` is not installed
    "#);
    assert_eq!(checks(&env), "make test|1\n");
}

#[test]
fn where_none_is_installed_the_loop_goes_on_without() {
    let env = world();
    env.write("phpunit.xml", "");
    let ran = scripted(&env, CLAIM, &["--json"])
        .env("PATH", path_without(&env, "phpunit"))
        .run()
        .success()
        .json();
    assert_eq!(ran["verified"], false);
    insta::assert_snapshot!(notes(&env), @"
    found `phpunit` (from phpunit.xml), but `phpunit` is not installed
    no check found: claims are accepted unproven; give one with `--check CMD`
    ");
}

/// A `PATH` with the system's own programs.
fn path_without(env: &Env, program: &str) -> String {
    let path = "/usr/bin:/bin";
    let there = path.split(':').any(|place| std::path::Path::new(place).join(program).exists());
    assert!(
        !there,
        "{program} is installed on this machine, so {} cannot miss it",
        env.root().display()
    );
    path.to_owned()
}

#[test]
fn where_nothing_is_found_that_is_said_once() {
    let env = world();
    scripted(&env, CLAIM, &["--max-iterations", "3"]).run().success();
    insta::assert_snapshot!(notes(&env), @"no check found: claims are accepted unproven; give one with `--check CMD`");
}

#[test]
fn no_check_turns_it_off_and_drops_checks_of_the_config() {
    let env = world();
    env.write("Makefile", "test:\n\tfalse\n");
    user_config(&env, "checks = ['false']\n");
    let ran = scripted(&env, CLAIM, &["--no-check", "--json"]).run().success().json();
    assert_eq!(ran["verified"], false);
    assert_eq!(checks(&env), "");
    assert_eq!(notes(&env), "");
    user_config(&env, "no_check = true\n");
    scripted(&env, CLAIM, &["--max-iterations", "1", "--check", "test -f nothing"]).run().code(1);
    assert_eq!(checks(&env), "test -f nothing|0\n");
    env.write("Makefile", "test:\n\ttrue\n");
    scripted(&env, CLAIM, &["--no-no-check"]).run().success();
    assert_eq!(checks(&env), "test -f nothing|0\nmake test|1\n");
    let both = scripted(&env, CLAIM, &["--no-check", "--check", "true"]).run().code(2);
    assert!(both.stderr.contains("--no-check"), "{}", both.stderr);
}

#[test]
fn a_check_that_is_given_is_the_only_one() {
    let env = world();
    env.write("Makefile", "test:\n\tfalse\n");
    scripted(&env, CLAIM, &["--check", "true"]).run().success();
    assert_eq!(checks(&env), "true|1\n");
    assert_eq!(notes(&env), "");
}

#[test]
fn the_same_is_found_in_tasks() {
    let env = world();
    env.write("Makefile", "test:\n\ttest -f done\n");
    env.write("TASKS.md", "- [x] one\n- [ ] two\n");
    let script = env.script(CLAIM);
    let call = ["tasks", "--tasks", "TASKS.md", "--agent", "scripted", "--max-iterations", "1"];
    env.command(call).arg("--script").arg(&script).run().code(1);
    insta::assert_snapshot!(notes(&env), @r#"[{"command":"make test","found_in":"Makefile"}]|"#);
}

#[test]
fn heal_looks_for_tests_unless_it_is_told() {
    let env = world();
    env.write("Makefile", "test:\n\ttrue\n");
    let script = env.script(CLAIM);
    let call = |args: &[&str]| {
        let call = env.command(["heal", "--agent", "scripted"]).arg("--script");
        args.iter().fold(call.arg(&script), |call, arg| call.arg(arg)).run()
    };
    call(&["--start-at", "test"]).success();
    assert_eq!(checks(&env), "make test|1\n");
    call(&["--start-at", "test", "--test", "true"]).success();
    assert_eq!(checks(&env), "make test|1\ntrue|1\n");
}

#[test]
fn a_merge_runs_the_found_checks_where_they_ran() {
    let env = world();
    env.write("api/Makefile", "test:\n\ttest -f ../api/ok\n");
    env.write("api/ok", "");
    env.git(["add", "--all"]);
    env.git(["commit", "-m", "tests"]);
    let script = format!("write new.txt text\n{CLAIM}");
    let args = ["--worktree", "side", "--name", "side", "--auto-commit"];
    scripted(&env, &script, &args).directory(env.work().join("api")).run().success();
    env.windlass(["merge", "side"]).success();
    let ran = "SELECT count(DISTINCT loop) FROM checks WHERE command = 'make test' AND passed = 1";
    assert_eq!(env.sql(ran), "2\n", "the loop's own, and the merge's");
}

#[test]
fn a_check_that_the_shell_does_not_know_is_refused_before_anything_is_spent() {
    let env = world();
    let ran = scripted(&env, CLAIM, &["--check", "A=1 frobnicate --all"]).run().code(2);
    insta::assert_snapshot!(ran.stderr, @"
    error: the check `A=1 frobnicate --all` cannot run: `sh` knows no command `frobnicate`

    hint: install it, correct the check, or name the program by its path
    ");
    assert_eq!(env.sql("SELECT count(*) FROM loops"), "0\n");
    user_config(&env, "checks = ['frobnicate']\n");
    scripted(&env, CLAIM, &[]).run().code(2);
    scripted(&env, CLAIM, &["--check", "if true; then frobnicate; fi", "--max-iterations", "1"])
        .run()
        .code(1);
}

#[test]
fn a_check_that_a_loop_is_resumed_with_is_looked_for_as_at_its_start() {
    let env = world();
    let args = ["--check", "false", "--max-iterations", "1", "--name", "mine"];
    scripted(&env, CLAIM, &args).run().code(1);
    let before = env.sql("SELECT epoch, last_seq FROM loops");
    let args = ["resume", "mine", "--max-iterations", "2", "--check", "frobnicate"];
    let ran = env.windlass(args).code(2);
    insta::assert_snapshot!(ran.stderr, @"
    error: the check `frobnicate` cannot run: `sh` knows no command `frobnicate`

    hint: install it, correct the check, or name the program by its path
    ");
    assert_eq!(env.sql("SELECT epoch, last_seq FROM loops"), before);
    let args = ["resume", "mine", "--max-iterations", "2", "--check", "true"];
    env.windlass(args).success();
}

#[test]
fn a_check_is_looked_for_in_the_sandbox() {
    let env = world();
    for sandbox in ["bwrap", "landlock"] {
        if !has_sandbox(&env, sandbox) {
            continue;
        }
        let args = ["--sandbox", sandbox, "--check", "frobnicate"];
        let ran = scripted(&env, CLAIM, &args).run().code(2);
        let said = "`sh` knows no command `frobnicate` in the sandbox";
        assert!(ran.stderr.contains(said), "{sandbox}: {}", ran.stderr);
        scripted(&env, CLAIM, &["--sandbox", sandbox, "--check", "cd . && true"]).run().success();
    }
}

#[test]
fn found_checks_run_in_the_sandbox_in_their_directory() {
    let env = world();
    env.write("api/Makefile", "test:\n\tpwd\n");
    env.write("api/src/x", "");
    let directory = env.work().join("api/src");
    for sandbox in ["bwrap", "landlock"] {
        if !has_sandbox(&env, sandbox) {
            continue;
        }
        scripted(&env, CLAIM, &["--sandbox", sandbox]).directory(&directory).run().success();
        let printed = printed(&env);
        let api = env.work().join("api").display().to_string();
        assert!(printed.contains(&api), "{sandbox}: {printed}");
    }
}

#[test]
fn a_path_that_does_not_exist_yet_is_a_failing_check() {
    let env = world();
    scripted(&env, CLAIM, &["--check", "./later.sh", "--max-iterations", "1"]).run().code(1);
    assert_eq!(checks(&env), "./later.sh|0\n");
}

#[test]
fn done_when_checks_needs_a_check_and_a_baseline() {
    let env = world();
    for args in [
        &["--done-when", "checks"][..],
        &["--done-when", "checks", "--no-check"],
        &["--done-when", "checks", "--check", "false", "--no-baseline"],
    ] {
        let ran = scripted(&env, CLAIM, args).run().code(2);
        assert!(ran.stderr.contains("`--done-when checks`"), "{}", ran.stderr);
    }
    let script = env.script(CLAIM);
    let develop =
        env.command(["develop", "-p", "x", "--done-when", "checks", "--agent", "scripted"]);
    develop.arg("--script").arg(script).run().code(2);
}

#[test]
fn a_task_that_speaks_of_changing_tests_is_told_that_they_are_guarded() {
    let env = world();
    let script = env.script(CLAIM);
    let call = |prompt: &str, more: &[&str]| {
        let call = env.command(["iterate", "-p", prompt, "--agent", "scripted", "--check", "true"]);
        let call = call.arg("--script").arg(&script);
        let ran = more.iter().fold(call, |call, arg| call.arg(arg)).run().success();
        ran.stderr.contains("existing tests are guarded; if this task changes them: --unguard GLOB")
    };
    assert!(call("Rewrite the tests for the new API", &[]));
    assert!(!call("Add tests", &[]));
    assert!(!call("Rewrite the tests", &["--test-policy", "free"]));
    assert!(!call("Rewrite the tests", &["--unguard", "tests/**"]));
    assert!(notes(&env).contains("`--unguard tests/**` matches no file"), "{}", notes(&env));
}

#[test]
fn globs_that_cannot_be_read_are_refused() {
    let env = world();
    for flag in ["--guard", "--unguard", "--protect"] {
        let ran = scripted(&env, CLAIM, &[flag, "a["]).run().code(2);
        assert!(ran.stderr.contains("`a[` is not a glob"), "{}", ran.stderr);
    }
}
