//! Runs an ignored test of this binary as a process of its own, to be limited, stopped or killed.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const HOME: &str = "WINDLASS_TEST_HOME";

/// The command that runs `test` after `prelude`, a piece of shell, with `home` for its work.
pub fn again(test: &str, prelude: &str, home: &Path) -> Command {
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("{prelude}\nexec \"$0\" --exact {test} --ignored --nocapture"))
        .arg(env::current_exe().expect("a test knows its own file"))
        .env(HOME, home)
        .stdin(Stdio::null());
    command
}

/// The home that the test was given; `None` when it was started by hand.
pub fn given_home() -> Option<PathBuf> {
    env::var_os(HOME).map(PathBuf::from)
}
