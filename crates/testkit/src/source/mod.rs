//! Files of the workspace, and Rust files as their tokens say. What is missing is an error: a guard
//! that finds nothing to look at must not pass.

mod attributes;
pub mod facts;
mod shapes;
#[cfg(test)]
mod tests;
mod tokens;
mod uses;

use std::{
    fs,
    path::{Path, PathBuf},
};

use facts::Facts;

/// One Rust file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path, relative to the root of the workspace.
    pub path: String,
    /// Its text as it is.
    pub text: String,
    pub facts: Facts,
}

impl Source {
    /// Makes one of a text.
    #[track_caller]
    pub fn new(path: &str, text: &str) -> Self {
        match tokens::read(text) {
            Ok(facts) => Self { path: path.to_owned(), text: text.to_owned(), facts },
            Err(error) => panic!("{path} is not Rust: {error}"),
        }
    }

    /// Whether it is `place`, or below it: `crates/x/src/store` is `store.rs` and all of `store/`.
    pub fn is_in(&self, place: &str) -> bool {
        self.path == place
            || self
                .path
                .strip_prefix(place)
                .is_some_and(|rest| rest == ".rs" || rest.starts_with('/') || place.ends_with('/'))
    }

    /// How many lines are not unit tests.
    pub fn lines(&self) -> usize {
        self.text.lines().count().saturating_sub(self.facts.test_lines)
    }
}

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace exists")
}

/// All Rust files below a folder of the workspace, sorted. Fails if there are none.
#[track_caller]
pub fn rust_files(below: &str) -> Vec<Source> {
    let files = files(below, "rs");
    assert!(!files.is_empty(), "there are no Rust files below {below}");
    files.into_iter().map(|path| Source::new(&path, &text(&path))).collect()
}

/// All files with that extension below a folder of the workspace, relative to its root, sorted.
/// Fails if there is no such folder.
#[track_caller]
pub fn files(below: &str, extension: &str) -> Vec<String> {
    let root = workspace();
    let mut found = Vec::new();
    let mut folders = vec![root.join(below)];
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => panic!("{} cannot be listed: {error}", folder.display()),
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|this| this == extension) {
                let path = path.strip_prefix(&root).expect("it is below the root");
                found.push(path.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

/// The text of a file of the workspace. Fails if there is none.
#[track_caller]
pub fn text(path: &str) -> String {
    match fs::read_to_string(workspace().join(path)) {
        Ok(text) => text,
        Err(error) => panic!("{path} cannot be read: {error}"),
    }
}
