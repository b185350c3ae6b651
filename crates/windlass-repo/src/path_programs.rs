//! What programs stand in directories of the work tree that `PATH` leads to, such as those of a
//! virtual environment. Git often ignores them, so snapshots do not have them; and a check runs what
//! it finds there.
//!
//! An agent owns these directories: everything is bounded, and nothing blocks.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io::{self, Read},
    os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use rustix::fs::OFlags;
use sha2::{Digest, Sha256};
use windlass_core::step::Fingerprints;

/// So many entries are looked at, over all directories.
const MOST_ENTRIES: usize = 10_000;

/// So many bytes are read, over all files. What is not read is known by its size and its times.
const MOST_BYTES: u64 = 256 << 20;

/// The programs in these directories, and what each holds; those below `top` by their paths there.
pub fn path_programs(directories: &[PathBuf], top: &Path) -> Fingerprints {
    let mut found = Fingerprints::new();
    let mut left = Left { entries: MOST_ENTRIES, bytes: MOST_BYTES };
    for directory in directories {
        let Ok(real) = directory.canonicalize() else { continue };
        let Ok(entries) = fs::read_dir(&real) else { continue };
        for entry in entries.flatten() {
            if left.entries == 0 {
                return found;
            }
            left.entries -= 1;
            let path = entry.path();
            let shown = path.strip_prefix(top).unwrap_or(&path).to_string_lossy().into_owned();
            if let Some(print) = print(&path, top, &mut left) {
                found.insert(shown, print);
            }
        }
    }
    found
}

/// What may still be looked at.
struct Left {
    entries: usize,
    bytes: u64,
}

/// What a program holds; `None` for what is no program, or gone.
fn print(path: &Path, top: &Path, left: &mut Left) -> Option<String> {
    let known = path.symlink_metadata().ok()?;
    if known.is_symlink() {
        let target = path.read_link().ok()?;
        // What is behind it outside of the tree is not the agent's to change.
        let real = path.canonicalize().ok().filter(|real| real.starts_with(top));
        let behind = real.and_then(|real| contents(&real, left).ok());
        let behind = behind.map(|behind| format!(": {behind}")).unwrap_or_default();
        return Some(format!("link to {}{behind}", target.display()));
    }
    if !known.is_file() || known.permissions().mode() & 0o111 == 0 {
        return None;
    }
    Some(contents(path, left).unwrap_or_else(|error| format!("unreadable: {error}")))
}

fn contents(path: &Path, left: &mut Left) -> io::Result<String> {
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY;
    let flags = i32::try_from(flags.bits()).unwrap_or_default();
    let file: File = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let known = file.metadata()?;
    if !known.is_file() {
        return Ok("not a file".to_owned());
    }
    if known.len() > left.bytes {
        return Ok(identity(&known));
    }
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    // It may grow meanwhile.
    let mut file = file.take(left.bytes);
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            n => {
                left.bytes = left.bytes.saturating_sub(n as u64);
                hasher.update(&buffer[..n]);
            }
        }
    }
    Ok(hex(&hasher.finalize()))
}

/// What a file is known by that is too large to be read. Nobody sets the last of the times.
fn identity(known: &Metadata) -> String {
    let (size, inode) = (known.len(), known.ino());
    let (changed, nanoseconds) = (known.ctime(), known.ctime_nsec());
    format!("{size} bytes, inode {inode}, changed at {changed}.{nanoseconds:09}")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::{ffi::OsStr, os::unix::fs::symlink};

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    fn program(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn programs_are_known_by_what_they_hold_and_nothing_blocks() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (top, bin) = (root.join("tree"), root.join("tree/.venv/bin"));
        program(&bin.join("pytest"), "one");
        program(&top.join("tools/real"), "two");
        fs::write(bin.join("activate"), "").unwrap();
        symlink("../../tools/real", bin.join("linked")).unwrap();
        symlink("/dev/zero", bin.join("zero")).unwrap();
        symlink("nowhere", bin.join("broken")).unwrap();
        mknodat(CWD, bin.join("fifo"), FileType::Fifo, Mode::from_raw_mode(0o777), 0).unwrap();
        let huge = File::create(bin.join("huge")).unwrap();
        huge.set_len(8 << 40).unwrap();
        fs::set_permissions(bin.join("huge"), fs::Permissions::from_mode(0o755)).unwrap();
        let directories = [bin.clone(), top.join("none")];
        let before = path_programs(&directories, &top);
        let names: Vec<&str> = before.keys().map(String::as_str).collect();
        let expected = ["broken", "huge", "linked", "pytest", "zero"];
        assert_eq!(names, expected.map(|name| format!(".venv/bin/{name}")));
        assert_eq!(before[".venv/bin/zero"], "link to /dev/zero");
        fs::write(top.join("tools/real"), "other").unwrap();
        let after = path_programs(&directories, &top);
        let changed: Vec<_> = after.iter().filter(|(path, now)| before[*path] != **now).collect();
        assert_eq!(changed.len(), 1, "{changed:?}");
        assert_eq!(Path::new(changed[0].0).file_name(), Some(OsStr::new("linked")));
    }
}
