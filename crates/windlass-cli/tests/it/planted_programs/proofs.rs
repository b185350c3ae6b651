//! What a proof says about programs of the tree that checks find in `PATH`.

use serde_json::{Value, json};
use testkit::Env;

use super::Venv;
use crate::{
    COMPLETE,
    heal::{heal, one_finding},
    shell,
};

/// How each doubt ends.
const AFTER: &str = "and is in PATH: a check may have run it";

/// Runs a loop to a proof; gives its doubts.
#[track_caller]
fn doubts(venv: &Venv, body: &str, checks: &[&str]) -> Value {
    let call = shell(&venv.env, body, &["--name", "m", "--json", "--test-policy", "free"])
        .env("PATH", &venv.path);
    let call = checks.iter().fold(call, |call, check| call.args(["--check", check]));
    let ran = call.run().success().json();
    assert_eq!(ran["verified"], true, "{ran}");
    ran["doubts"].clone()
}

#[test]
fn a_proof_says_which_programs_of_the_tree_are_others_than_at_the_start() {
    let venv = Venv::new();
    venv.install("pytest", "exit 1");
    venv.install("ruff", "exit 0");
    let args = ["--check", "pytest -q", "--test-policy", "free", "--name", "m", "--json"];
    let say = format!("echo '{COMPLETE}'");
    let body = format!("cd .venv/bin; printf '#!/bin/sh\\n' > pytest; cp pytest black; {say}");
    let ran = shell(&venv.env, &body, &args).env("PATH", &venv.path).run().success().json();
    let after = "since the loop began, and is in PATH: a check may have run it";
    let changed = format!("`.venv/bin/pytest` was changed {after}");
    let new = format!("`.venv/bin/black` is new {after}");
    assert_eq!(ran["verified"], true);
    assert_eq!(ran["doubts"], serde_json::json!([changed, new]));
    for args in [&["why", "m"][..], &["show", "m"], &["log", "m"]] {
        let shown = venv.call(args).run().success().stdout;
        for doubt in [&changed, &new] {
            assert!(shown.contains(&format!("{doubt}\n")), "{args:?}: {shown}");
        }
    }
    let why = venv.call(&["why", "m", "--json"]).run().success().json();
    assert_eq!(why["doubts"], ran["doubts"]);
    // Who leaves them alone is not doubted, nor where none is in PATH.
    let again = shell(&venv.env, &say, &args[..4]).env("PATH", &venv.path).arg("--json");
    assert_eq!(again.run().success().json().get("doubts"), None);
    let body = format!("printf '#!/bin/sh\\n' > .venv/bin/ruff; {say}");
    let elsewhere = shell(&venv.env, &body, &["--check", "true", "--json"]);
    assert_eq!(elsewhere.run().success().json().get("doubts"), None);
}

#[test]
fn a_resumed_loop_holds_programs_against_its_first_start() {
    let venv = Venv::new();
    venv.install("tool", "exit 1");
    let body = format!(
        "if test -e begun; then echo '{COMPLETE}'; else echo > begun; \
         printf '#!/bin/sh\\n' > .venv/bin/tool; /bin/chmod +x .venv/bin/tool; fi"
    );
    let args = ["--check", "tool", "--name", "m", "--max-iterations", "1", "--test-policy", "free"];
    drop(shell(&venv.env, &body, &args).env("PATH", &venv.path).run().code(1));
    let again = ["resume", "m", "--max-iterations", "2", "--json"];
    let ran = venv.call(&again).run().success().json();
    let doubts = ran["doubts"].to_string();
    assert!(doubts.contains("`.venv/bin/tool` was changed since the loop began"), "{ran}");
}

#[test]
fn a_program_that_puts_itself_back_when_a_check_runs_it_is_told() {
    let venv = Venv::new();
    venv.install("pytest", "exit 1");
    let fake = "#!/bin/sh\\nmv .venv/real .venv/bin/pytest\\n";
    let body = format!(
        "mv .venv/bin/pytest .venv/real; printf '{fake}' > .venv/bin/pytest; \
         chmod +x .venv/bin/pytest; echo '{COMPLETE}'"
    );
    let told =
        format!("`.venv/bin/pytest` was another in iteration 1 and is back as it was, {AFTER}");
    assert_eq!(doubts(&venv, &body, &["pytest -q"]), json!([told]));
    assert!(venv.env.read(".venv/bin/pytest").contains("exit 1"), "it is back");
    let shown = venv.call(&["show", "m"]).run().success().stdout;
    assert!(shown.contains(&format!("  doubt: {told}\n")), "{shown}");
}

/// An agent that in the first iteration has a program of its own, and in the second puts back what
/// was there. `first` is what else the first does.
fn there_and_back(first: &str) -> String {
    format!(
        "if test -e begun; then mv .venv/real .venv/bin/tool; touch done; echo '{COMPLETE}'\n\
         else touch begun; mv .venv/bin/tool .venv/real; printf '#!/bin/sh\\n' > .venv/bin/tool\n\
         chmod +x .venv/bin/tool; {first}; fi"
    )
}

#[test]
fn a_program_that_was_another_for_an_earlier_check_is_told() {
    let venv = Venv::new();
    venv.install("tool", "exit 0");
    let body = there_and_back(&format!("echo '{COMPLETE}'"));
    let told =
        format!("`.venv/bin/tool` was another in iteration 1 and is back as it was, {AFTER}");
    assert_eq!(doubts(&venv, &body, &["tool", "test -e done"]), json!([told]));
}

#[test]
fn a_program_that_was_another_while_no_check_ran_is_not_told() {
    let venv = Venv::new();
    venv.install("tool", "exit 0");
    assert_eq!(doubts(&venv, &there_and_back("true"), &["tool"]), Value::Null);
}

#[test]
fn a_resumed_loop_still_knows_which_programs_were_others_for_a_check() {
    let venv = Venv::new();
    venv.install("tool", "exit 0");
    let body = there_and_back(&format!("echo '{COMPLETE}'"));
    let args = ["--check", "tool", "--check", "test -e done", "--max-iterations", "1"];
    let first = shell(&venv.env, &body, &args).args(["--name", "m"]).env("PATH", &venv.path);
    drop(first.run().code(1));
    let ran = venv.call(&["resume", "m", "--max-iterations", "2", "--json"]).run().success().json();
    let told =
        format!("`.venv/bin/tool` was another in iteration 1 and is back as it was, {AFTER}");
    assert_eq!(ran["doubts"], json!([told]), "{ran}");
}

#[test]
fn a_loop_that_is_resumed_with_another_path_does_not_take_programs_for_gone() {
    let venv = Venv::new();
    venv.install("tool", "exit 0");
    let body = format!("if test -e begun; then echo '{COMPLETE}'; else touch begun; fi");
    let args = ["--check", "true", "--max-iterations", "1", "--name", "m"];
    drop(shell(&venv.env, &body, &args).env("PATH", &venv.path).run().code(1));
    let again = venv.env.command(["resume", "m", "--max-iterations", "2", "--json"]);
    assert_eq!(again.run().success().json().get("doubts"), None);
}

#[test]
fn programs_are_recorded_outside_of_a_repository_too() {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    env.write("bin/pytest", "#!/bin/sh\nexit 1\n");
    drop(env.other("/bin/chmod", ["+x", "bin/pytest"]).run().success());
    let path = env.variables().into_iter().find(|(name, _)| *name == "PATH").expect("it is set");
    let path = format!("{}:{}", env.work().join("bin").display(), path.1);
    let fake = "#!/bin/sh\\nmv real bin/pytest\\n";
    let body = format!(
        "mv bin/pytest real; printf '{fake}' > bin/pytest; chmod +x bin/pytest; echo '{COMPLETE}'"
    );
    let args = ["--check", "pytest", "--test-policy", "free", "--json"];
    let ran = shell(&env, &body, &args).env("PATH", path).run().success().json();
    let told = format!("`bin/pytest` was another in iteration 1 and is back as it was, {AFTER}");
    assert_eq!(ran["doubts"], json!([told]), "{ran}");
}

#[test]
fn what_tests_of_heal_may_have_run_is_told() {
    let venv = Venv::new();
    venv.install("tool", "exit 1");
    let script = one_finding("write a.txt x\nwrite .venv/bin/tool #!/bin/sh\\n\n");
    let ran = heal(&venv.env, &script, &["--test", "tool", "--test-policy", "free", "--json"])
        .env("PATH", &venv.path);
    let ran = ran.run().success().json();
    let told = format!("`.venv/bin/tool` was changed since the loop began, {AFTER}");
    assert_eq!(ran["doubts"], json!([told]), "{ran}");
}

#[test]
fn a_loop_without_programs_in_the_tree_records_none() {
    let venv = Venv::new();
    let body = format!("echo '{COMPLETE}'");
    drop(shell(&venv.env, &body, &["--check", "true"]).run().success());
    let query = "SELECT count(*) FROM journal WHERE body LIKE '%programs%'";
    assert_eq!(venv.env.sql(query), "0\n");
}
