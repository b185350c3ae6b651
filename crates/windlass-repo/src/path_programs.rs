//! What programs stand in directories of the work tree that `PATH` leads to, such as those of a
//! virtual environment. Git often ignores them, so snapshots do not have them; and a check runs what
//! it finds there.
//!
//! An agent owns these directories: everything is bounded, and nothing blocks.

use std::{
    collections::BTreeMap,
    fs::{self, File, Metadata, OpenOptions},
    io::{self, Read},
    os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use rustix::fs::OFlags;
use sha2::{Digest, Sha256};
use windlass_core::step::Fingerprints;

/// So many entries are looked at, over all directories.
const MOST_ENTRIES: usize = 10_000;

/// So many bytes are read, over all files. What is not read is known by its size and its times.
const MOST_BYTES: u64 = 256 << 20;

/// A file that changed more recently may change once more without another time.
const SETTLED: Duration = Duration::from_secs(1);

/// The programs in directories of a work tree, look after look. What did not change since the last
/// one is not read again.
#[derive(Debug, Default)]
pub struct PathPrograms {
    top: PathBuf,
    known: BTreeMap<PathBuf, Known>,
}

/// What a file held when it was read.
#[derive(Clone, Debug)]
struct Known {
    identity: String,
    print: String,
}

impl PathPrograms {
    /// Those of the work tree with that top.
    pub fn below(top: &Path) -> Self {
        Self { top: top.to_owned(), known: BTreeMap::new() }
    }

    /// The programs in these directories, and what each holds; those below the top by their paths
    /// there.
    pub fn look(&mut self, directories: &[PathBuf]) -> Fingerprints {
        let mut look = Look {
            top: &self.top,
            before: std::mem::take(&mut self.known),
            now: BTreeMap::new(),
            entries: MOST_ENTRIES,
            bytes: MOST_BYTES,
        };
        let mut found = Fingerprints::new();
        for directory in directories {
            look.enter(directory, &mut found);
        }
        self.known = look.now;
        found
    }
}

/// One look, with what may still be looked at.
struct Look<'a> {
    top: &'a Path,
    before: BTreeMap<PathBuf, Known>,
    now: BTreeMap<PathBuf, Known>,
    entries: usize,
    bytes: u64,
}

impl Look<'_> {
    fn enter(&mut self, directory: &Path, found: &mut Fingerprints) {
        let Ok(real) = directory.canonicalize() else { return };
        let Ok(entries) = fs::read_dir(&real) else { return };
        for entry in entries.flatten() {
            if self.entries == 0 {
                return;
            }
            self.entries -= 1;
            let path = entry.path();
            let shown = path.strip_prefix(self.top).unwrap_or(&path).to_string_lossy().into_owned();
            if let Some(print) = self.print(&path) {
                found.insert(shown, print);
            }
        }
    }

    /// What a program holds; `None` for what is no program, or gone.
    fn print(&mut self, path: &Path) -> Option<String> {
        let known = path.symlink_metadata().ok()?;
        if known.is_symlink() {
            let target = path.read_link().ok()?;
            // What is behind it outside of the tree is not the agent's to change.
            let real = path.canonicalize().ok().filter(|real| real.starts_with(self.top));
            let behind = real.and_then(|real| self.contents(&real).ok());
            let behind = behind.map(|behind| format!(": {behind}")).unwrap_or_default();
            return Some(format!("link to {}{behind}", target.display()));
        }
        if !known.is_file() || known.permissions().mode() & 0o111 == 0 {
            return None;
        }
        Some(self.contents(path).unwrap_or_else(|error| format!("unreadable: {error}")))
    }

    fn contents(&mut self, path: &Path) -> io::Result<String> {
        let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY;
        let flags = i32::try_from(flags.bits()).unwrap_or_default();
        let file: File = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
        let meta = file.metadata()?;
        if !meta.is_file() {
            return Ok("not a file".to_owned());
        }
        let identity = identity(&meta);
        if meta.len() > self.bytes {
            return Ok(identity);
        }
        if let Some(known) = self.before.get(path).filter(|known| known.identity == identity) {
            // As if it was read, so that what comes after it is treated as at the first look.
            self.bytes -= meta.len();
            self.now.insert(path.to_owned(), known.clone());
            return Ok(known.print.clone());
        }
        let print = self.read(file)?;
        if is_settled(&meta) {
            self.now.insert(path.to_owned(), Known { identity, print: print.clone() });
        }
        Ok(print)
    }

    fn read(&mut self, file: File) -> io::Result<String> {
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 64 * 1024];
        // It may grow meanwhile.
        let mut file = file.take(self.bytes);
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                n => {
                    self.bytes = self.bytes.saturating_sub(n as u64);
                    hasher.update(&buffer[..n]);
                }
            }
        }
        Ok(hex(&hasher.finalize()))
    }
}

/// What a file is known by that is not read. Nobody sets the last of the times.
fn identity(meta: &Metadata) -> String {
    let (size, inode) = (meta.len(), meta.ino());
    let (changed, nanoseconds) = (meta.ctime(), meta.ctime_nsec());
    format!("{size} bytes, inode {inode}, changed at {changed}.{nanoseconds:09}")
}

/// Whether whatever is written to a file from now on shows in its times.
fn is_settled(meta: &Metadata) -> bool {
    let seconds = u64::try_from(meta.ctime()).unwrap_or(u64::MAX);
    let changed = Duration::new(seconds, u32::try_from(meta.ctime_nsec()).unwrap_or_default());
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    now.checked_sub(changed).is_some_and(|age| age > SETTLED)
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
        let mut programs = PathPrograms::below(&top);
        let before = programs.look(&directories);
        let names: Vec<&str> = before.keys().map(String::as_str).collect();
        let expected = ["broken", "huge", "linked", "pytest", "zero"];
        assert_eq!(names, expected.map(|name| format!(".venv/bin/{name}")));
        assert_eq!(before[".venv/bin/zero"], "link to /dev/zero");
        fs::write(top.join("tools/real"), "other").unwrap();
        let after = programs.look(&directories);
        let changed: Vec<_> = after.iter().filter(|(path, now)| before[*path] != **now).collect();
        assert_eq!(changed.len(), 1, "{changed:?}");
        assert_eq!(Path::new(changed[0].0).file_name(), Some(OsStr::new("linked")));
    }

    #[test]
    fn what_did_not_change_is_not_read_again_and_what_did_is() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let bin = top.join("bin");
        program(&bin.join("old"), "one");
        let mut programs = PathPrograms::below(&top);
        let first = programs.look(std::slice::from_ref(&bin));
        assert!(programs.known.is_empty(), "it may change once more within the same moment");
        std::thread::sleep(SETTLED + Duration::from_millis(100));
        assert_eq!(programs.look(std::slice::from_ref(&bin)), first);
        let known = programs.known.get_mut(&bin.join("old")).unwrap();
        known.print = "remembered".to_owned();
        assert_eq!(programs.look(std::slice::from_ref(&bin))["bin/old"], "remembered");
        fs::write(bin.join("old"), "two").unwrap();
        let changed = programs.look(std::slice::from_ref(&bin));
        assert!(changed["bin/old"] != "remembered" && changed != first, "{changed:?}");
    }
}
