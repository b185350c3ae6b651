//! Protected files: what they held when the loop began, so that an agent cannot pass a check by
//! changing it.
//!
//! It looks at files and not at the snapshots, so that it also holds outside a repository and for
//! ignored files.

mod print;

use std::{
    collections::BTreeSet,
    path::{Component, Path},
};

use globset::{Glob, GlobSet, GlobSetBuilder};
use windlass_core::step::Fingerprints;

use print::{GONE, why_unreadable};
pub use print::{fingerprint, unreadable};

/// A glob of the user that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("`{glob}` is not a glob")]
pub struct BadGlob {
    glob: String,
    #[source]
    source: globset::Error,
}

/// Compiles the user's globs; a slash is never matched by `*`, only by `**`.
pub fn globs(patterns: &[String]) -> Result<GlobSet, BadGlob> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let relative = pattern.strip_prefix("./").unwrap_or(pattern);
        let glob = globset::GlobBuilder::new(relative)
            .literal_separator(true)
            .build()
            .map_err(|source| BadGlob { glob: pattern.clone(), source })?;
        set.add(glob);
        // `tests` and `tests/` protect what is in the directory, as people expect.
        if let Ok(below) = Glob::new(&format!("{}/**", relative.trim_end_matches('/'))) {
            set.add(below);
        }
    }
    set.build().map_err(|source| BadGlob { glob: patterns.join(" "), source })
}

/// The files in `directory` that the commands of the checks name, such as `tests/t.sh` in
/// `sh tests/t.sh`.
pub fn named_by_checks(directory: &Path, checks: &[String]) -> Vec<String> {
    let mut files = BTreeSet::new();
    for check in checks {
        let words = shell_words::split(check)
            .unwrap_or_else(|_| check.split_whitespace().map(str::to_owned).collect());
        for word in words.iter().flat_map(|word| word.split([';', '&', '|', '(', ')', '<', '>'])) {
            let path = Path::new(word);
            let inside = path.is_relative()
                && path.components().all(|part| !matches!(part, Component::ParentDir));
            if !word.is_empty() && inside && directory.join(path).is_file() {
                files.insert(word.strip_prefix("./").unwrap_or(word).to_owned());
            }
        }
    }
    files.into_iter().collect()
}

/// What differs, is gone, or is new: a clause each that tells the agent what to do about it.
pub fn differences(before: &Fingerprints, now: &Fingerprints) -> Vec<String> {
    let protected = "and it is protected: put it back as it was";
    let mut found = Vec::new();
    for (path, print) in before {
        match now.get(path) {
            Some(now) if now == print => (),
            Some(now) if why_unreadable(now).is_some() => {
                found.push(format!("{path} cannot be read any more, {protected}"));
            }
            Some(now) if now != GONE => found.push(format!("{path} was changed, {protected}")),
            _ => found.push(format!("{path} was deleted, {protected}")),
        }
    }
    let new = now.iter().filter(|(path, print)| !before.contains_key(*path) && *print != GONE);
    found
        .extend(new.map(|(path, _)| format!("{path} was added where all is protected: remove it")));
    found
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_that_a_check_names_are_found() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("tests")).unwrap();
        fs::write(dir.path().join("tests/t.sh"), "exit 0").unwrap();
        fs::write(dir.path().join("run"), "").unwrap();
        let checks =
            ["sh tests/t.sh && ./run; cat /etc/passwd", "cargo test", "sh ../x"].map(str::to_owned);
        assert_eq!(named_by_checks(dir.path(), &checks), ["run", "tests/t.sh"]);
    }

    #[test]
    fn a_change_a_deletion_and_an_addition_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| fs::write(dir.path().join(path), text).unwrap();
        fs::create_dir_all(dir.path().join("tests/deep")).unwrap();
        write("tests/a", "1");
        write("tests/deep/b", "1");
        write("other", "1");
        let patterns = ["tests/**".to_owned()];
        let before = fingerprint(dir.path(), &patterns, &[]);
        assert_eq!(before.len(), 2);
        write("other", "2");
        assert!(differences(&before, &fingerprint(dir.path(), &patterns, &[])).is_empty());
        write("tests/a", "2");
        fs::remove_file(dir.path().join("tests/deep/b")).unwrap();
        write("tests/c", "");
        let now = fingerprint(dir.path(), &patterns, &[]);
        assert_eq!(
            differences(&before, &now),
            [
                "tests/a was changed, and it is protected: put it back as it was",
                "tests/deep/b was deleted, and it is protected: put it back as it was",
                "tests/c was added where all is protected: remove it"
            ]
        );
    }

    #[test]
    fn a_directory_as_a_pattern_protects_what_is_in_it() {
        let set = globs(&["tests/".to_owned(), "*.lock".to_owned()]).unwrap();
        assert!(set.is_match("tests/deep/t.rs"));
        assert!(set.is_match("a.lock"));
        assert!(!set.is_match("sub/a.lock"));
    }

    #[test]
    fn a_broken_glob_is_told() {
        assert_eq!(globs(&["a[".to_owned()]).unwrap_err().to_string(), "`a[` is not a glob");
    }
}
