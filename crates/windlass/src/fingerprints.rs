//! Protected files: what they hold, read from the work tree.
//!
//! It looks at files and not at the snapshots, so that it also holds outside a repository and for
//! ignored files.
//!
//! A path that cannot be looked at is a value too: an agent that takes the right to read away must
//! not end the loop by it.

use std::{
    fs::File,
    io::{self, Read},
    path::{Component, Path, PathBuf},
};

use globset::GlobSet;
use sha2::{Digest, Sha256};
use walkdir::WalkDir;
use windlass_core::step::Fingerprints;
use windlass_proof::{GONE, UNREADABLE, globs, named_paths};

/// Which of the files that the commands of the checks name are in `directory`, such as `tests/t.sh`
/// in `sh tests/t.sh`.
pub(crate) fn named_by_checks(directory: &Path, checks: &[String]) -> Vec<String> {
    let mut files = named_paths(checks);
    files.retain(|file| directory.join(file).is_file());
    files
}

/// What the protected files hold now.
pub(crate) fn fingerprint(directory: &Path, patterns: &[String], files: &[String]) -> Fingerprints {
    let mut prints = Fingerprints::new();
    for file in files {
        prints.insert(file.clone(), hash(&directory.join(file)));
    }
    // What cannot be read as globs was refused before the loop began.
    let Ok(globs) = globs(patterns) else { return prints };
    if !patterns.is_empty() {
        walk(directory, Path::new(""), &globs, &mut prints);
    }
    // No walk goes through links, but who names one means what is behind it.
    for (link, behind) in patterns.iter().filter_map(|pattern| linked(directory, pattern)) {
        prints.insert(link.to_string_lossy().into_owned(), hash(&directory.join(&link)));
        walk(directory, &behind, &globs, &mut prints);
    }
    prints
}

/// Takes down what the globs match of all that is below `inside`.
fn walk(directory: &Path, inside: &Path, globs: &GlobSet, prints: &mut Fingerprints) {
    let root = directory.join(inside);
    let walk = WalkDir::new(&root)
        .into_iter()
        .filter_entry(|entry| entry.file_name() != ".git" || entry.depth() == 0);
    for entry in walk {
        // A directory that cannot be read had files in it, and those are looked at by name.
        let Ok(entry) = entry else { continue };
        let Ok(below) = entry.path().strip_prefix(&root) else { continue };
        let path: PathBuf = inside.join(below).components().collect();
        if !entry.file_type().is_dir() && globs.is_match(&path) {
            prints.insert(path.to_string_lossy().into_owned(), hash(entry.path()));
        }
    }
}

/// The first link to a directory on the way that a pattern names before its first wildcard, and
/// that way as far as it leads to directories.
fn linked(directory: &Path, pattern: &str) -> Option<(PathBuf, PathBuf)> {
    let named = pattern.split('/').take_while(|part| !part.contains(['*', '?', '[', '{', '\\']));
    let (mut way, mut link) = (PathBuf::new(), None);
    for part in named.filter(|part| !part.is_empty() && *part != ".") {
        let next = way.join(part);
        let inside = Path::new(part).components().all(|part| matches!(part, Component::Normal(_)));
        if !inside || !directory.join(&next).is_dir() {
            break;
        }
        if link.is_none() && directory.join(&next).is_symlink() {
            link = Some(next.clone());
        }
        way = next;
    }
    link.map(|link| (link, way))
}

/// The hash of what a path holds; for a symbolic link also where it leads. Anything that is no
/// file (a FIFO would block) is told apart by its kind alone.
fn hash(path: &Path) -> String {
    match try_hash(path) {
        Ok(print) => print,
        Err(error) if is_gone(&error) => GONE.to_owned(),
        Err(error) => format!("{UNREADABLE}{error}"),
    }
}

fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn try_hash(path: &Path) -> io::Result<String> {
    let kind = path.symlink_metadata()?.file_type();
    if kind.is_symlink() {
        let held = match path.metadata() {
            Ok(metadata) if metadata.is_file() => contents(path)?,
            _ => "not a file".to_owned(),
        };
        return Ok(format!("link to {}: {held}", path.read_link()?.display()));
    }
    if !kind.is_file() {
        return Ok("not a file".to_owned());
    }
    contents(path)
}

fn contents(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            n => hasher.update(&buffer[..n]),
        }
    }
    Ok(hex(&hasher.finalize()))
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
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

    use windlass_proof::differences;

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
}
