//! windlass as its users meet it: real calls, whole outputs, exit codes.

mod accepting;
mod agent_hooks;
mod agent_trust;
mod agent_trust_given;
mod agents;
mod another_user;
mod asking;
mod auditors;
mod background;
mod bad_input;
mod baseline;
mod basics;
mod became_a_link;
mod blocked;
mod browser;
mod budgets;
mod cancel;
mod checks_found;
mod checks_that_write;
mod choosing;
mod claims;
mod clocks;
mod compat;
mod config;
mod contained;
mod containers;
mod context;
mod crash_loop;
mod cut_off;
mod decoders;
mod demo;
mod detaching;
mod develop;
mod develop_asked;
mod develop_tasks;
mod doctor;
mod earlier;
mod escalating;
mod evidence;
mod git_work;
mod gym;
mod hardening;
mod heal;
mod heal_input;
mod heal_loop;
mod heal_reviews;
mod helping;
mod hooks;
mod hostile;
mod hostile_tree;
mod init;
mod inside_a_loop;
mod iterate;
mod left_behind;
mod library;
mod limits;
mod merging;
mod merging_asked;
mod merging_beside;
mod merging_conflicts;
mod merging_gc;
mod merging_killed;
mod merging_over;
mod morning;
mod mounts;
mod no_room;
mod not_readable;
mod nothing_to_review;
mod notifying;
mod once;
mod oracle;
mod originals;
mod originals_killed;
mod originals_places;
mod outputs;
mod overage;
mod ownership;
mod pace;
mod panicking;
mod planted_programs;
mod pr_apart;
mod pr_approving;
mod pr_failing;
mod pr_local;
mod pr_loop;
mod pr_loop_ends;
mod pr_post;
mod pr_post_faults;
mod private_git;
mod prompt_files;
mod prompts;
mod proof;
mod protected;
mod reading_roles;
mod readme;
mod recorded;
mod released;
mod repo_config;
mod resuming;
mod resuming_changed;
mod resuming_programs;
mod reviewed_resume;
mod rolling_back;
mod rules;
mod sandboxes;
mod screens;
mod second_look;
mod secrets;
mod serve;
mod serve_described;
mod serve_load;
mod serve_refusals;
mod settings;
mod short_calls;
mod signing_in;
mod starting;
mod status_block;
mod staying_awake;
mod storage;
mod suggesting;
mod survival;
mod tasks;
mod tasks_guard;
mod terminal;
mod terminal_facts;
mod trust;
mod typing;
mod unfinished;
mod watch;
mod watch_beside;
mod worktree_kinds;
mod worktrees;

use std::{fs, path::PathBuf};

use testkit::{Env, Invocation};

/// A world with a repository of one commit.
fn world() -> Env {
    Env::new(env!("CARGO_BIN_EXE_windlass"))
}

/// Writes the user's config file.
fn user_config(env: &Env, text: &str) -> PathBuf {
    let path = env.home().join(".config/windlass/config.toml");
    fs::create_dir_all(path.parent().expect("it is below the home")).expect("the folder is ours");
    fs::write(&path, text).expect("the folder is ours");
    path
}

/// What claims, unless a loop says otherwise.
const COMPLETE: &str = "<promise>COMPLETE</promise>";

/// `iterate` with the scripted agent, which plays `script`.
fn scripted<'a>(env: &'a Env, script: &str, args: &[&str]) -> Invocation<'a> {
    let call = env.command(["iterate", "-p", "mend it", "--agent", "scripted", "--script"]);
    args.iter().fold(call.arg(env.script(script)), |call, arg| call.arg(arg))
}

/// `iterate` with a shell program as its agent.
fn shell<'a>(env: &'a Env, body: &str, args: &[&str]) -> Invocation<'a> {
    let call = env.command(["iterate", "-p", "mend it", "-c"]).arg(env.agent_sh(body));
    args.iter().fold(call, |call, arg| call.arg(arg))
}

/// Puts the store into a state that a test needs.
#[expect(clippy::disallowed_methods, reason = "the test puts the store into a state of its own")]
fn change_store(env: &Env, statements: &str) {
    let path = env.windlass_home().join("windlass.db");
    let store = rusqlite::Connection::open(path).expect("it is there");
    store.execute_batch(statements).expect("the statements are sound");
}

/// The prompts that the newest loop gave its agent.
fn prompts_of(env: &Env) -> Vec<String> {
    let shown = env.windlass(["show", "--json"]).success().json();
    let sessions = shown["sessions"].as_array().expect("an array of sessions");
    sessions.iter().filter_map(|one| Some(one["prompt"].as_str()?.to_owned())).collect()
}
