//! Rust source as the tidy tests see it: code without comments and strings, and the paths that it
//! uses. No parser: it reads what `rustfmt` leaves.

mod code;
mod paths;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// One Rust file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path, relative to the root of the workspace.
    pub path: String,
    /// Its text as it is.
    pub text: String,
    /// The text without comments and without what strings hold; lines stay lines. Unit tests at
    /// the foot of the file are left out.
    pub code: String,
    /// Every path that the code names, with `use a::{b, c}` taken apart.
    pub paths: Vec<String>,
}

impl Source {
    /// Makes one of a text.
    pub fn new(path: &str, text: &str) -> Self {
        let stripped = code::strip(text);
        let code = without_tests(&stripped).to_owned();
        let paths = paths::of(&code);
        Self { path: path.to_owned(), text: text.to_owned(), code, paths }
    }

    /// Whether it is a test: a file of a `tests` folder, or a `tests.rs` beside what it tests.
    pub fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.ends_with("/tests.rs")
    }

    /// Whether it is the module `module` of the crate, or below it: `store` is `src/store.rs`
    /// and all of `src/store/`.
    pub fn is_in(&self, module: &str) -> bool {
        let Some((_, inner)) = self.path.split_once("/src/") else { return false };
        inner == format!("{module}.rs") || inner.starts_with(&format!("{module}/"))
    }

    /// Whether the code names `path` or something below it, in full or in a `use`.
    pub fn names(&self, path: &str) -> bool {
        let below = format!("{path}::");
        self.paths.iter().any(|named| named == path || named.starts_with(&below))
    }

    /// How many lines are not unit tests.
    pub fn lines(&self) -> usize {
        self.code.lines().count()
    }
}

/// The code before the unit tests at the foot of a file.
fn without_tests(code: &str) -> &str {
    let marks = code.match_indices("#[cfg(test)]\n");
    let foot = marks.map(|(at, _)| at).find(|at| {
        // `mod tests;` is a file of its own; what follows it is still code.
        let next = code[*at..].lines().nth(1).unwrap_or_default();
        next.contains("mod ") && next.ends_with('{')
    });
    foot.map_or(code, |at| &code[..at])
}

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace exists")
}

/// All Rust files below a folder of the workspace, sorted; none where there is no such folder.
pub fn rust_files(below: &str) -> Vec<Source> {
    let root = workspace();
    files(below, "rs")
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(root.join(&path)).expect("sources are UTF-8");
            Source::new(&path, &text)
        })
        .collect()
}

/// All files with that extension below a folder of the workspace, relative to its root, sorted.
pub fn files(below: &str, extension: &str) -> Vec<String> {
    let root = workspace();
    let mut found = Vec::new();
    let mut folders = vec![root.join(below)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
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

/// The text of a file of the workspace; empty where there is none.
pub fn text(path: &str) -> String {
    fs::read_to_string(workspace().join(path)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_comment_or_a_string_says_is_not_named() {
        let source = Source::new(
            "crates/x/src/a.rs",
            "//! std::fs\nfn a() { let s = \"std::net::TcpStream\"; /* std::env */ std::io::stdin(); }\n",
        );
        assert!(!source.names("std::fs"));
        assert!(!source.names("std::net"));
        assert!(!source.names("std::env"));
        assert!(source.names("std::io"));
        assert!(!source.names("std::i"));
    }

    #[test]
    fn a_grouped_use_is_taken_apart() {
        let source = Source::new(
            "crates/x/src/a.rs",
            "use std::{\n    fs::{self, File as Open},\n    process::Command,\n};\n",
        );
        assert!(source.names("std::fs"));
        assert!(source.names("std::fs::File"));
        assert!(source.names("std::process::Command"));
    }

    #[test]
    fn unit_tests_at_the_foot_do_not_count() {
        for module in ["mod tests", "pub(crate) mod tests"] {
            let text = format!("use a::b;\n#[cfg(test)]\n{module} {{\n    use std::fs;\n}}\n");
            let source = Source::new("crates/x/src/a.rs", &text);
            assert!(!source.names("std::fs"));
            assert_eq!(source.lines(), 1);
        }
    }

    #[test]
    fn a_test_module_in_its_own_file_hides_nothing() {
        let source = Source::new("crates/x/src/a.rs", "#[cfg(test)]\nmod tests;\nuse std::fs;\n");
        assert!(source.names("std::fs"));
    }

    #[test]
    fn modules_are_told_apart() {
        let source = Source::new("crates/windlass/src/store/mod.rs", "");
        assert!(source.is_in("store"));
        assert!(!source.is_in("sto"));
        assert!(!source.is_test());
        assert!(Source::new("crates/windlass/src/claim/tests.rs", "").is_test());
    }
}
