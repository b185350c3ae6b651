//! Where a repository is and what its files say, read as data: nothing is started here.

use std::{
    ffi::OsStr,
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use super::TreeError;

/// A repository with a work tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Repository {
    /// The top of the work tree, canonical.
    pub(super) top: PathBuf,
    /// Its git directory: with HEAD and the index.
    pub(super) git_dir: PathBuf,
    /// What all of its worktrees share: objects, branches, config.
    pub(super) common_dir: PathBuf,
}

impl Repository {
    /// The repository that `directory` is in.
    pub(super) fn discover(directory: &Path) -> Result<Option<Self>, TreeError> {
        let start = directory.canonicalize().map_err(|source| {
            if source.kind() == io::ErrorKind::NotFound {
                TreeError::Gone { path: directory.to_owned() }
            } else {
                TreeError::io("look for the repository of", directory)(source)
            }
        })?;
        for top in start.ancestors() {
            if let Some(git_dir) = git_dir_of(top) {
                let common_dir = common_dir_of(&git_dir);
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

    /// What HEAD is, as far as the plain files tell.
    pub(super) fn head(&self) -> Head {
        match fs::read(self.git_dir.join("HEAD")) {
            Ok(bytes) => self.resolve(&bytes),
            Err(_) => Head::Unknown,
        }
    }

    fn resolve(&self, head: &[u8]) -> Head {
        let head = head.trim_ascii_end();
        if let Some(id) = object_id(head) {
            return Head::At { branch: None, commit: Some(id) };
        }
        let Some(name) = head.strip_prefix(b"ref: ").map(<[u8]>::trim_ascii) else {
            return Head::Unknown;
        };
        // Anything else is another store of refs (`reftable` says `refs/heads/.invalid`), or a name
        // that leads out of the directory.
        if !is_plain_ref(name) || !self.has_plain_refs() {
            return Head::Unknown;
        }
        let branch = Some(String::from_utf8_lossy(name).into_owned());
        match fs::read(self.common_dir.join(OsStr::from_bytes(name))) {
            Ok(bytes) => match object_id(bytes.trim_ascii_end()) {
                Some(id) => Head::At { branch, commit: Some(id) },
                None => Head::Unknown,
            },
            Err(_) => Head::At { branch, commit: self.packed(name) },
        }
    }

    fn has_plain_refs(&self) -> bool {
        !self.common_dir.join("reftable").exists()
    }

    fn packed(&self, name: &[u8]) -> Option<String> {
        let packed = fs::read(self.common_dir.join("packed-refs")).ok()?;
        packed.split(|byte| *byte == b'\n').find_map(|line| {
            let (id, rest) = line.split_at_checked(line.iter().position(|byte| *byte == b' ')?)?;
            if &rest[1..] == name { object_id(id) } else { None }
        })
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
    let git_dir = git_dir_of(directory)?;
    let common_dir = common_dir_of(&git_dir);
    match (Repository { top: directory.to_owned(), git_dir, common_dir }).head() {
        Head::At { commit, .. } => commit,
        Head::Unknown => None,
    }
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

fn git_dir_of(top: &Path) -> Option<PathBuf> {
    let entry = top.join(".git");
    let git_dir = if entry.is_dir() {
        entry
    } else {
        let link = fs::read(&entry).ok().filter(|link| link.len() < 4096)?;
        let target = link.strip_prefix(b"gitdir: ")?.trim_ascii_end();
        top.join(OsStr::from_bytes(target))
    };
    // An empty `.git` directory is no repository for git either.
    let git_dir = git_dir.canonicalize().ok()?;
    let is_git_dir = git_dir.join("HEAD").symlink_metadata().is_ok()
        && common_dir_of(&git_dir).join("objects").is_dir();
    is_git_dir.then_some(git_dir)
}

fn common_dir_of(git_dir: &Path) -> PathBuf {
    let named = fs::read(git_dir.join("commondir")).ok();
    named
        .and_then(|bytes| {
            git_dir.join(OsStr::from_bytes(bytes.trim_ascii_end())).canonicalize().ok()
        })
        .unwrap_or_else(|| git_dir.to_owned())
}
