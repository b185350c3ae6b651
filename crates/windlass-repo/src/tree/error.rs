//! What can go wrong with a work tree.

use std::{
    borrow::Cow,
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use windlass_system::worker::WorkerError;

use crate::git::GitError;

/// Why the work tree could not be read, put back or committed.
#[derive(Debug, thiserror::Error, Serialize, Deserialize)]
pub enum TreeError {
    /// Git said no.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The work tree was deleted.
    #[error("the work tree `{}` is not there any more", path.display())]
    Gone {
        /// Where it was.
        #[serde(with = "crate::wire::path")]
        path: PathBuf,
    },
    /// A link is where a directory was.
    #[error(
        "`{}` was a directory and is a symbolic link to `{}` now, so nothing is read or written \
         there; an agent could have put it there",
        path.display(),
        target.display()
    )]
    BecameALink {
        /// Where it is.
        #[serde(with = "crate::wire::path")]
        path: PathBuf,
        /// What it says.
        #[serde(with = "crate::wire::path")]
        target: PathBuf,
    },
    /// The git directory elsewhere does not know of this work tree.
    #[error(
        "`{}` names the git directory `{}`, which does not refer back to this work tree; an agent \
         could have written it. If it is yours, say so there: `git config --file {}/config \
         core.worktree {}`; else remove it",
        entry.display(),
        target.display(),
        target.display(),
        entry.parent().unwrap_or(entry).display()
    )]
    NotOurs {
        /// The file or link in the work tree.
        #[serde(with = "crate::wire::path")]
        entry: PathBuf,
        /// What it names.
        #[serde(with = "crate::wire::path")]
        target: PathBuf,
    },
    /// Something is in the place of a file that git reads.
    #[error(
        "`{}` is {what}, so git cannot be asked here; remove it, or put back what was there",
        path.display()
    )]
    Strange {
        /// Its place.
        #[serde(with = "crate::wire::path")]
        path: PathBuf,
        /// What is there.
        what: String,
    },
    /// The confined helper gave no answer.
    #[error("{why}")]
    NoAnswer {
        /// Why.
        why: String,
    },
    /// A file could not be read or written.
    #[error("could not {what} `{}`", path.display())]
    Io {
        /// What was tried.
        what: Cow<'static, str>,
        /// With which file.
        #[serde(with = "crate::wire::path")]
        path: PathBuf,
        /// What the system said.
        #[serde(with = "crate::wire::io_error")]
        source: io::Error,
    },
    /// A directory could not be looked at.
    #[error("could not look at the files of the work tree")]
    Look {
        /// What the system said.
        #[serde(with = "crate::wire::io_error")]
        source: io::Error,
    },
    /// There is nowhere to push to.
    #[error("the repository has no remote `origin`")]
    NoOrigin,
    /// Git gave no tree.
    #[error("git gave no id for the snapshot")]
    NoTree,
    /// The objects of a snapshot are gone.
    #[error("the snapshot {tree} is not in the store any more")]
    Lost {
        /// Its tree.
        tree: String,
    },
    /// Something else stands in the store under the id of an object.
    #[error(
        "the object {id} of a snapshot is not what was recorded: windlass's store was changed by \
         another program, so nothing is shown or put back from it"
    )]
    Altered {
        /// The object.
        id: String,
    },
    /// Another program holds the user's index.
    #[error(
        "the index is locked by another git: `{}` is there; if no git is running, remove it",
        lock.display()
    )]
    IndexLocked {
        /// The lock.
        #[serde(with = "crate::wire::path")]
        lock: PathBuf,
    },
    /// A commit now would cut off what the user is doing.
    #[error("a {what} is under way in this repository; finish or abort it first")]
    UnderWay {
        /// What is.
        what: Cow<'static, str>,
    },
    /// Nobody has decided what these files are to be.
    #[error("{} in conflict in this repository; resolve that first", are(paths))]
    Unmerged {
        /// The files.
        paths: Vec<String>,
    },
    /// The branch is not where it was when the work was brought together.
    #[error("the branch `{branch}` has moved in the meantime, and was left as it is")]
    BranchMoved {
        /// The branch.
        branch: String,
    },
    /// The user has changed files that would be written.
    #[error(
        "`{}` has changes of yours in {}, which would be written over",
        top.display(),
        listed(paths)
    )]
    Changed {
        /// The work tree.
        #[serde(with = "crate::wire::path")]
        top: PathBuf,
        /// The files.
        paths: Vec<String>,
    },
    /// Git found something in the way of the new files.
    #[error("the work tree could not be brought along: {said}")]
    InTheWay {
        /// What it said.
        said: String,
    },
    /// A file is made by a filter, and none is run.
    #[error("a filter is set for `{path}`, and windlass runs no filters")]
    Filtered {
        /// The file.
        path: String,
    },
    /// Commits that are not one after the other cannot be made anew.
    #[error("the commit {commit} is a merge itself, so the commits cannot be rebased")]
    NotALine {
        /// The commit.
        commit: String,
    },
    /// This git cannot merge without a work tree.
    #[error("this git is too old to merge without a work tree: 2.40 is needed")]
    OldGit,
    /// HEAD moved while a commit was made.
    #[error("HEAD moved while the commit was made")]
    HeadMoved,
    /// No name for a branch.
    #[error("`{name}` is not a name that a branch can have")]
    BadBranchName {
        /// The name.
        name: String,
    },
    /// The branch is there already.
    #[error("there is already a branch `{name}`")]
    BranchExists {
        /// Its name.
        name: String,
    },
    /// The branch is checked out in another place.
    #[error("the branch `{name}` is checked out at `{}`", at.display())]
    BranchInUse {
        /// Its name.
        name: String,
        /// Where it is checked out.
        #[serde(with = "crate::wire::path")]
        at: PathBuf,
    },
    /// There is no such commit.
    #[error("there is no commit `{name}` in this repository")]
    NoSuchCommit {
        /// What was asked for.
        name: String,
    },
    /// The branch is there already, so it cannot begin at another commit.
    #[error("there is already a branch `{name}`, so it cannot start at `{base}`")]
    BaseOfExisting {
        /// Its name.
        name: String,
        /// What it should start at.
        base: String,
    },
    /// Something is at the place for a worktree.
    #[error(
        "`{}` is there already: choose another `--name`, or remove it with `git worktree remove`",
        path.display()
    )]
    Occupied {
        /// The place.
        #[serde(with = "crate::wire::path")]
        path: PathBuf,
    },
    /// A worktree holds what is not committed.
    #[error("`{}` has {changed} uncommitted changes and was not removed", path.display())]
    WorktreeInUse {
        /// The worktree.
        #[serde(with = "crate::wire::path")]
        path: PathBuf,
        /// How many paths differ.
        changed: usize,
    },
}

impl From<WorkerError> for TreeError {
    fn from(error: WorkerError) -> Self {
        Self::NoAnswer { why: error.to_string() }
    }
}

impl TreeError {
    /// Whether the user asked for a branch, a commit or a worktree that cannot be had.
    pub fn is_bad_input(&self) -> bool {
        matches!(
            self,
            Self::BadBranchName { .. }
                | Self::BranchExists { .. }
                | Self::BranchInUse { .. }
                | Self::NoSuchCommit { .. }
                | Self::BaseOfExisting { .. }
                | Self::NotALine { .. }
        )
    }

    /// For `map_err` on input and output.
    pub(super) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { what: what.into(), path, source }
    }
}

/// How many names are listed before the rest is counted.
const LISTED: usize = 5;

fn are(paths: &[String]) -> String {
    let verb = if paths.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", listed(paths))
}

/// Names of files for a sentence.
pub fn listed(paths: &[String]) -> String {
    let named = paths.iter().take(LISTED).map(|path| format!("`{path}`"));
    let named = named.collect::<Vec<_>>().join(", ");
    match paths.len().saturating_sub(LISTED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}
