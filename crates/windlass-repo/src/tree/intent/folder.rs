//! Where intents are kept: a directory a repository, a file each.

use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};
use windlass_system::home;

use super::{Intended, Intent};
use crate::tree::{Tree, TreeError, own::hex};

/// What a file is called while it is written.
const NEW: &str = "new";

/// Where the intents about a repository are, by the directory that its work trees share.
pub fn intent_folder(home: &Path, common_dir: &Path) -> PathBuf {
    home::intents(home).join(hash(common_dir))
}

/// The intents about all repositories, in the order in which they are to be settled.
pub fn intents(home: &Path) -> Vec<Intent> {
    let folders = fs::read_dir(home::intents(home)).into_iter().flatten().flatten();
    let mut found: Vec<Intent> = folders.flat_map(|folder| read_all(&folder.path())).collect();
    found.sort_by_key(|intent| intent.change.word());
    found
}

/// The intents about one repository, in the order in which they are to be settled.
pub fn intents_of(home: &Path, common_dir: &Path) -> Vec<Intent> {
    let mut found = read_all(&intent_folder(home, common_dir));
    found.sort_by_key(|intent| intent.change.word());
    found
}

fn read_all(folder: &Path) -> Vec<Intent> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let whole = files.filter(|path| path.extension().is_none());
    // What cannot be read was not written by us: each is put in place whole.
    whole.filter_map(|path| serde_json::from_slice(&fs::read(path).ok()?).ok()).collect()
}

impl Intent {
    /// That it is done, or undone.
    pub fn forget(&self, home: &Path) {
        let path = self.path(home);
        drop(fs::remove_file(path.with_extension(NEW)));
        // One that stays is settled once more, which changes nothing.
        drop(fs::remove_file(path));
    }

    /// Writes it down, so that it is there after a loss of power too.
    pub(in crate::tree) fn write(&self, home: &Path) -> io::Result<()> {
        let path = self.path(home);
        let folder = intent_folder(home, &self.common_dir);
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        let new = path.with_extension(NEW);
        drop(fs::remove_file(&new));
        let mut file = File::options().write(true).create_new(true).mode(0o600).open(&new)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.sync_all()?;
        fs::rename(&new, &path)?;
        File::open(&folder)?.sync_all()
    }

    /// There is at most one of each kind about a work tree, which is one process's at a time.
    fn path(&self, home: &Path) -> PathBuf {
        let name = format!("{}-{}", self.change.word(), hash(&self.top));
        intent_folder(home, &self.common_dir).join(name)
    }
}

impl Tree {
    /// Writes down what is about to be changed here.
    pub(in crate::tree) fn intend(&self, change: Intended) -> Result<Intent, TreeError> {
        self.intend_at(&self.repository.top, change)
    }

    /// Writes down what is about to be changed in another work tree of the repository.
    pub(in crate::tree) fn intend_at(
        &self,
        top: &Path,
        change: Intended,
    ) -> Result<Intent, TreeError> {
        let common_dir = self.repository.common_dir.clone();
        let intent = Intent { common_dir, top: top.to_owned(), change };
        intent.write(&self.home).map_err(TreeError::io("write", &intent.path(&self.home)))?;
        Ok(intent)
    }

    /// Writes down that files are written in these directories, which are below the top.
    pub fn intend_writing(&self, folders: Vec<PathBuf>) -> Result<Intent, TreeError> {
        self.intend(Intended::Write { folders })
    }

    /// That a change was made.
    pub fn done(&self, intent: &Intent) {
        intent.forget(&self.home);
    }
}

fn hash(path: &Path) -> String {
    hex(&Sha256::digest(path.as_os_str().as_bytes())[..16])
}
