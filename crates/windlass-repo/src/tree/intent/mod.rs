//! What windlass is about to change in the user's repository, in more than one step. It is written
//! down before the first step, in windlass's own directory, with all that it takes to finish or to
//! undo it, and removed after the last. What a killed process leaves is settled by the next one that
//! comes by.

mod folder;
mod settle;
mod worktree;

pub use self::folder::{intent_folder, intents, intents_of};

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::originals::Swap;

/// A change in more than one step that was begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intent {
    /// The directory that all work trees of the repository share.
    #[serde(with = "crate::wire::path")]
    pub common_dir: PathBuf,
    /// The top of the work tree that it is about.
    #[serde(with = "crate::wire::path")]
    pub top: PathBuf,
    /// What is to be changed.
    pub change: Intended,
}

/// What is to be changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Intended {
    /// Refs that are fetched, moved or removed. What was done stays, and the rest comes with the next
    /// session: only locks are removed that a git left which was killed.
    Refs {
        /// Their full names.
        names: Vec<String>,
    },
    /// A branch for a loop, with HEAD on it. It is undone unless the loop came to be.
    Branch {
        /// Its full name.
        name: String,
        /// The commit that it begins at; `None` before the first one.
        commit: Option<String>,
        /// The full name of the branch that HEAD was on; `None` where it was on none.
        before: Option<String>,
        /// The id of the loop.
        of_loop: String,
    },
    /// A commit: the index, then HEAD. The index is left as HEAD has it.
    Commit {
        /// What our lock of the index holds.
        mark: String,
        /// The full name of the branch that HEAD is on.
        branch: Option<String>,
        /// The commit.
        id: String,
        /// The paths of it in the index.
        entries: Vec<IndexChange>,
    },
    /// A branch that is moved forward, with the files of its work tree. It is finished.
    Advance {
        /// The branch, without `refs/heads/`.
        branch: String,
        /// The commit that it was at.
        old: String,
        /// The commit that it is to be at.
        new: String,
        /// What our lock of the index holds.
        mark: String,
    },
    /// Files of the work tree that are written. Those that did not take their place are removed.
    Write {
        /// The directories that they are in, below the top.
        #[serde(with = "crate::wire::paths")]
        folders: Vec<PathBuf>,
    },
    /// A worktree for a loop. It is undone unless the loop came to be.
    AddWorktree {
        /// The full name of the branch that is made for it, and the commit that it begins at.
        branch: Option<(String, String)>,
        /// What was in git's list of worktrees before.
        known: Vec<String>,
    },
    /// A worktree that goes. It is finished.
    RemoveWorktree,
    /// Originals that are in the place of the agent's files. It is undone, without git.
    Originals {
        /// The files.
        swap: Swap,
        /// The loop whose proof it is, if that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of_loop: Option<String>,
    },
}

/// What the index has for a path: its mode and its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexEntry {
    /// The mode, as git writes it.
    pub mode: String,
    /// The id of the content.
    pub id: String,
}

/// A path of the index that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexChange {
    /// The path below the top.
    #[serde(with = "crate::wire::path")]
    pub path: PathBuf,
    /// What is there before.
    pub before: Option<IndexEntry>,
    /// What is there after.
    pub after: Option<IndexEntry>,
}

impl Intended {
    /// A word for it, by the order in which intents are settled: a branch before the worktree that
    /// it is checked out in.
    fn word(&self) -> &'static str {
        match self {
            Self::Refs { .. } => "0-refs",
            Self::Branch { .. } => "1-branch",
            Self::Commit { .. } => "2-commit",
            Self::Advance { .. } => "3-advance",
            Self::Write { .. } => "4-write",
            Self::AddWorktree { .. } => "5-add-worktree",
            Self::RemoveWorktree => "6-remove-worktree",
            // What is committed or put back is the agent's, so these come before all others.
            Self::Originals { .. } => "-originals",
        }
    }

    /// Whether it is about a worktree as a whole, which need not be there any more.
    pub fn is_of_worktree(&self) -> bool {
        matches!(self, Self::AddWorktree { .. } | Self::RemoveWorktree)
    }
}
