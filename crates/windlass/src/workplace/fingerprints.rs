//! Protected files: what they hold, read from the work tree.
//!
//! It looks at files and not at the snapshots, so that it also holds outside a repository and for
//! ignored files.
//!
//! A path that cannot be looked at is a value too: an agent that takes the right to read away must
//! not end the loop by it.

use std::{
    ffi::OsStr,
    io::{self, Read},
    os::unix::ffi::OsStrExt,
    path::{Component, Path, PathBuf},
};

use globset::GlobSet;
use walkdir::WalkDir;
use windlass_core::step::Fingerprints;
use windlass_proof::{GONE, UNREADABLE, globs};
use windlass_system::below::{self, Links, Root};

/// What is larger is not read: a sparse file of terabytes costs an agent nothing.
const MOST: u64 = 4 << 30;

/// More files than this are not looked at, whatever the globs match.
const MOST_FILES: usize = 100_000;

/// Which of these are files in `directory`, which is below `root`.
pub(super) fn existing(root: &Path, directory: &Path, mut files: Vec<String>) -> Vec<String> {
    let Ok(opened) = Root::open(root) else { return Vec::new() };
    files.retain(|file| {
        let path = below_root(root, &directory.join(file));
        path.is_some_and(|path| below::open_file(&opened, &path, Links::Inside).is_ok())
    });
    files
}

/// Which of these programs are scripts: files whose first line names what runs them. Others are
/// made from sources, and change with them.
pub(super) fn scripts(root: &Path, directory: &Path, mut programs: Vec<String>) -> Vec<String> {
    let Ok(opened) = Root::open(root) else { return Vec::new() };
    programs.retain(|program| {
        let path = below_root(root, &directory.join(program));
        let file = path.and_then(|path| below::open_file(&opened, &path, Links::Inside).ok());
        let mut start = [0; 2];
        file.is_some_and(|mut file| file.read_exact(&mut start).is_ok()) && start == *b"#!"
    });
    programs
}

/// What the protected files hold now.
pub(super) fn fingerprint(
    root: &Path,
    directory: &Path,
    patterns: &[String],
    files: &[String],
) -> Fingerprints {
    let mut prints = Fingerprints::new();
    let Ok(opened) = Root::open(root) else { return prints };
    let place = Place { root, opened, directory };
    for file in files {
        prints.insert(file.clone(), place.hash(Path::new(file)));
    }
    // What cannot be read as globs was refused before the loop began.
    let Ok(globs) = globs(patterns) else { return prints };
    if !patterns.is_empty() {
        place.walk(Path::new(""), &globs, &mut prints);
    }
    // No walk goes through links, but who names one means what is behind it.
    for (link, behind) in patterns.iter().filter_map(|pattern| place.linked(pattern)) {
        let name = link.to_string_lossy().into_owned();
        if place.leads_out(&link) {
            // What is behind it cannot be protected, and is none of the prompt's business.
            let why = "it is a link that leads out of the work tree";
            prints.insert(name, format!("{UNREADABLE}{why}"));
            continue;
        }
        prints.insert(name, place.hash(&link));
        place.walk(&behind, &globs, &mut prints);
    }
    prints
}

/// Where protected files are looked for.
struct Place<'a> {
    root: &'a Path,
    opened: Root,
    directory: &'a Path,
}

impl Place<'_> {
    /// Takes down what the globs match of all that is below `inside`.
    fn walk(&self, inside: &Path, globs: &GlobSet, prints: &mut Fingerprints) {
        let start = self.directory.join(inside);
        let walk = WalkDir::new(&start)
            .into_iter()
            .filter_entry(|entry| entry.file_name() != ".git" || entry.depth() == 0);
        for entry in walk {
            // A directory that cannot be read had files in it, and those are looked at by name.
            let Ok(entry) = entry else { continue };
            let Ok(below) = entry.path().strip_prefix(&start) else { continue };
            let path: PathBuf = inside.join(below).components().collect();
            if !entry.file_type().is_dir() && globs.is_match(&path) {
                let name = path.to_string_lossy().into_owned();
                if prints.len() >= MOST_FILES {
                    prints.insert(name, format!("{UNREADABLE}there are too many files"));
                    return;
                }
                prints.insert(name, self.hash(&path));
            }
        }
    }

    /// The first link to a directory on the way that a pattern names before its first wildcard, and
    /// that way as far as it leads to directories below the root.
    fn linked(&self, pattern: &str) -> Option<(PathBuf, PathBuf)> {
        let named =
            pattern.split('/').take_while(|part| !part.contains(['*', '?', '[', '{', '\\']));
        let (mut way, mut link) = (PathBuf::new(), None);
        for part in named.filter(|part| !part.is_empty() && *part != ".") {
            let next = way.join(part);
            let mut parts = Path::new(part).components();
            let inside = parts.all(|part| matches!(part, Component::Normal(_)));
            let whole = self.directory.join(&next);
            if link.is_none() && inside && whole.is_symlink() {
                link = Some(next.clone());
            }
            let real = whole.canonicalize().ok().filter(|real| real.starts_with(self.root));
            if !inside || !real.is_some_and(|real| real.is_dir()) {
                break;
            }
            way = next;
        }
        link.map(|link| (link, way))
    }

    /// Whether a link leads to a directory that is not below the root.
    fn leads_out(&self, link: &Path) -> bool {
        let real = self.directory.join(link).canonicalize();
        real.is_ok_and(|real| real.is_dir() && !real.starts_with(self.root))
    }

    /// The hash of what a path holds; for a symbolic link also where it leads. Anything that is no
    /// file (a FIFO would block) is told apart by its kind alone.
    fn hash(&self, path: &Path) -> String {
        match self.try_hash(path) {
            Ok(print) => print,
            Err(error) if is_gone(&error) => GONE.to_owned(),
            Err(error) => format!("{UNREADABLE}{error}"),
        }
    }

    fn try_hash(&self, path: &Path) -> io::Result<String> {
        let whole = self.directory.join(path);
        let kind = whole.symlink_metadata()?.file_type();
        let path = below_root(self.root, &whole).ok_or(io::ErrorKind::CrossesDevices)?;
        let held = || below::digest(&self.opened, &path, Links::Inside, MOST);
        if kind.is_symlink() {
            let held = match held() {
                Ok((digest, _)) => hex(&digest),
                // Where it leads is not in the work tree, or no file.
                Err(_) => "not a file".to_owned(),
            };
            return Ok(format!("link to {}: {held}", whole.read_link()?.display()));
        }
        if !kind.is_file() {
            return Ok("not a file".to_owned());
        }
        held().map(|(digest, _)| hex(&digest))
    }
}

/// A path as it is called below the root.
fn below_root(root: &Path, path: &Path) -> Option<Vec<u8>> {
    let inner = path.strip_prefix(root).ok()?;
    Some(OsStr::as_bytes(inner.as_os_str()).to_vec())
}

fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
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
    fn files_that_are_there_are_found_and_of_programs_only_scripts() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("tests")).unwrap();
        fs::write(dir.path().join("tests/t.sh"), "exit 0").unwrap();
        fs::write(dir.path().join("run"), "#!/bin/sh\n").unwrap();
        fs::write(dir.path().join("made"), "\x7fELF").unwrap();
        fs::write(dir.path().join("empty"), "").unwrap();
        let names = ["tests/t.sh", "tests", "gone"].map(str::to_owned).to_vec();
        assert_eq!(existing(dir.path(), dir.path(), names), ["tests/t.sh"]);
        let names = ["run", "made", "empty", "tests", "gone"].map(str::to_owned).to_vec();
        assert_eq!(scripts(dir.path(), dir.path(), names), ["run"]);
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
        let why = |_: &str| "by a glob".to_owned();
        let before = fingerprint(dir.path(), dir.path(), &patterns, &[]);
        assert_eq!(before.len(), 2);
        write("other", "2");
        assert!(
            differences(&before, &fingerprint(dir.path(), dir.path(), &patterns, &[]), why)
                .is_empty()
        );
        write("tests/a", "2");
        fs::remove_file(dir.path().join("tests/deep/b")).unwrap();
        write("tests/c", "");
        let now = fingerprint(dir.path(), dir.path(), &patterns, &[]);
        assert_eq!(
            differences(&before, &now, why),
            [
                "tests/a was changed, but it is protected (by a glob): restore it",
                "tests/deep/b was deleted, but it is protected (by a glob): restore it",
                "tests/c was added where all is protected (by a glob): remove it"
            ]
        );
    }
}
