//! What the helper can be asked: one variant for each thing that windlass does in a work tree.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use windlass_core::{step::Fingerprints, step::guarded::LaterOriginals, tree::Snapshot};
use windlass_repo::tree::{Intent, Known, Way, Who, Worktree};

use super::guard::Asked;

/// One question, with all that it takes to answer it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Call {
    /// For a snapshot with what is to be said about it, and the programs in these directories.
    Record {
        directories: Vec<RawPath>,
    },
    Tree(TreeCall),
    Branch(BranchCall),
    File(FileCall),
    Private(PrivateCall),
    Intent(IntentCall),
    State(StateCall),
    Guard(GuardCall),
}

/// About the git directory that agents have in their sandboxes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum PrivateCall {
    Enter(Who),
    Leave(Who),
    Release { loop_id: String },
}

/// About the work tree and its history.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum TreeCall {
    Clear,
    BeginLoop,
    Compact {
        keep: BTreeSet<String>,
    },
    Snapshot,
    Changed {
        from: Snapshot,
        to: Snapshot,
    },
    CountChanges {
        from: Snapshot,
        to: Snapshot,
    },
    ExistingChanged {
        base: Snapshot,
        from: Snapshot,
        to: Snapshot,
    },
    /// The patch itself comes as bytes.
    Patch {
        from: Snapshot,
        to: Snapshot,
    },
    DirtyPaths {
        snapshot: Snapshot,
    },
    Restore {
        target: Snapshot,
        known: Known,
    },
    Commit {
        message: String,
        spare: BTreeSet<String>,
    },
    Conclude {
        message: String,
        parents: Vec<String>,
    },
    Unresolved {
        files: Vec<String>,
        marks: Vec<String>,
    },
    AddWorktree {
        branch: String,
        base: Option<String>,
        path: RawPath,
    },
    MakeApart {
        path: RawPath,
    },
    StartAt {
        commit: String,
        detach: bool,
    },
    SetBase {
        branch: String,
        commit: String,
    },
    IsBefore {
        one: String,
        other: String,
    },
    AddDetached {
        commit: String,
        tree: String,
        path: RawPath,
    },
    UnmakeWorktree {
        made: Worktree,
    },
    RemoveWorktree {
        path: RawPath,
    },
    DiscardWorktree {
        path: RawPath,
    },
}

/// What a snapshot comes to.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Recorded {
    pub(crate) snapshot: Snapshot,
    /// What the snapshots so far left out, and the like, each told once.
    pub(crate) notes: Vec<String>,
    /// The programs in the directories that were asked for, and what each holds.
    pub(crate) programs: Fingerprints,
}

/// About branches and commits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum BranchCall {
    Base { wanted: Vec<String> },
    Head,
    MayCommit,
    Origin,
    CommitId { name: String },
    Has { name: String },
    CheckName { name: String },
    Create { name: String, of_loop: String },
    With { commit: String },
    Worked { from: Snapshot, to: Snapshot },
    Worktrees,
    Join { onto: String, from: String, way: Way, message: String, keep: bool },
    CheckedOutAt { name: String },
    Move(Moved),
    Advance(Moved),
    MayAdvance { branch: String, new: String },
}

/// A branch that is to be moved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Moved {
    pub(super) branch: String,
    pub(super) old: String,
    pub(super) new: String,
    pub(super) mark: String,
}

/// About changes in more than one step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum IntentCall {
    Settle { intent: Intent },
}

/// About single files, by their paths below the root, and what changed in all of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum FileCall {
    Mark,
    Diff { since: Option<String>, revision: Option<String>, limit: usize },
    ReadText { path: RawPath },
    Replace { path: RawPath, text: String },
    Exclude { pattern: String },
    Existing { files: Vec<String>, programs: Vec<String> },
    Fingerprint { globs: Vec<String>, files: Vec<String> },
    PathPrograms { directories: Vec<RawPath> },
    DetectTests,
    DetectChecks,
    Unmatched { globs: Vec<String> },
}

/// About what sessions leave behind in the repository. `scan` has the work tree looked at first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum StateCall {
    Resume { loop_id: String, scan: bool },
    Begin { loop_id: String },
    Compare { loop_id: String, scan: bool },
    Close { loop_id: String },
}

/// About guarded files and their originals.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum GuardCall {
    Record {
        asked: Asked,
    },
    Compare {
        asked: Asked,
        tree: Option<String>,
        later: Vec<LaterOriginals>,
    },
    PutIn {
        asked: Asked,
        later: Vec<LaterOriginals>,
    },
    SetAside,
    PutBack,
    /// Keeps the files of a directory outside git as they are.
    KeepStart,
    /// Puts back what differs from that.
    PutStartBack,
    /// Undoes what a killed process left; git is not needed for it.
    Settle {
        intent: Intent,
    },
}

/// A path, which need not be text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RawPath(#[serde(with = "windlass_repo::wire::path")] pub(super) PathBuf);

impl RawPath {
    pub(super) fn of(path: &Path) -> Self {
        Self(path.to_owned())
    }
}

impl From<TreeCall> for Call {
    fn from(call: TreeCall) -> Self {
        Self::Tree(call)
    }
}

impl From<BranchCall> for Call {
    fn from(call: BranchCall) -> Self {
        Self::Branch(call)
    }
}

impl From<PrivateCall> for Call {
    fn from(call: PrivateCall) -> Self {
        Self::Private(call)
    }
}

impl From<IntentCall> for Call {
    fn from(call: IntentCall) -> Self {
        Self::Intent(call)
    }
}

impl From<StateCall> for Call {
    fn from(call: StateCall) -> Self {
        Self::State(call)
    }
}

impl From<GuardCall> for Call {
    fn from(call: GuardCall) -> Self {
        Self::Guard(call)
    }
}

impl From<FileCall> for Call {
    fn from(call: FileCall) -> Self {
        Self::File(call)
    }
}
