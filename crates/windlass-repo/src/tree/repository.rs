//! Where a repository is and what its files say, read as data: nothing is started here.

use std::{
    io,
    path::{Path, PathBuf},
};

use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use windlass_system::below::{self, Links, Root};

use super::{TreeError, belongs};

/// A ref or HEAD has no more bytes.
const MOST_IN_REF: u64 = 4096;

/// More packed refs than this are left to git.
const MOST_PACKED: u64 = 64 << 20;

/// A repository with a work tree: what was found before an agent acted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// The top of the work tree, canonical.
    #[serde(with = "crate::wire::path")]
    pub top: PathBuf,
    /// Its git directory: with HEAD and the index.
    #[serde(with = "crate::wire::path")]
    pub git_dir: PathBuf,
    /// What all of its worktrees share: objects, branches, config.
    #[serde(with = "crate::wire::path")]
    pub common_dir: PathBuf,
}

impl Repository {
    /// The repository that `directory` is in. A git directory elsewhere counts only if it refers
    /// back to the work tree: an agent may have written the file that names it.
    pub fn discover(directory: &Path) -> Result<Option<Self>, TreeError> {
        let start = directory.canonicalize().map_err(|source| {
            if source.kind() == io::ErrorKind::NotFound {
                TreeError::Gone { path: directory.to_owned() }
            } else {
                TreeError::io("look for the repository of", directory)(source)
            }
        })?;
        for top in start.ancestors() {
            if let Some((git_dir, common_dir)) = belongs::git_directories(top)? {
                return Ok(Some(Self { top: top.to_owned(), git_dir, common_dir }));
            }
        }
        Ok(None)
    }

    /// Where its objects are.
    pub(super) fn objects(&self) -> PathBuf {
        self.common_dir.join("objects")
    }

    /// Its index.
    pub(super) fn index(&self) -> PathBuf {
        self.git_dir.join("index")
    }

    /// The user's index, where it is one that git can be given; `None` where there is none.
    pub(super) fn checked_index(&self) -> Result<Option<PathBuf>, TreeError> {
        self.check()?;
        let index = self.index();
        Ok(index.symlink_metadata().is_ok().then_some(index))
    }

    /// What HEAD is, as far as the plain files tell.
    pub(super) fn head(&self) -> Result<Head, TreeError> {
        let root = open_root(&self.git_dir)?;
        match below::read_some(&root, b"HEAD", Links::Inside, MOST_IN_REF) {
            Ok(bytes) => self.resolve(&bytes),
            Err(error) => self.unless_strange(&self.git_dir.join("HEAD"), &error),
        }
    }

    fn resolve(&self, head: &[u8]) -> Result<Head, TreeError> {
        let head = head.trim_ascii_end();
        if let Some(id) = object_id(head) {
            return Ok(Head::At { branch: None, commit: Some(id) });
        }
        let Some(name) = head.strip_prefix(b"ref: ").map(<[u8]>::trim_ascii) else {
            return Ok(Head::Unknown);
        };
        // Anything else is another store of refs (`reftable` says `refs/heads/.invalid`), or a name
        // that leads out of the directory.
        if !is_plain_ref(name) || !self.has_plain_refs() {
            return Ok(Head::Unknown);
        }
        let branch = Some(String::from_utf8_lossy(name).into_owned());
        self.check_ref(name)?;
        let root = open_root(&self.common_dir)?;
        match below::read_some(&root, name, Links::Inside, MOST_IN_REF) {
            Ok(bytes) => Ok(match object_id(bytes.trim_ascii_end()) {
                Some(id) => Head::At { branch, commit: Some(id) },
                None => Head::Unknown,
            }),
            Err(error) if is_missing(&error) => {
                let found = self.packed(&root, name)?;
                Ok(found.map_or(Head::Unknown, |commit| Head::At { branch, commit }))
            }
            Err(error) => {
                let path = self.common_dir.join(String::from_utf8_lossy(name).as_ref());
                self.unless_strange(&path, &error)
            }
        }
    }

    fn has_plain_refs(&self) -> bool {
        !self.common_dir.join("reftable").exists()
    }

    /// The commit of a ref among the packed ones, if it is there; `None` where only git can tell.
    fn packed(&self, root: &Root, name: &[u8]) -> Result<Option<Option<String>>, TreeError> {
        let packed = match below::read(root, b"packed-refs", Links::Refused, MOST_PACKED) {
            Ok(packed) => packed,
            Err(error) if is_missing(&error) => return Ok(Some(None)),
            Err(error) => {
                let path = self.common_dir.join("packed-refs");
                return self.unless_strange(&path, &error).map(|_| None);
            }
        };
        Ok(Some(packed.split(|byte| *byte == b'\n').find_map(|line| {
            let (id, rest) = line.split_at_checked(line.iter().position(|byte| *byte == b' ')?)?;
            if &rest[1..] == name { object_id(id) } else { None }
        })))
    }

    /// Git is asked about what cannot be read plainly, but not about what would make it wait.
    fn unless_strange(&self, path: &Path, error: &io::Error) -> Result<Head, TreeError> {
        match error.raw_os_error().map(Errno::from_raw_os_error) {
            Some(errno @ (Errno::NODEV | Errno::NXIO | Errno::XDEV | Errno::LOOP)) => {
                Err(strange(path.to_owned(), errno))
            }
            _ => Ok(Head::Unknown),
        }
    }

    /// What is under way that a commit would cut off, such as a merge.
    pub(super) fn under_way(&self) -> Option<&'static str> {
        const MARKS: [(&str, &str); 6] = [
            ("MERGE_HEAD", "merge"),
            ("CHERRY_PICK_HEAD", "cherry-pick"),
            ("REVERT_HEAD", "revert"),
            ("rebase-merge", "rebase"),
            ("rebase-apply", "rebase"),
            ("BISECT_LOG", "bisect"),
        ];
        MARKS.iter().find(|(file, _)| self.git_dir.join(file).exists()).map(|(_, what)| *what)
    }
}

/// What HEAD is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Head {
    /// On a branch or off it, with the commit unless there is none yet.
    At { branch: Option<String>, commit: Option<String> },
    /// Only git can tell.
    Unknown,
}

/// The commit that a nested repository is at, read without starting anything.
pub(super) fn nested_head(directory: &Path) -> Option<String> {
    let (git_dir, common_dir) = belongs::git_directories(directory).ok()??;
    match (Repository { top: directory.to_owned(), git_dir, common_dir }).head() {
        Ok(Head::At { commit, .. }) => commit,
        Ok(Head::Unknown) | Err(_) => None,
    }
}

fn open_root(directory: &Path) -> Result<Root, TreeError> {
    Root::open(directory).map_err(|errno| TreeError::io("open", directory)(errno.into()))
}

/// A directory may stand where a ref was that is packed now.
fn is_missing(error: &io::Error) -> bool {
    let errno = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(errno, Some(Errno::NOENT | Errno::NOTDIR | Errno::ISDIR))
}

fn strange(path: PathBuf, errno: Errno) -> TreeError {
    let what = match errno {
        Errno::NODEV | Errno::NXIO => "a pipe, a socket or a device",
        Errno::ISDIR => "a directory",
        Errno::XDEV | Errno::LOOP => "a symbolic link that leads elsewhere",
        errno => return TreeError::io("open", &path)(errno.into()),
    };
    TreeError::Strange { path, what: what.to_owned() }
}

/// The bytes as an object id, if they are one.
pub(super) fn object_id(bytes: &[u8]) -> Option<String> {
    let is_id = matches!(bytes.len(), 40 | 64) && bytes.iter().all(u8::is_ascii_hexdigit);
    is_id.then(|| String::from_utf8_lossy(bytes).into_owned())
}

fn is_plain_ref(name: &[u8]) -> bool {
    name.starts_with(b"refs/heads/")
        && !name.ends_with(b"/.invalid")
        && name.split(|byte| *byte == b'/').all(|part| !part.is_empty() && !part.starts_with(b"."))
}
