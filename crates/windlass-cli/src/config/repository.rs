//! The repository's `windlass.toml`: where it is, and whether it may act. Before it is trusted it
//! is hashed, and nothing else is done with it.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};
use windlass_store::store::Store;

use super::{document::Document, file::Links};
use crate::host::failure::{Failure, Kind};

/// The file's name.
pub(crate) const FILE_NAME: &str = "windlass.toml";

/// A repository's config file as it was read, once.
#[derive(Debug)]
pub(crate) struct RepoFile {
    /// The file with its text.
    pub(crate) document: Document,
    /// SHA-256 of its bytes, and of the prompts that it names.
    pub(crate) hash: String,
    /// Whether it may act.
    pub(crate) trusted: bool,
}

impl RepoFile {
    /// The config file that governs `directory`, if there is one.
    pub(crate) fn find(home: &Path, directory: &Path) -> Result<Option<Self>, Failure> {
        match locate(directory) {
            Some(path) => Self::read(home, &path),
            None => Ok(None),
        }
    }

    /// The file at `path`; `None` if there is none.
    pub(crate) fn read(home: &Path, path: &Path) -> Result<Option<Self>, Failure> {
        let document = Document::read(path, Links::Refuse).map_err(|error| {
            Failure::because(Kind::Usage, format!("`{}` cannot be read", path.display()), error)
        })?;
        let Some(document) = document else { return Ok(None) };
        // What a prompt says is as good as a setting, so trust is in both.
        let hash = sha256((document.text.clone() + &document.prompts.hashed()).as_bytes());
        let trusted = match Store::open_existing(home)? {
            Some(store) => store.is_trusted(path, &hash)?,
            None => false,
        };
        Ok(Some(Self { document, hash, trusted }))
    }

    /// The failure of a loop that may not start because of this file.
    pub(crate) fn untrusted(&self) -> Failure {
        let path = self.document.path.display();
        Failure::new(
            Kind::Setup,
            format!("`{path}` is not trusted, or has changed since it was, so nothing is started"),
        )
        .hint(self.how_to_trust())
    }

    /// What to type.
    pub(crate) fn how_to_trust(&self) -> String {
        let path = self.document.path.to_string_lossy();
        let read = if self.document.prompts.is_empty() {
            "read the file"
        } else {
            "read the file and the prompts that it names"
        };
        format!("{read}, then type `windlass trust {}`", shell_words::quote(&path))
    }
}

/// The config file of the repository that `directory` is in: it stands beside `.git`, or in the
/// directory, or in the first one above it that has either.
pub(crate) fn locate(directory: &Path) -> Option<PathBuf> {
    for directory in directory.ancestors() {
        let path = directory.join(FILE_NAME);
        if path.symlink_metadata().is_ok() {
            return Some(path);
        }
        if directory.join(".git").symlink_metadata().is_ok() {
            return None;
        }
    }
    None
}

fn sha256(bytes: &[u8]) -> String {
    let mut hash = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(hash, "{byte:02x}");
    }
    hash
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_file_is_looked_for_up_to_the_top_of_the_repository() {
        let root = tempfile::tempdir().unwrap();
        let below = root.path().join("repo/a/b");
        fs::create_dir_all(&below).unwrap();
        fs::create_dir(root.path().join("repo/.git")).unwrap();
        fs::write(root.path().join(FILE_NAME), "").unwrap();
        assert_eq!(locate(&below), None, "what lies above the repository does not count");
        let file = root.path().join("repo").join(FILE_NAME);
        fs::write(&file, "").unwrap();
        assert_eq!(locate(&below), Some(file));
        let nearer = root.path().join("repo/a").join(FILE_NAME);
        fs::write(&nearer, "").unwrap();
        assert_eq!(locate(&below), Some(nearer));
    }

    #[test]
    fn a_hash_is_written_as_sha256sum_does() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b""), empty);
    }
}
