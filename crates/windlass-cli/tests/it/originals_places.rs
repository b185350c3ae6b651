//! Originals where files cannot simply be moved: in directories that are closed even to their owner, and
//! across file systems.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
};

use testkit::Env;

use crate::{
    another_user::{User, give},
    mounts::Mount,
    originals::{CLAIM, RUN_TESTS, in_git},
    shell,
};

/// A loop whose agent weakens a test, and closes the directory that it is in.
fn closing(mode: &str) -> String {
    format!("echo true > tests/answer.sh; chmod {mode} tests; {CLAIM}")
}

fn originals(env: &Env) -> String {
    let shown = env.windlass(["show", "--json"]).success().json();
    shown["result"]["proof"]["originals"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_directory_that_is_closed_to_its_owner_is_opened_for_the_originals_and_closed_again() {
    let env = in_git();
    let Some(user) = User::of(&env, 41) else { return };
    let agent = env.agent_sh(&closing("0500"));
    if let Some(number) = user.number() {
        give(env.root(), number);
    }
    let args = ["iterate", "-p", "x", "--check", "run-tests", "--max-iterations", "1", "-c"];
    let ran = user.windlass(&env, &args).arg(agent).run().code(1);
    assert!(ran.stdout.contains("existing tests no longer pass: tests/answer.sh"), "{ran}");
    let tests = env.work().join("tests");
    let known = fs::metadata(&tests).expect("it is there");
    assert_eq!(known.mode() & 0o7777, 0o500, "it is closed again");
    assert_eq!(env.read("tests/answer.sh"), "true\n");
    let names: Vec<_> = fs::read_dir(env.work()).expect("it can be read").flatten().collect();
    assert!(names.iter().all(|entry| !entry.file_name().to_string_lossy().contains("windlass")));
    fs::set_permissions(&tests, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

#[test]
fn where_the_home_is_on_another_file_system_the_agents_files_wait_in_the_tree() {
    let env = in_git();
    let Some(_mount) = Mount::tmpfs(&env, env.windlass_home().to_owned(), "64m") else { return };
    // What waits is seen by the check, and by no snapshot.
    env.install("run-tests", &format!("ls -a > ../runs/seen\n{RUN_TESTS}"));
    let body = format!(
        "mkdir -p ../runs; chmod 640 tests/answer.sh; echo true > tests/answer.sh; {CLAIM}"
    );
    fs::create_dir_all(env.root().join("runs")).expect("it is ours");
    shell(&env, &body, &["--check", "run-tests", "--max-iterations", "1"]).run().code(1);
    assert_eq!(originals(&env), "failed");
    let seen = fs::read_to_string(env.root().join("runs/seen")).expect("the check wrote it");
    assert!(seen.contains("windlass"), "they were moved within the tree: {seen}");
    let file = env.work().join("tests/answer.sh");
    assert_eq!(env.read("tests/answer.sh"), "true\n");
    assert_eq!(fs::metadata(file).expect("it is there").mode() & 0o777, 0o640);
    assert_eq!(env.git(["status", "--porcelain", "--ignored"]), " M tests/answer.sh\n");
}

#[test]
fn where_the_tests_are_a_file_system_of_their_own_nothing_is_lost() {
    let env = in_git();
    let Some(_mount) = Mount::tmpfs(&env, env.work().join("tests"), "1m") else { return };
    env.write("tests/answer.sh", "grep -qx 42 answer\n");
    env.write("tests/there.sh", "test -f answer\n");
    let body = format!("echo true > tests/answer.sh; {CLAIM}");
    let args = ["--check", "run-tests", "--max-iterations", "1"];
    let ran = shell(&env, &body, &args).run().code(1);
    assert_eq!(env.read("tests/answer.sh"), "true\n");
    let told = "the original tests could not be put in place: `tests/answer.sh`";
    assert!(ran.stdout.contains(told), "{ran}");
    assert_eq!(env.git(["status", "--porcelain", "--ignored"]), " M tests/answer.sh\n");
}
