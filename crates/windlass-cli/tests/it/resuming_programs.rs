//! Which program of the agent a resumed loop runs: the one that it started with.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use testkit::{Env, Ran};

use crate::{COMPLETE, change_store, world};

/// A loop `mine` that used up its one iteration, with an agent that is found on `PATH` by its name.
fn used_up(env: &Env) -> PathBuf {
    let first = install(env, "first", "exit 1");
    let args = ["iterate", "-p", "x", "-c", "my-agent", "--name", "mine", "--max-iterations", "1"];
    drop(env.command(args).env("PATH", path(env, &["first"])).run().code(1));
    fs::write(&first, format!("#!/bin/sh\necho 'the first; {COMPLETE}'\n"))
        .expect("the folder is ours");
    first
}

/// Puts the agent's program into a directory of its own.
fn install(env: &Env, directory: &str, body: &str) -> PathBuf {
    let path = env.root().join(directory).join("my-agent");
    fs::create_dir_all(env.root().join(directory)).expect("the folder is ours");
    fs::write(&path, format!("#!/bin/sh\n{body}\n")).expect("the folder is ours");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the folder is ours");
    path
}

/// A `PATH` that begins with these directories.
fn path(env: &Env, first: &[&str]) -> String {
    let usual = env.variables().into_iter().find(|(name, _)| *name == "PATH").expect("it is set").1;
    let first = first.iter().map(|name| env.root().join(name).display().to_string());
    first.chain([usual]).collect::<Vec<_>>().join(":")
}

fn resume(env: &Env, first: &[&str]) -> Ran {
    let args = ["resume", "mine", "--max-iterations", "2"];
    env.command(args).env("PATH", path(env, first)).run()
}

#[track_caller]
fn assert_said(env: &Env, said: &str) {
    let shown = env.windlass(["show", "mine", "--json"]).success().json();
    let text = shown["result"]["final_text"].to_string();
    assert!(text.contains(said), "{text}");
}

#[test]
fn a_resumed_loop_runs_the_program_that_it_started_with() {
    let env = world();
    used_up(&env);
    install(&env, "second", &format!("echo 'the second; {COMPLETE}'"));
    let ran = resume(&env, &["second", "first"]).success();
    assert!(!ran.stderr.contains("any more"), "{ran}");
    assert_said(&env, "the first");
}

#[test]
fn a_resumed_loop_finds_its_program_where_path_does_not_lead_any_more() {
    let env = world();
    used_up(&env);
    drop(resume(&env, &[]).success());
    assert_said(&env, "the first");
}

#[test]
fn a_program_that_is_gone_is_looked_for_again_and_that_is_told() {
    let env = world();
    let first = used_up(&env);
    let second = install(&env, "second", &format!("echo 'the second; {COMPLETE}'"));
    fs::remove_file(&first).unwrap();
    let ran = resume(&env, &["second"]).success();
    let (first, second) = (first.display(), second.display());
    let told =
        format!("`my-agent` is not at `{first}` any more: this loop continues with `{second}`\n");
    assert!(ran.stderr.contains(&told), "{ran}");
    assert_said(&env, "the second");
    let kept = env.sql("SELECT options ->> '$.programs.my-agent' FROM loop_options");
    assert_eq!(kept, format!("{second}\n"), "from now on it is that one");
}

#[test]
fn a_program_that_is_gone_and_was_planted_elsewhere_is_told_as_such() {
    let env = world();
    let first = used_up(&env);
    fs::remove_file(&first).unwrap();
    install(&env, "work/.venv/bin", &format!("echo 'planted; {COMPLETE}'"));
    let ran = resume(&env, &["work/.venv/bin"]).success();
    assert!(ran.stderr.contains("my-agent`, which an agent can write\n"), "{ran}");
}

#[test]
fn a_program_that_is_gone_everywhere_is_an_error() {
    let env = world();
    fs::remove_file(used_up(&env)).unwrap();
    let refused = resume(&env, &[]).code(4).stderr;
    assert!(refused.contains("the agent `command` cannot be started"), "{refused}");
}

#[test]
fn a_loop_that_did_not_keep_where_its_program_was_is_resumed_as_before() {
    let env = world();
    used_up(&env);
    install(&env, "second", &format!("echo 'the second; {COMPLETE}'"));
    change_store(&env, "UPDATE loop_options SET options = json_remove(options, '$.programs')");
    let ran = resume(&env, &["second", "first"]).success();
    assert!(!ran.stderr.contains("any more"), "{ran}");
    assert_said(&env, "the second");
}
