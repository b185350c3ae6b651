//! Makes a private git directory of the user's: what it holds is copied as data, or written here.

use std::{
    collections::BTreeMap,
    fs::File,
    io,
    os::{
        fd::OwnedFd,
        unix::{ffi::OsStrExt, fs::MetadataExt},
    },
    path::Path,
};

use windlass_system::below::{self, Content, Links, Root, TooLarge};

use super::{
    super::{Tree, TreeError, checked::INDEX, own::quote},
    counterpart::Counterpart,
    refs::is_missing,
};

/// What is copied is no larger, but for the index.
const MOST_COPIED: u64 = 8 << 20;

/// Files that all work trees share.
const SHARED: &[&str] =
    &["info/exclude", "info/attributes", "info/grafts", "shallow", "logs/refs/stash"];

/// Files of the work tree's own, with those of a merge that is under way.
const OWN: &[&str] = &[
    "HEAD",
    "ORIG_HEAD",
    "MERGE_HEAD",
    "MERGE_MODE",
    "MERGE_MSG",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "info/sparse-checkout",
];

impl Tree {
    /// Makes a private git directory at `place`, which is empty.
    pub(super) async fn make_private(&self, place: &Counterpart) -> Result<(), TreeError> {
        let config = self.private_config().await?;
        let (packed, symbolic) = self.users_refs().await?;
        let stage = place.stage();
        let made = || -> io::Result<()> {
            let root = place.make()?;
            for directory in ["objects/info", "objects/pack", "refs/heads", "refs/tags", "hooks"] {
                below::make_dir(&root, directory.as_bytes())?;
            }
            let mut alternates = Vec::new();
            quote(&mut alternates, place.objects().as_os_str().as_bytes());
            alternates.push(b'\n');
            put(&root, "objects/info/alternates", &alternates)?;
            put(&root, "config", &config)?;
            put(&root, "packed-refs", &packed)?;
            for (name, target) in &symbolic {
                put(&root, name, format!("ref: {target}\n").as_bytes())?;
            }
            self.copy_files(&root)?;
            self.copy_users_index(&root)
        };
        made().map_err(TreeError::io("make a git directory at", &stage))
    }

    /// Where the git directory of this work tree is in the one that all share.
    pub(super) fn inner(&self) -> String {
        let super::super::Repository { git_dir, common_dir, .. } = &self.repository;
        match git_dir.strip_prefix(common_dir) {
            Ok(inner) if git_dir != common_dir => format!("{}/", inner.display()),
            _ => String::new(),
        }
    }

    fn copy_files(&self, root: &OwnedFd) -> io::Result<()> {
        let super::super::Repository { git_dir, common_dir, top } = &self.repository;
        let inner = self.inner();
        for name in SHARED {
            copy(common_dir, name, root, name)?;
        }
        for name in OWN {
            copy(git_dir, name, root, &format!("{inner}{name}"))?;
        }
        if !inner.is_empty() {
            copy(common_dir, "HEAD", root, "HEAD")?;
            put(root, &format!("{inner}commondir"), b"../..\n")?;
            let link = [top.join(".git").as_os_str().as_bytes(), b"\n"].concat();
            put(root, &format!("{inner}gitdir"), &link)?;
        }
        Ok(())
    }

    /// Copies the user's index, with its time: git takes a file that is not older than the index for
    /// one that may have changed unseen, and looks into it.
    pub(super) fn copy_users_index(&self, root: &OwnedFd) -> io::Result<()> {
        let git_dir = &self.repository.git_dir;
        let inner = self.inner();
        for entry in std::fs::read_dir(git_dir)? {
            let name = entry?.file_name();
            let Some(name) = name.to_str() else { continue };
            if name == "index" || name.starts_with("sharedindex.") {
                copy_file(git_dir, name, root, &format!("{inner}{name}"), INDEX)?;
            }
        }
        Ok(())
    }

    /// The user's refs as a file of packed ones, and those that are names for others.
    pub(in super::super) async fn users_refs(
        &self,
    ) -> Result<(Vec<u8>, BTreeMap<String, String>), TreeError> {
        let format = "--format=%(objectname) %(refname) %(symref)";
        let call = self.in_repository().args(["for-each-ref", format]);
        let output = self.git.run(call).await?.stdout;
        let mut packed = b"# pack-refs with: sorted \n".to_vec();
        let mut symbolic = BTreeMap::new();
        for line in String::from_utf8_lossy(&output).lines() {
            let mut words = line.splitn(3, ' ');
            let (Some(id), Some(name)) = (words.next(), words.next()) else { continue };
            if name.starts_with("refs/windlass/") {
                continue;
            }
            match words.next().filter(|target| !target.is_empty()) {
                Some(target) => drop(symbolic.insert(name.to_owned(), target.to_owned())),
                None => packed.extend(format!("{id} {name}\n").bytes()),
            }
        }
        Ok((packed, symbolic))
    }
}

/// Writes a file.
pub(super) fn put(root: &OwnedFd, name: &str, bytes: &[u8]) -> io::Result<()> {
    below::write(root, name.as_bytes(), Content::File(bytes, false))
}

/// Copies a small file, if it is there.
fn copy(from: &Path, name: &str, root: &OwnedFd, to: &str) -> io::Result<()> {
    copy_file(from, name, root, to, MOST_COPIED)
}

fn copy_file(from: &Path, name: &str, root: &OwnedFd, to: &str, most: u64) -> io::Result<()> {
    let opened = Root::open(from)
        .and_then(|from| below::open_file(from, name.as_bytes(), Links::Refused))
        .map_err(io::Error::from);
    let mut file = match opened {
        Err(error) if is_missing(&error) => return Ok(()),
        opened => opened?,
    };
    let found = file.metadata()?;
    if found.size() > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, TooLarge(most)));
    }
    below::write(root, to.as_bytes(), Content::Copy(&mut file, false))?;
    let copy: File = below::open_file(root, to.as_bytes(), Links::Refused)?;
    copy.set_modified(found.modified()?)
}
