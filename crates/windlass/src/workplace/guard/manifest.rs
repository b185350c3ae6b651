//! What is kept of a loop's start: which files there were, and the guarded ones that no snapshot has.
//! It is written once, whole, and what is read back is held against its digest.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::Path,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::kept::Kept;
use crate::workplace::hex;

const MANIFEST: &str = "manifest";
const PATHS: &str = "paths";

/// What is kept of a loop's start.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// The tree of the start; `None` outside a repository.
    pub(super) tree: Option<String>,
    /// Programs that checks run by their path and that were scripts.
    pub(super) scripts: Vec<String>,
    /// Directories in the tree that `PATH` led to.
    pub(super) path_directories: Vec<String>,
    /// Names of programs that `PATH` led to.
    pub(super) programs: BTreeSet<String>,
    /// Paths that have to stay free, since make would take a file there for what it was asked to do.
    #[serde(default)]
    pub(super) free: Vec<String>,
    /// Directories that could not be read then.
    pub(super) closed: Vec<String>,
    /// Guarded files that no snapshot has.
    pub(super) kept: BTreeMap<String, Kept>,
    /// The digest of the list of files.
    pub(super) paths_digest: String,
    /// The second in which it was written.
    #[serde(skip)]
    pub(super) written_at: i64,
    /// All files of the start.
    #[serde(skip)]
    pub(super) before: BTreeSet<String>,
}

impl Manifest {
    pub(super) fn is_in(folder: &Path) -> bool {
        folder.join(MANIFEST).exists()
    }

    /// Writes it down. What it says of copies must be there already.
    pub(super) fn write(mut self, folder: &Path) -> io::Result<()> {
        let mut paths = Vec::new();
        for path in &self.before {
            paths.extend(path.as_bytes());
            paths.push(0);
        }
        self.paths_digest = hex(&Sha256::digest(&paths));
        write(&folder.join(PATHS), &paths)?;
        let text = serde_json::to_vec(&self)?;
        let new = folder.join(format!("{MANIFEST}.new"));
        write(&new, &[hex(&Sha256::digest(&text)).as_bytes(), b"\n", &text].concat())?;
        fs::rename(&new, folder.join(MANIFEST))?;
        File::open(folder)?.sync_all()
    }

    /// Reads it back.
    ///
    /// # Errors
    /// It is not there, or not as it was written.
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        let unreadable = |why: &str| {
            format!(
                "what the tests were when the loop began is not known any more: `{}` {why}; start a \
                 new loop",
                folder.display()
            )
        };
        let damaged = || unreadable("is damaged");
        let bytes = fs::read(folder.join(MANIFEST))
            .map_err(|error| unreadable(&format!("cannot be read ({error})")))?;
        let (digest, text) = bytes.split_at_checked(64).ok_or_else(damaged)?;
        let text = text.strip_prefix(b"\n").ok_or_else(damaged)?;
        if hex(&Sha256::digest(text)).as_bytes() != digest {
            return Err(damaged());
        }
        let mut manifest: Self = serde_json::from_slice(text).map_err(|_| damaged())?;
        let paths = fs::read(folder.join(PATHS)).map_err(|_| damaged())?;
        if hex(&Sha256::digest(&paths)) != manifest.paths_digest {
            return Err(damaged());
        }
        let all = paths.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        manifest.before = all.map(|path| String::from_utf8_lossy(path).into_owned()).collect();
        let known = fs::metadata(folder.join(MANIFEST)).map_err(|_| damaged())?;
        manifest.written_at = known.ctime();
        Ok(manifest)
    }

    /// Whether a program of that name could be found at the start.
    pub(super) fn had_program(&self, name: &str) -> bool {
        self.programs.contains(name)
            || self.path_directories.iter().any(|directory| {
                let path = format!("{}/{name}", directory.trim_end_matches('/'));
                self.before.contains(path.trim_start_matches('/'))
            })
    }
}

/// Writes a file that only the user can read, and has it on the disk.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    drop(fs::remove_file(path));
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
