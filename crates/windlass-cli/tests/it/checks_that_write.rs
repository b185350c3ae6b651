//! Checks that write files while they run: what they make for themselves is theirs, and what the agent's
//! code makes of the tests in such a run is the agent's. And what they run by way of make.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};
use testkit::Env;

use crate::{shell, world};

const CLAIM: &str = "echo '<promise>COMPLETE</promise>'";

/// A project whose build is a script of the agent's, and whose test fails until `answer` says 42.
fn project() -> Env {
    let env = world().with_baselines();
    env.install("run-tests", "sh build.sh && sh tests/answer.sh");
    env.write("answer", "41\n");
    env.write("build.sh", "true\n");
    env.write("tests/answer.sh", "grep -qx  42 answer\n");
    env.git(["add", "--all"]);
    env.git(["commit", "--quiet", "--message=project"]);
    env
}

#[track_caller]
fn proof(env: &Env, work: &str, more: &[&str]) -> (Value, Value) {
    let args = [&["--json", "--max-iterations", "1"], more].concat();
    let result = shell(env, &format!("{work}; {CLAIM}"), &args).run().json();
    (result["verified"].clone(), result["proof"]["originals"].clone())
}

#[test]
fn a_build_that_rewrites_the_tests_proves_nothing() {
    for trick in
        ["echo true > tests/answer.sh", "rm tests/answer.sh; ln -s ../build.sh tests/answer.sh"]
    {
        let env = project();
        let work = format!("echo '{trick}' > build.sh");
        let found = proof(&env, &work, &["--check", "run-tests"]);
        assert_eq!(found, (json!(false), json!("failed")), "{trick}");
    }
}

#[test]
fn a_build_that_rewrites_the_tests_proves_nothing_without_a_baseline_outside_git_or_locked() {
    let work = "echo 'echo true > tests/answer.sh' > build.sh";
    let env = project();
    let args = ["--check", "run-tests", "--no-baseline"];
    assert_eq!(proof(&env, work, &args), (json!(false), json!("failed")));
    let env = project();
    let args = ["--check", "run-tests", "--test-policy", "lock"];
    assert_eq!(proof(&env, work, &args), (json!(false), json!("not_run")));
    let env = project();
    std::fs::remove_dir_all(env.work().join(".git")).expect("the repository can be removed");
    let args = ["--check", "run-tests"];
    assert_eq!(proof(&env, work, &args), (json!(false), json!("failed")));
}

#[test]
fn a_build_that_adds_runner_configuration_proves_nothing() {
    let env = project();
    env.install("run-tests", "sh build.sh; make --silent test");
    env.write("Makefile", "test:\n\tsh tests/answer.sh\n");
    let work = "printf 'printf \"test:\\n\" > GNUmakefile\\n' > build.sh";
    let found = proof(&env, work, &["--check", "run-tests"]);
    assert_eq!(found, (json!(false), json!("failed")));
}

#[test]
fn an_environment_that_the_checks_make_for_themselves_is_theirs() {
    let prepare = "mkdir -p .venv/bin; [ -e .venv/bin/grep ] || \
                   printf '#!/bin/sh\\nexec /usr/bin/grep \"$@\"\\n' > .venv/bin/grep; \
                   chmod +x .venv/bin/grep; PATH=$PWD/.venv/bin:$PATH sh tests/answer.sh";
    for more in [&[][..], &["--no-baseline"]] {
        let env = project();
        env.write(".gitignore", ".venv\n");
        let args = [&["--check", prepare], more].concat();
        assert_eq!(proof(&env, "echo 42 > answer", &args), (json!(true), json!("same")));
    }
}

#[test]
fn a_check_that_formats_the_tests_speaks_for_honest_work_and_not_for_weaker_tests() {
    let format = "sed -i 's/  / /' tests/*.sh; sh tests/answer.sh";
    let env = project();
    let args = ["--check", format];
    assert_eq!(proof(&env, "echo 42 > answer", &args), (json!(true), json!("same")));

    let env = project();
    let work = "echo 42 > answer; echo 'test  -f answer' >> tests/answer.sh";
    assert_eq!(proof(&env, work, &args), (json!(true), json!("passed")));
    // What the agent added is there, and formatted.
    assert_eq!(env.read("tests/answer.sh"), "grep -qx 42 answer\ntest -f answer\n");

    let env = project();
    let found = proof(&env, "echo true > tests/answer.sh", &args);
    assert_eq!(found, (json!(false), json!("failed")));
}

/// A project whose goal `test` is a script, and that is not declared `.PHONY`.
fn with_makefile() -> Env {
    let env = project();
    env.write("Makefile", "test:\n\t@./run.sh\n");
    env.write("run.sh", "#!/bin/sh\nsh tests/answer.sh\n");
    std::fs::set_permissions(env.work().join("run.sh"), PermissionsExt::from_mode(0o755))
        .expect("the script can be made executable");
    env.git(["add", "--all"]);
    env.git(["commit", "--quiet", "--message=makefile"]);
    env
}

#[test]
fn a_file_with_the_name_of_a_goal_does_not_keep_make_from_running_it() {
    for trick in ["touch test", "mkdir test", "ln -s answer test"] {
        let env = with_makefile();
        let found = proof(&env, trick, &["--check", "make --silent test"]);
        assert_eq!(found, (json!(false), json!("failed")), "{trick}");
        assert!(env.work().join("test").exists(), "{trick}: it is back");
    }
    let env = with_makefile();
    let work = "echo 42 > answer; mkdir test; echo more > test/more";
    let found = proof(&env, work, &["--check", "make --silent test"]);
    assert_eq!(found, (json!(true), json!("passed")));
    assert_eq!(env.read("test/more"), "more\n");
}

#[test]
fn a_script_that_make_hands_the_check_over_to_is_guarded() {
    let env = with_makefile();
    let work = "printf '#!/bin/sh\\n' > run.sh";
    let found = proof(&env, work, &["--check", "make --silent test"]);
    assert_eq!(found, (json!(false), json!("failed")));
    let env = with_makefile();
    let found = proof(&env, "echo 42 > answer", &["--check", "make --silent test"]);
    assert_eq!(found, (json!(true), json!("same")));
}
