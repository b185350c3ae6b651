//! What protected paths hold, as values that can be compared.
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

use super::{globs, hex};
use windlass_core::step::Fingerprints;

/// What is not there.
pub(super) const GONE: &str = "gone";

/// How the value of a path begins that cannot be read; the reason follows.
const UNREADABLE: &str = "unreadable: ";

/// Why the value says that its path could not be read; `None` where it could.
pub(super) fn why_unreadable(print: &str) -> Option<&str> {
    print.strip_prefix(UNREADABLE)
}

/// The first path of these that could not be read, and why.
pub fn unreadable(prints: &Fingerprints) -> Option<(&str, &str)> {
    prints.iter().find_map(|(path, print)| Some((path.as_str(), why_unreadable(print)?)))
}

/// What the protected files hold now.
pub fn fingerprint(directory: &Path, patterns: &[String], files: &[String]) -> Fingerprints {
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
