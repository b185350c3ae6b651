//! The parts of a [`super::LoopView`] that have states of their own.

use super::line;
use crate::{ending::ClaimedBy, event::TasksMoved, step::WaitFor, time::Timestamp};

/// So many names of tasks are kept.
const MOST_TASKS: usize = 50;

/// What a loop does now.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Phase {
    /// It gets ready for its next step.
    #[default]
    Starting,
    /// An agent works.
    Session {
        /// In whose part.
        role: String,
    },
    /// A check runs.
    Check {
        /// Its command.
        command: String,
    },
    /// The checks run on the original tests.
    Originals {
        /// Their commands.
        command: String,
    },
    /// The work tree is recorded or compared.
    Snapshot,
    /// It waits.
    Waiting {
        /// Until when.
        until: Timestamp,
        /// What kind of wait it is.
        what: WaitFor,
        /// What for.
        reason: String,
    },
    /// It waits for an answer.
    Asking {
        /// The question.
        question: String,
    },
    /// It talks to where pull requests are.
    Remote,
    /// It commits.
    Committing,
    /// It is over.
    Ended,
}

/// A claim, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// In which iteration.
    pub iteration: u32,
    /// What claimed.
    pub by: ClaimedBy,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// It is looked into.
    Open,
    /// It was not accepted.
    Rejected {
        /// Why, a line each.
        reasons: Vec<String>,
    },
    /// It was accepted.
    Accepted {
        /// How many checks passed; 0 means unverified.
        checks: u32,
        /// The tree that the proof is bound to.
        tree: Option<String>,
        /// What is to be said about the proof all the same, a line each.
        doubts: Vec<String>,
        /// Whether something was waived, which means unverified, too.
        waived: bool,
    },
}

/// How the tasks of a task file stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TasksView {
    /// How many are open that must be done.
    pub open: u32,
    /// How many of those that must be done are.
    pub done: u32,
    /// How many are done that were not when the loop began.
    pub completed: u32,
    /// The names of those that were done last, oldest first.
    pub last_completed: Vec<String>,
    /// The names of the first that are open.
    pub left: Vec<String>,
}

impl TasksView {
    /// Takes in what became of them.
    pub(super) fn apply(&mut self, moved: &TasksMoved) {
        self.open = moved.open;
        self.done = moved.done;
        self.completed = moved.completed_so_far;
        self.left = moved.left.iter().map(|name| line(name)).collect();
        let reopened: Vec<String> = moved.reopened.iter().map(|name| line(name)).collect();
        let completed: Vec<String> = moved.completed.iter().map(|name| line(name)).collect();
        self.last_completed.retain(|name| !reopened.contains(name) && !completed.contains(name));
        self.last_completed.extend(completed);
        let surplus = self.last_completed.len().saturating_sub(MOST_TASKS);
        self.last_completed.drain(..surplus);
    }
}

/// One check of this iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckView {
    /// Its command.
    pub command: String,
    /// Whether it passed; `None` while it runs.
    pub passed: Option<bool>,
}

/// Whether a rule warned or tripped.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Circuit {
    /// All is well.
    #[default]
    Closed,
    /// A rule is one short of tripping.
    HalfOpen {
        /// Its name.
        rule: String,
        /// What it saw.
        reason: String,
    },
    /// A rule tripped.
    Open {
        /// Its name.
        rule: String,
        /// What it saw.
        reason: String,
    },
}
