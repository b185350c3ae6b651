//! Durable steps: everything a loop does that must not be done twice.
//!
//! A step is a value and so is its result; both go through the journal. That is what makes a
//! loop resumable: a completed step is answered from the journal, and the loop does not notice.

mod advance;
pub mod guarded;
mod head;
mod nature;
mod notes;
mod parts;
mod reports;
mod wait;

use serde::{Deserialize, Serialize};

use guarded::{
    GuardChanges, GuardReport, GuardStep, LaterOriginals, OriginalsReport, OriginalsStep,
};

pub use advance::AdvanceStep;
pub use head::HeadStep;
pub use parts::{CheckStep, HookStep, SessionStep};
pub use reports::{CheckReport, Fingerprints, HeadMoved, RestoreReport, SessionReport};
pub use wait::WaitFor;

use crate::{
    ask::Choice,
    forge::{PostedReview, Pull},
    posting::Post,
    text::patch::DiffReport,
    time::Timestamp,
    tree::Snapshot,
};

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Step {
    /// Call an agent.
    Session(SessionStep),
    /// Run one command that must pass.
    Check(CheckStep),
    /// Record the work tree.
    Snapshot {
        /// The tree before, to count what changed since.
        previous: Option<String>,
        /// The tree at the loop's start, to count what changed since.
        start: Option<String>,
        /// Whether only files are counted as changed that were there already, at the start or in the
        /// tree before.
        #[serde(default)]
        tracked_only: bool,
    },
    /// Put the work tree back to a tree that was recorded.
    Restore {
        /// The tree.
        tree: String,
        /// The commit that HEAD was at; unknown in journals of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        head: Option<String>,
        /// Whether files stay that were added since.
        #[serde(default, skip_serializing_if = "is_false")]
        existing_only: bool,
    },
    /// Record which files the user had changed before the loop.
    Dirty,
    /// Read a text that the loop is about, such as its task file.
    Read {
        /// The file, from where the agent works.
        path: String,
    },
    /// Record what the protected files hold.
    Fingerprint {
        /// Globs of the user.
        globs: Vec<String>,
        /// Files that the checks' commands name.
        files: Vec<String>,
    },
    /// Record what is guarded, and keep the originals that no snapshot has.
    Guard(GuardStep),
    /// Compare the guarded files with their originals.
    Guarded {
        /// What is guarded.
        guard: GuardStep,
        /// The tree as it is now; `None` outside a repository.
        tree: Option<String>,
        /// The trees that later originals are in, the latest last.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        later: Vec<LaterOriginals>,
    },
    /// Run the checks on the originals, and put the agent's files back.
    Originals(Box<OriginalsStep>),
    /// Record the programs that `PATH` leads to in the work tree, at the loop's start.
    Programs,
    /// Find what a branch is compared with.
    Base {
        /// What is wanted, the best first; the usual branch where there is nothing.
        wanted: Vec<String>,
    },
    /// Mark a task as done in its file.
    Tick {
        /// The file, from where the loop works.
        path: String,
        /// What the task is known by.
        task: String,
    },
    /// Keep a review in the work tree.
    Keep {
        /// The review.
        text: String,
    },
    /// Write a file for the user.
    Write {
        /// The file, from where the loop works.
        path: String,
        /// What it is to hold.
        text: String,
    },
    /// Ask a forge for a pull request.
    Gather {
        /// Its number; that of the current branch if left out.
        number: Option<u64>,
    },
    /// Check the head of a pull request out, and fetch it before if it is missing.
    Head(HeadStep),
    /// Post to a forge.
    Post(Post),
    /// Push what is committed.
    Push {
        /// The branch at the other end.
        branch: String,
        /// The commit that it must be at there; unknown in journals of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected: Option<String>,
    },
    /// Ask whoever sits at the terminal.
    Ask {
        /// The question.
        question: String,
        /// What may be answered.
        choices: Vec<Choice>,
    },
    /// Record where a jj repository stands.
    Mark,
    /// Say what changed since the loop began, for a reviewer.
    Diff {
        /// The tree at the loop's start.
        since: Option<String>,
        /// The jj commit at the loop's start.
        revision: Option<String>,
        /// The most bytes of it.
        limit: usize,
    },
    /// Wait.
    Wait {
        /// Until when, so that a resumed loop waits to the same time.
        until: Timestamp,
        /// What kind of wait it is.
        #[serde(default)]
        what: WaitFor,
        /// What for, in words for people.
        reason: String,
    },
    /// Run a program of the user's own.
    Hook(HookStep),
    /// Look for what a merge left undecided.
    Unresolved {
        /// The files that did not fit.
        files: Vec<String>,
        /// How lines begin that are marks of it.
        marks: Vec<String>,
    },
    /// Make a commit of all that is in the work tree, without moving a branch.
    Conclude {
        /// The commit's message.
        message: String,
        /// The commits that it comes after.
        parents: Vec<String>,
    },
    /// Move a branch forward.
    Advance(AdvanceStep),
    /// Commit what the loop changed.
    Commit {
        /// The commit's message.
        message: String,
        /// Paths that the user had changed before the loop, which stay out.
        spare: Vec<String>,
    },
}

/// What a step gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum StepResult {
    /// Of a session.
    Session(Box<SessionReport>),
    /// Of a check.
    Check(CheckReport),
    /// Of a snapshot; outside a repository there is none.
    Snapshot {
        /// The recorded tree.
        snapshot: Option<Snapshot>,
        /// How many files differ from the tree before.
        changed: u32,
        /// How many files differ from the tree at the loop's start.
        modified: u32,
        /// The first of the files that differ from the tree before.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        paths: Vec<String>,
        /// How many lines differ from those of the tree before.
        #[serde(default, skip_serializing_if = "is_zero")]
        lines: u64,
        /// Whether they differ in nothing but numbers, dates and ids.
        #[serde(default, skip_serializing_if = "is_false")]
        only_numbers: bool,
        /// The programs that `PATH` leads to in the work tree and that differ from those at the
        /// loop's start.
        #[serde(default, skip_serializing_if = "Fingerprints::is_empty")]
        programs: Fingerprints,
        /// What people should know about it, such as files that could not be read.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
    },
    /// Of a work tree that was put back.
    Restored(RestoreReport),
    /// Of a look for the user's own changes.
    Dirty {
        /// The paths.
        paths: Vec<String>,
    },
    /// Of a file that was read.
    Read {
        /// What it holds.
        text: String,
        /// What snapshots call it; `None` where it is not in the work tree.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        in_tree: Option<String>,
    },
    /// Of a fingerprint.
    Fingerprint {
        /// The protected files and what they hold.
        files: Fingerprints,
    },
    /// Of what is guarded.
    Guard(GuardReport),
    /// Of a comparison with the originals.
    Guarded(GuardChanges),
    /// Of the checks on the originals.
    Originals(Box<OriginalsReport>),
    /// Of a look at the programs of the work tree.
    Programs {
        /// What each holds.
        #[serde(default)]
        files: Fingerprints,
    },
    /// Of a look for what a branch is compared with; all empty outside a repository.
    Base {
        /// What people call it.
        name: Option<String>,
        /// The tree there.
        tree: Option<String>,
        /// The commit there; unknown in journals of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commit: Option<String>,
    },
    /// Of a tick.
    Ticked {
        /// Whether there was such a task, and it was open.
        found: bool,
    },
    /// Of a review that is kept.
    Kept,
    /// Of a file that was written for the user.
    Written {
        /// The file, from where the loop works.
        path: String,
    },
    /// Of a question to a forge.
    Gathered {
        /// The pull request.
        pull: Box<Pull>,
    },
    /// Of a head that was checked out.
    Arrived {
        /// What people should know about it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
    },
    /// Of what was posted.
    Posted {
        /// Where it can be seen.
        url: Option<String>,
        /// The review, if it is one; unknown in journals of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        review: Option<PostedReview>,
    },
    /// Of a question or a post that a forge has no room for yet.
    Limited {
        /// When it may be asked again.
        until: Timestamp,
    },
    /// Of a push.
    Pushed {
        /// The commit that is at the other end now.
        commit: Option<String>,
        /// Why the other end refused it, where it did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refused: Option<String>,
    },
    /// Of a question; `None` where nobody answered.
    Answered {
        /// What was chosen.
        choice: Option<Choice>,
    },
    /// Of a look at where a jj repository stands.
    Mark {
        /// The commit; `None` where there is no such repository, or nobody to ask.
        revision: Option<String>,
        /// What people should know about it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
    },
    /// Of a diff.
    Diff(DiffReport),
    /// Of a wait.
    Waited,
    /// Of a program of the user's own.
    Hooked {
        /// What went wrong, in a sentence.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        problems: Vec<String>,
        /// Whether the loop stops for it.
        #[serde(default, skip_serializing_if = "is_false")]
        stops: bool,
    },
    /// Of a look for what is undecided.
    Unresolved {
        /// The files that still are.
        files: Vec<String>,
    },
    /// Of a branch that was moved.
    Advanced {
        /// The branch.
        branch: String,
        /// The commit that it is at now.
        commit: String,
        /// The work tree that was brought along.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<String>,
    },
    /// Of a commit; `None` where there was nothing to commit.
    Commit {
        /// The new commit.
        commit: Option<String>,
        /// Paths that were left out, and why.
        left_out: Vec<String>,
    },
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
