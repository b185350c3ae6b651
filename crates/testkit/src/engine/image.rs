//! Images for tests, made of programs of this machine: nothing is pulled from anywhere.

use std::{
    env, fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
};

use crate::zoo;

/// A shell with its tools, git, the zoo and, where it is installed, `keyctl`, as a tar file.
pub(super) fn full() -> Vec<u8> {
    let root = tempfile::tempdir().expect("there is room for an image");
    let at = |path: &str| root.path().join(path.trim_start_matches('/'));
    for folder in ["bin", "etc", "proc", "tmp", "usr/local"] {
        fs::create_dir_all(at(folder)).expect("the folder is ours");
    }
    let busybox = on_path("busybox");
    fs::copy(&busybox, at("bin/busybox")).expect("busybox can be read");
    let listed = output(Command::new(&busybox).arg("--list"));
    for tool in listed.lines().filter(|tool| *tool != "busybox") {
        symlink("busybox", at("bin").join(tool)).expect("the folder is ours");
    }
    let keyctl = find("keyctl").map(|program| (program, "keyctl"));
    for (program, name) in [(on_path("git"), "git"), (zoo(), "zoo")].into_iter().chain(keyctl) {
        fs::copy(&program, at("bin").join(name)).expect("the program can be read");
        for library in libraries(&program) {
            let to = at(&library.to_string_lossy());
            fs::create_dir_all(to.parent().expect("it has one")).expect("the folder is ours");
            fs::copy(&library, to).expect("the library can be read");
        }
    }
    // A real agent's name, for what is its own: it does what the work tree says.
    fs::write(at("bin/claude"), "#!/bin/sh\n. ./claude.sh\n").expect("the folder is ours");
    fs::set_permissions(at("bin/claude"), fs::Permissions::from_mode(0o755)).expect("it is ours");
    tar(root.path())
}

/// One file, and no program at all.
pub(super) fn bare() -> Vec<u8> {
    let root = tempfile::tempdir().expect("there is room for an image");
    fs::write(root.path().join("file"), "").expect("the folder is ours");
    tar(root.path())
}

fn tar(root: &Path) -> Vec<u8> {
    let made = Command::new("tar").arg("-C").arg(root).args(["-cf", "-", "."]).output();
    made.expect("tar is installed").stdout
}

/// The libraries that a program is linked with, and what loads them.
fn libraries(program: &Path) -> Vec<PathBuf> {
    let listed = output(Command::new("ldd").arg(program));
    let words = listed.split_whitespace().filter(|word| word.starts_with('/'));
    words.map(PathBuf::from).collect()
}

fn on_path(program: &str) -> PathBuf {
    find(program).unwrap_or_else(|| panic!("`{program}` is not installed"))
}

fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file())
}

fn output(command: &mut Command) -> String {
    let output = command.output().expect("the program is installed");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
