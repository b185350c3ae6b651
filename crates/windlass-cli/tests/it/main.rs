//! windlass as its users meet it: real calls, whole outputs, exit codes.

mod agents;
mod basics;
mod cancel;
mod config;
mod crash_loop;
mod doctor;
mod hostile;
mod oracle;
mod ownership;
mod screens;
mod settings;
mod storage;
mod survival;
mod trust;

use std::{fs, path::PathBuf};

use testkit::Env;

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
