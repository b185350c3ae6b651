//! Looks at the files of a git directory that git opens by name, before git is asked anything: an
//! agent may have put a pipe there that git would wait at, a link that leads elsewhere, or a file
//! that git would read into memory.

use std::{
    ffi::OsStr,
    fs::{self, DirEntry},
    os::unix::ffi::OsStrExt,
    path::Path,
};

use rustix::{
    fs::{AtFlags, FileType, statat},
    io::Errno,
};
use windlass_system::below::{Root, kind, open_dir, split};

use super::{TreeError, repository::Repository};

/// A ref or HEAD is a line.
const REF: u64 = 4096;

/// Lists and settings that people write.
const TEXT: u64 = 8 << 20;

/// Lists that git writes.
const LIST: u64 = 256 << 20;

/// Files of the git directory of a work tree, with the most that each may have.
const OWN: &[(&str, u64)] = &[
    ("HEAD", REF),
    ("commondir", REF),
    ("gitdir", REF),
    ("config.worktree", TEXT),
    ("index", INDEX),
    ("logs/HEAD", LIST),
];

/// Files that all work trees share.
const SHARED: &[(&str, u64)] = &[
    ("config", TEXT),
    ("packed-refs", LIST),
    ("shallow", LIST),
    ("objects/info/alternates", TEXT),
    ("objects/info/commit-graph", LIST),
];

/// Files that git reads of every other work tree.
const OTHERS: &[(&str, u64)] =
    &[("HEAD", REF), ("commondir", REF), ("gitdir", REF), ("locked", REF)];

/// An index that is larger is not one that git made for a work tree.
pub(super) const INDEX: u64 = 512 << 20;

/// Git makes 256 directories for objects, and two more.
const MOST_FOLDERS: usize = 4096;

/// More work trees than this are not looked at one by one.
const MOST_WORKTREES: usize = 4096;

impl Repository {
    /// Says what is in the way of asking git.
    pub(super) fn check(&self) -> Result<(), TreeError> {
        let own = self.open(&self.git_dir)?;
        for (name, most) in OWN {
            check(&own, &self.git_dir, name, *most)?;
        }
        let common = self.open(&self.common_dir)?;
        for (name, most) in SHARED {
            check(&common, &self.common_dir, name, *most)?;
        }
        for name in ["objects", "refs"] {
            check_directory(&common, &self.common_dir, name)?;
        }
        self.check_objects()?;
        self.check_worktrees()
    }

    /// Says whether a ref can be read by git.
    pub(super) fn check_ref(&self, name: &[u8]) -> Result<(), TreeError> {
        let common = self.open(&self.common_dir)?;
        let name = OsStr::from_bytes(name).to_string_lossy();
        check(&common, &self.common_dir, &name, REF)?;
        check(&common, &self.common_dir, &format!("logs/{name}"), LIST)
    }

    fn open(&self, directory: &Path) -> Result<Root, TreeError> {
        Root::open(directory).map_err(|errno| match errno {
            Errno::NOENT | Errno::NOTDIR if !self.top.is_dir() => {
                TreeError::Gone { path: self.top.clone() }
            }
            errno => TreeError::io("open", directory)(errno.into()),
        })
    }

    /// The directories that objects and packs are written into.
    fn check_objects(&self) -> Result<(), TreeError> {
        let folder = self.common_dir.join("objects");
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let is_link = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| kind.is_symlink());
        match entries.take(MOST_FOLDERS).find(is_link) {
            Some(link) => Err(strange(&link.path(), "a symbolic link")),
            None => Ok(()),
        }
    }

    fn check_worktrees(&self) -> Result<(), TreeError> {
        let folder = self.common_dir.join("worktrees");
        match folder.symlink_metadata() {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(strange(&folder, "not a directory")),
            Err(_) => return Ok(()),
        }
        let Ok(entries) = fs::read_dir(&folder) else { return Ok(()) };
        for entry in entries.flatten().take(MOST_WORKTREES) {
            if entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
                return Err(strange(&entry.path(), "a symbolic link"));
            }
            let Ok(root) = Root::open(&entry.path()) else { continue };
            for (name, most) in OTHERS {
                check(&root, &entry.path(), name, *most)?;
            }
        }
        Ok(())
    }
}

/// Says what is wrong with a file, if it is there.
fn check(root: &Root, directory: &Path, name: &str, most: u64) -> Result<(), TreeError> {
    let (parent, file) = split(name.as_bytes());
    let found =
        open_dir(root, parent).and_then(|parent| statat(parent, file, AtFlags::SYMLINK_NOFOLLOW));
    let stat = match found {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Ok(()),
        // A directory that is a link is none, to the kernel, when links are not followed.
        Err(Errno::NOTDIR) if !is_behind_link(root, parent) => return Ok(()),
        Err(Errno::LOOP | Errno::XDEV | Errno::NOTDIR) => {
            return Err(strange(&directory.join(name), "behind a symbolic link"));
        }
        // What may not be looked at, git says.
        Err(_) => return Ok(()),
    };
    let what = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => {
            let size = u64::try_from(stat.st_size).unwrap_or(0);
            if size <= most {
                return Ok(());
            }
            return Err(strange(&directory.join(name), &format!("{} MiB large", size >> 20)));
        }
        // A directory may stand where a ref was that is packed now.
        FileType::Directory => return Ok(()),
        FileType::Symlink => "a symbolic link",
        FileType::Fifo => "a pipe",
        _ => "a socket or a device",
    };
    Err(strange(&directory.join(name), what))
}

/// Whether a directory, or one above it, is a symbolic link.
fn is_behind_link(root: &Root, directory: &[u8]) -> bool {
    let ends = (0..directory.len()).filter(|at| directory[*at] == b'/').chain([directory.len()]);
    ends.filter_map(|end| kind(root, &directory[..end]).ok()).any(|kind| kind.is_symlink())
}

fn check_directory(root: &Root, directory: &Path, name: &str) -> Result<(), TreeError> {
    match statat(root, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) if !FileType::from_raw_mode(stat.st_mode).is_dir() => {
            Err(strange(&directory.join(name), "not a directory"))
        }
        _ => Ok(()),
    }
}

fn strange(path: &Path, what: &str) -> TreeError {
    TreeError::Strange { path: path.to_owned(), what: what.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, Mode, mkfifoat};

    use super::*;

    fn repository(folder: &Path) -> Repository {
        let git_dir = folder.join(".git");
        fs::create_dir_all(git_dir.join("objects/info")).unwrap();
        fs::create_dir_all(git_dir.join("refs/heads")).unwrap();
        fs::create_dir_all(git_dir.join("info")).unwrap();
        fs::create_dir_all(git_dir.join("worktrees/other")).unwrap();
        fs::write(git_dir.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        let common_dir = git_dir.clone();
        Repository { top: folder.to_owned(), git_dir, common_dir }
    }

    #[test]
    fn whatever_git_would_wait_at_follow_or_read_for_ever_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let found = repository(folder.path());
        assert!(found.check().is_ok());
        let at = |name: &str| found.git_dir.join(name);
        let names = ["index", "packed-refs", "config", "objects/info/alternates"];
        for name in names.into_iter().chain(["worktrees/other/HEAD", "shallow"]) {
            mkfifoat(CWD, at(name), Mode::RUSR).unwrap();
            let told = found.check().unwrap_err().to_string();
            assert!(told.contains(name) && told.contains("a pipe"), "{told}");
            fs::remove_file(at(name)).unwrap();
            symlink("/etc/passwd", at(name)).unwrap();
            let told = found.check().unwrap_err().to_string();
            assert!(told.contains(name) && told.contains("a symbolic link"), "{told}");
            fs::remove_file(at(name)).unwrap();
            fs::File::create(at(name)).unwrap().set_len(8 << 40).unwrap();
            let told = found.check().unwrap_err().to_string();
            assert!(told.contains(name) && told.contains("MiB large"), "{told}");
            fs::remove_file(at(name)).unwrap();
        }
        fs::remove_dir_all(at("refs")).unwrap();
        symlink("/elsewhere", at("refs")).unwrap();
        assert!(found.check().unwrap_err().to_string().contains("refs"));
    }
}
