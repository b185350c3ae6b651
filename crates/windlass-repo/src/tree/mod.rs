//! The work tree as evidence: snapshots, what changed between them, and the way back.
//!
//! Snapshots go into a store of windlass's own (`evidence`), through a git directory of its own
//! (`own`) with its own config. The agent cannot reach them, nothing from the repository's config,
//! filters or hooks acts there, and the user's index, branches and stash stay as they are. Contents
//! are recorded byte for byte.

mod advance;
mod apart;
mod belongs;
mod branch;
mod checked;
mod commit;
mod config_file;
mod diff;
mod dirty;
mod error;
mod evidence;
mod exclude;
mod fork_point;
mod intent;
mod join;
mod known;
mod listing;
mod look;
mod mark;
mod may_commit;
mod nested;
mod numbers;
mod object_id;
mod one_at_a_time;
mod origin;
mod originals;
mod own;
mod plain_config;
mod present;
mod private;
mod progress;
mod reading;
mod record;
pub mod remote;
mod repository;
mod restore;
mod review;
mod rules;
mod scan;
mod snapshot;
mod tracked;
mod undo;
mod unheeded;
mod unresolved;
mod user;
mod users_index;
mod worked;
mod worktree;

pub use advance::Move;
pub use commit::{Committed, LeftOut};
pub use diff::{Change, ChangeKind, Changed};
pub use error::{TreeError, listed};
pub use evidence::{Compacted, evidence_directory, is_to_compact, mark_to_compact};
pub use exclude::{CONFIG_FILE, REVIEW_FILE, TASK_LIST};
pub use fork_point::Base;
pub use intent::{IndexChange, IndexEntry, Intended, Intent, intent_folder, intents, intents_of};
pub use join::{Conflict, Joined, Lines, Way};
pub use known::Known;
pub use one_at_a_time::turn_file;
pub use originals::{Differing, InTree, Original, PutBack, Swap, Wanted, is_hash_only, put_in};
pub use own::{evidence_of, own_directory};
pub(crate) use own::{hex, write_private};
pub use plain_config::plain_value;
pub use private::{Brought, PrivatePlace, Submodule, Who};
pub use progress::snapshot_progress;
pub use repository::Repository;
pub use restore::Restored;
pub use user::UserFiles;
pub use worked::{CommitLine, Worked};
pub use worktree::Worktree;

use std::path::{Path, PathBuf};

use tokio::sync::Mutex;

use self::{own::OwnDir, snapshot::Memory, user::UserConfig};
use crate::git::{Git, GitError};

/// The work tree of a repository. Whoever does more than look holds the work tree's lock.
pub struct Tree {
    git: Git,
    repository: Repository,
    own: OwnDir,
    user: UserConfig,
    home: PathBuf,
    memory: Mutex<Memory>,
}

/// What was found at a directory.
pub enum Opened {
    /// A work tree.
    Tree(Box<Tree>),
    /// No repository: progress cannot be measured.
    NoRepository,
    /// No git to ask.
    NoGit,
}

impl Tree {
    /// Opens the work tree that `directory` is in, with snapshots kept under `home`.
    pub async fn open(
        git: Git,
        directory: &Path,
        home: &Path,
        files: &UserFiles,
    ) -> Result<Opened, TreeError> {
        match Repository::discover(directory)? {
            Some(repository) => Self::open_at(git, repository, home, files).await,
            None => Ok(Opened::NoRepository),
        }
    }

    /// Opens the work tree of a repository that was found before.
    pub async fn open_at(
        git: Git,
        repository: Repository,
        home: &Path,
        files: &UserFiles,
    ) -> Result<Opened, TreeError> {
        repository.check()?;
        let user = match UserConfig::read(&git, &repository, files).await {
            Err(TreeError::Git(GitError::NotInstalled)) => return Ok(Opened::NoGit),
            user => user?,
        };
        let own = OwnDir::open(home, &repository, &user)?;
        let (home, memory) = (home.to_owned(), Mutex::default());
        Ok(Opened::Tree(Box::new(Self { git, repository, own, user, home, memory })))
    }

    /// Clears away what a killed loop left. Only for whoever holds the work tree's lock.
    pub fn clear(&self) {
        self.own.remove_stale_locks();
        self.clear_index();
    }

    /// The top of the work tree.
    pub fn top(&self) -> &Path {
        &self.repository.top
    }

    /// Its git directory, and the one that all work trees of the repository share.
    pub fn git_directories(&self) -> [&Path; 2] {
        [&self.repository.git_dir, &self.repository.common_dir]
    }

    /// The name and the address of whoever commits, as the user's config has them.
    pub fn committer(&self) -> (Option<&str>, Option<&str>) {
        (self.user.name.as_deref(), self.user.email.as_deref())
    }
}

/// A path as it is shown.
fn shown(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}
