//! Lets one process at a time add and remove worktrees of a repository: git's own commands for that
//! trip over one another.

use std::{
    fs::{self, File, OpenOptions},
    os::unix::{ffi::OsStrExt, fs::OpenOptionsExt},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use rustix::fs::{FlockOperation, flock};
use sha2::{Digest, Sha256};
use windlass_system::{home, process::Output};

use super::{Tree, TreeError, own::hex};
use crate::git::{Call, GitError};

/// How long others are waited for. Git may still succeed after that.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long to sleep between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// How often git is asked again that met a worktree which was just being made.
const TRIES: u32 = 50;

/// The file that is locked while a worktree of a repository is added or removed.
pub fn turn_file(home: &Path, common_dir: &Path) -> PathBuf {
    let common = Sha256::digest(common_dir.as_os_str().as_bytes());
    home::trees(home).join(format!("worktrees-{}", hex(&common[..16])))
}

impl Tree {
    /// Waits for its turn among all processes of windlass, which lasts until the file is closed.
    pub(super) async fn turn(&self) -> Option<File> {
        let path = turn_file(&self.home, &self.repository.common_dir);
        drop(fs::create_dir_all(home::trees(&self.home)));
        let mut options = OpenOptions::new();
        let options = options.write(true).create(true).truncate(false).mode(0o600);
        let file = options.open(path).ok()?;
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
                return Some(file);
            }
            tokio::time::sleep(PAUSE).await;
        }
        None
    }

    /// Runs a call that looks at all worktrees, again where another git is just making one.
    pub(super) async fn among_worktrees(&self, call: Call) -> Result<Output, TreeError> {
        for _ in 0..TRIES {
            match self.git.run(call.clone()).await {
                Err(GitError::Failed { said, .. }) if said.contains("failed to read") => {
                    tokio::time::sleep(PAUSE).await;
                }
                result => return Ok(result?),
            }
        }
        Ok(self.git.run(call).await?)
    }
}
