//! What a second look at the library found: the moments between two others.

use std::{fs, path::PathBuf, time::Duration};

use testkit::{Env, wait_until};

use crate::{COMPLETE, change_store, scripted, shell, world};

const LIMIT: Duration = Duration::from_secs(20);

/// Takes back all that was stored after the last iteration was finished, as if windlass had been
/// killed there.
fn cut_off_after_the_iteration(env: &Env) {
    let last = "(SELECT max(seq) FROM events WHERE type = 'iteration_finished')";
    let surgery = format!(
        "UPDATE loops SET ending = NULL, last_seq = {last}; DELETE FROM journal WHERE seq > {last};"
    );
    change_store(env, &surgery);
}

fn sessions(env: &Env) -> String {
    env.sql("SELECT count(*) FROM sessions").trim().to_owned()
}

#[test]
fn a_kill_between_the_last_iteration_and_the_ending_gives_no_iteration_more() {
    let env = world();
    scripted(&env, "say 1\nnext\nsay 2\nnext\nsay 3", &["--max-iterations", "2"]).run().code(1);
    cut_off_after_the_iteration(&env);
    let ran = env.windlass(["resume", "-q"]).code(1);
    assert_eq!((ran.stdout.as_str(), sessions(&env).as_str()), ("max_iterations\n", "2"));
}

#[test]
fn a_loop_cut_off_on_its_last_iteration_goes_on_if_it_is_given_more() {
    let env = world();
    let script = format!("say 1\nnext\nsay 2\nnext\nsay {COMPLETE}");
    scripted(&env, &script, &["--max-iterations", "2"]).run().code(1);
    cut_off_after_the_iteration(&env);
    let ran = env.windlass(["resume", "-q", "--max-iterations", "3"]).success();
    assert_eq!((ran.stdout.as_str(), sessions(&env).as_str()), ("done\n", "3"));
}

#[test]
fn a_kill_between_the_last_failure_and_the_ending_calls_the_agent_no_more() {
    let env = world();
    shell(&env, "exit 3", &["--failure-threshold", "1"]).run().code(5);
    cut_off_after_the_iteration(&env);
    let ran = env.windlass(["resume", "-q"]).code(5);
    assert_eq!((ran.stdout.as_str(), sessions(&env).as_str()), ("agent_failed\n", "1"));
    let ran = env.windlass(["resume", "-q"]).code(5);
    assert_eq!(sessions(&env), "2", "it gets another chance once its ending is known: {ran}");
}

#[test]
fn a_loop_that_was_called_off_after_its_last_iteration_has_none_left() {
    let env = world();
    let (began, go) = (env.root().join("began"), env.root().join("go"));
    let body =
        format!("touch {}; while ! test -e {}; do sleep 0.02; done", began.display(), go.display());
    let running = shell(&env, &body, &["--max-iterations", "1"]).spawn();
    wait_until("it runs", LIMIT, || began.exists());
    drop(env.windlass(["cancel", "--after-iteration"]).success());
    wait_until("it was heard", LIMIT, || env.sql("SELECT count(*) FROM requests") == "0\n");
    fs::write(&go, "").unwrap();
    drop(running.wait());
    env.windlass(["resume", "-q"]).code(1);
    assert_eq!(sessions(&env), "1");
}

#[test]
fn what_an_iteration_took_back_is_committed_too() {
    let env = world();
    env.write("a.txt", "as it was\n");
    env.git(["add", "a.txt"]);
    env.git(["commit", "-qm", "a"]);
    let body = format!(
        "if grep -q was a.txt; then echo other >a.txt; else echo 'as it was' >a.txt; \
         echo '{COMPLETE}'; fi"
    );
    shell(&env, &body, &["--auto-commit"]).run().success();
    assert_eq!(env.git(["status", "--porcelain"]), "");
    assert_eq!(env.git(["show", "HEAD:a.txt"]).trim(), "as it was");
}

/// The one git directory of windlass's own.
fn own_directory(env: &Env) -> PathBuf {
    let entries = fs::read_dir(env.windlass_home().join("trees")).expect("there was a loop");
    let mut trees = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
    trees.next().expect("the loop has a tree")
}

#[test]
fn a_look_at_the_diff_leaves_the_files_of_a_running_loop_alone() {
    let env = world();
    let began = env.root().join("began");
    let body = format!("touch {}; sleep 60", began.display());
    let running = shell(&env, &body, &["--name", "mine"]).spawn();
    wait_until("it runs", LIMIT, || began.exists());
    let index = own_directory(&env).join("index-commit-00000000");
    fs::write(&index, "in use").unwrap();
    env.windlass(["diff", "mine"]).success();
    assert!(index.exists(), "the diff took away what a commit of the loop works on");
    let beside = ["iterate", "-q", "-p", "x", "-c", "true", "--worktree", "side"];
    env.command(beside).arg("--max-iterations=1").run().code(1);
    assert!(index.exists(), "a loop beside it took away what a commit of the loop works on");
    env.windlass(["cancel", "mine"]).success();
    drop(running.wait());
}

#[test]
fn a_prompt_file_of_a_loop_that_was_killed_goes_with_the_loop() {
    let env = world();
    let began = env.root().join("began");
    let body = format!("touch {}; sleep 60", began.display());
    let agent = format!("{} {{prompt_file}}", env.agent_sh(&body).display());
    let start = ["iterate", "-p", "x", "--name", "mine", "--prompt-mode", "file", "-c", &agent];
    let running = env.command(start).spawn();
    wait_until("it runs", LIMIT, || began.exists());
    drop(running.kill9());
    env.windlass(["rm", "mine"]).success();
    let left: Vec<_> = fs::read_dir(env.windlass_home().join("run")).unwrap().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_name_cannot_lead_out_of_its_folder() {
    let env = world();
    for name in [".", ".."] {
        let start = ["iterate", "-p", "x", "-c", "true", "--worktree", "b", "--name", name];
        let ran = env.windlass(start).code(2);
        assert!(ran.stderr.contains("a name"), "{ran}");
    }
    assert_eq!(env.git(["branch", "--list", "b"]), "");
}

#[test]
fn a_check_behind_a_link_is_protected_too() {
    let env = world();
    env.write("real.sh", "exit 1\n");
    std::os::unix::fs::symlink("real.sh", env.work().join("t.sh")).unwrap();
    let body = format!("echo exit 0 >real.sh; echo '{COMPLETE}'");
    let flags = ["--check", "sh t.sh", "--max-iterations", "1"];
    shell(&env, &body, &flags).run().code(1);
}

#[test]
fn an_agent_that_prunes_the_repository_does_not_end_the_loop() {
    let env = world();
    env.write("staged.txt", "only in the index\n");
    env.git(["add", "staged.txt"]);
    let body = format!(
        "git rm -q --cached staged.txt; rm staged.txt; git gc -q --prune=now; echo '{COMPLETE}'"
    );
    shell(&env, &body, &["--name", "mine"]).run().success();
    assert_eq!(env.sql("SELECT files_modified FROM loops"), "1\n");
}

#[test]
fn a_loop_that_is_taken_up_after_it_gave_up_does_not_pause_first() {
    let env = world();
    let body = format!("test -e mended || exit 3; echo '{COMPLETE}'");
    shell(&env, &body, &["--name", "mine", "--failure-threshold", "2"]).run().code(5);
    let pauses =
        "SELECT count(*) FROM events WHERE type = 'step_started' AND body LIKE '%/backoff\",%'";
    assert_eq!(env.sql(pauses), "1\n", "between the two failures");
    env.write("mended", "");
    assert_eq!(env.windlass(["resume", "mine", "-q"]).success().stdout, "done\n");
    assert_eq!(env.sql(pauses), "1\n", "none before the next try");
}
