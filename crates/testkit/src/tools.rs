//! Programs that tests run beside windlass.

use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::Command,
};

/// The hostile zoo: one program with dozens of bad manners. `zoo --list` tells them.
///
/// It is built with the workspace's tests; where only one crate's are built, it is built here.
#[track_caller]
pub fn zoo() -> PathBuf {
    let test = env::current_exe().expect("a test knows its own file");
    // target/debug/deps/it-0123 → target/debug/zoo
    let target = test.ancestors().nth(2).expect("tests are built two folders deep");
    let zoo = target.join("zoo");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin/zoo");
    if is_older(&zoo, &source) {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "--locked", "--offline", "--package=testkit", "--bin=zoo"]);
        // A bench is built with another profile than tests are, into another folder.
        let folder = target.file_name().and_then(|name| name.to_str()).unwrap_or("debug");
        build.arg(format!("--profile={}", if folder == "debug" { "dev" } else { folder }));
        build.current_dir(env!("CARGO_MANIFEST_DIR"));
        assert!(build.status().is_ok_and(|status| status.success()), "{build:?} failed");
    }
    assert!(zoo.is_file(), "{} is not there", zoo.display());
    zoo
}

/// Whether a program is missing, or older than a file of the folder that it is made of.
fn is_older(program: &Path, folder: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified());
    let Ok(built) = changed(program) else { return true };
    let sources = fs::read_dir(folder).into_iter().flatten().flatten();
    sources.filter_map(|entry| changed(&entry.path()).ok()).any(|source| source > built)
}

/// Whether a program such as `strace` is installed. A test that needs it passes by where it is
/// not; in CI it fails, for a test that is left out is one that nobody misses.
#[track_caller]
pub fn has(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).any(|folder| folder.join(program).is_file());
    assert!(found || env::var_os("CI").is_none(), "`{program}` is not installed");
    if !found {
        pass_by(&format!("`{program}` is not installed"));
    }
    found
}

/// Says aloud that a test is not run here, and why.
pub fn pass_by(why: &str) {
    // Nobody may be listening.
    writeln!(io::stderr(), "PASSED BY: {why}").ok();
}
