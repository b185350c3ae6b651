//! Why a loop ended: one value, serialised as it is, and mapped to an exit code in one place.

mod undecided;

use serde::{Deserialize, Deserializer, Serialize};

pub use undecided::Undecided;

use crate::time::Timestamp;

/// Why a loop ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Ending {
    /// The agent claimed that it is done, and the claim was accepted.
    Done {
        /// What claimed.
        by: ClaimedBy,
        /// Set where no check was there to prove the claim.
        #[serde(default, skip_serializing_if = "is_false")]
        unverified: bool,
    },
    /// The reviewer approved, and the proof stood.
    Approved {
        /// What claimed: the verdict.
        by: ClaimedBy,
        /// Set where no check was there to prove it.
        #[serde(default, skip_serializing_if = "is_false")]
        unverified: bool,
    },
    /// A review found nothing that should be changed.
    Clean {
        /// In which iteration.
        iteration: u32,
        /// How many findings were left out, for they are less severe than what was asked for.
        #[serde(default, skip_serializing_if = "is_zero")]
        left_out: u32,
    },
    /// There was nothing that a reviewer could have looked at.
    NothingToReview {
        /// Why there was nothing.
        reason: String,
        /// Set where the user said that this is no failure.
        #[serde(default, skip_serializing_if = "is_false")]
        allowed: bool,
    },
    /// All allowed iterations are used up.
    MaxIterations {
        /// The allowed number.
        limit: u32,
        /// How many findings are left, in loops that have findings.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<u32>,
    },
    /// All allowed iterations of a task are used up, and the reviewer did not approve.
    Escalated {
        /// The allowed number, for each task.
        limit: u32,
        /// The tasks that were not approved, in loops with a task file. Earlier versions ended with
        /// the first one.
        #[serde(default, alias = "task", deserialize_with = "one_or_more")]
        tasks: Vec<String>,
        /// What is open: the reviewer's last words, or why there are none.
        feedback: String,
    },
    /// The tests failed, and could not be mended.
    TestsFailed {
        /// In which iteration.
        iteration: u32,
        /// What failed.
        reason: String,
    },
    /// An audit is no better than the one before.
    Stalled {
        /// How many findings are left.
        left: u32,
    },
    /// Findings are left, and there was one pass only.
    FindingsLeft {
        /// How many.
        left: u32,
    },
    /// A rule tripped.
    Rule {
        /// The rule's name.
        rule: String,
        /// What it saw.
        reason: String,
        /// What is left to the user, where the circuit stays closed for that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        undecided: Option<Undecided>,
    },
    /// A budget is used up, or the next session would likely go over it.
    Budget {
        /// Which one.
        kind: BudgetKind,
        /// The figures.
        reason: String,
        /// The limit, as its flag takes it.
        #[serde(default)]
        limit: String,
    },
    /// The provider's limit is used up, and the loop was not to wait for its end.
    Limited {
        /// Whose limit.
        agent: String,
        /// When it resets, where that was told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Timestamp>,
    },
    /// The agent keeps failing.
    AgentFailed {
        /// How it failed, and how often.
        reason: String,
        /// What signs the agent in, where its provider did not accept its credentials.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        login: Option<String>,
    },
    /// Somebody called it off.
    Cancelled {
        /// Who did.
        by: CancelledBy,
    },
    /// windlass could not go on.
    Error {
        /// What could not be done, and why.
        message: String,
        /// The exit code that belongs to it.
        code: u8,
    },
}

/// What an accepted claim was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimedBy {
    /// The promise, such as `<promise>COMPLETE</promise>`.
    Promise,
    /// A status block.
    Status,
    /// A clean exit, where the promise is empty.
    Exit,
    /// No open task is left.
    Tasks,
    /// A reviewer's approval.
    Verdict,
    /// Git, which brought two lines of commits together.
    Merge,
    /// The checks, where no claim is needed.
    Checks,
    /// The user, who took work that was not proven.
    User,
}

impl ClaimedBy {
    /// The word that it is serialised with.
    pub fn word(self) -> &'static str {
        match self {
            Self::Promise => "promise",
            Self::Status => "status",
            Self::Exit => "exit",
            Self::Tasks => "tasks",
            Self::Verdict => "verdict",
            Self::Merge => "merge",
            Self::Checks => "checks",
            Self::User => "user",
        }
    }
}

/// What a budget is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BudgetKind {
    /// Money.
    Cost,
    /// Tokens, in and out.
    Tokens,
    /// Time that the loop ran.
    Duration,
}

impl BudgetKind {
    /// The flag that sets its limit.
    pub fn flag(self) -> &'static str {
        match self {
            Self::Cost => "--max-cost",
            Self::Tokens => "--max-tokens",
            Self::Duration => "--max-duration",
        }
    }
}

/// Who called a loop off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CancelledBy {
    /// SIGINT: Ctrl-C at the terminal.
    Sigint,
    /// SIGTERM.
    Sigterm,
    /// SIGHUP: the terminal went away.
    Sighup,
    /// `windlass cancel`, or the cancel handle of the library.
    Request,
}

impl CancelledBy {
    /// The word that events have for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sigint => "sigint",
            Self::Sigterm => "sigterm",
            Self::Sighup => "sighup",
            Self::Request => "request",
        }
    }
}

impl Ending {
    /// The ending of a loop whose agent keeps failing. Whether that is for its credentials is added where
    /// the loop ends.
    pub fn agent_failed(reason: String) -> Self {
        Self::AgentFailed { reason, login: None }
    }

    /// What went wrong, in a sentence.
    pub fn error(&self) -> Option<String> {
        match self {
            Self::Rule { rule, reason, .. } => Some(format!("the rule {rule} tripped: {reason}")),
            Self::AgentFailed { reason, .. } => Some(reason.clone()),
            Self::Budget { reason, .. } => Some(reason.clone()),
            Self::Limited { agent, until } => Some(match until {
                Some(until) => format!("the limit of {agent} is used up until {until}"),
                None => format!("the limit of {agent} is used up"),
            }),
            Self::Error { message, .. } => Some(message.clone()),
            Self::TestsFailed { reason, .. } => Some(reason.clone()),
            Self::Escalated { .. } => Some("no approval that stood".to_owned()),
            Self::Done { .. }
            | Self::Approved { .. }
            | Self::Clean { .. }
            | Self::MaxIterations { .. }
            | Self::FindingsLeft { .. }
            | Self::Stalled { .. }
            | Self::NothingToReview { allowed: true, .. }
            | Self::Cancelled { .. } => None,
            Self::NothingToReview { reason, .. } => {
                Some(format!("there is nothing to review: {reason}"))
            }
        }
    }

    /// A claim was accepted, and whether checks have proven it.
    pub fn accepted(by: ClaimedBy, verified: bool) -> Self {
        let unverified = !verified;
        match by {
            ClaimedBy::Verdict => Self::Approved { by, unverified },
            ClaimedBy::Promise
            | ClaimedBy::Status
            | ClaimedBy::Exit
            | ClaimedBy::Tasks
            | ClaimedBy::Checks
            | ClaimedBy::User
            | ClaimedBy::Merge => Self::Done { by, unverified },
        }
    }

    /// The word that it is serialised with, which is also what `-q` prints.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Done { .. } => "done",
            Self::Approved { .. } => "approved",
            Self::Clean { .. } => "clean",
            Self::NothingToReview { .. } => "nothing_to_review",
            Self::Escalated { .. } => "escalated",
            Self::Stalled { .. } => "stalled",
            Self::TestsFailed { .. } => "tests_failed",
            Self::FindingsLeft { .. } => "findings_left",
            Self::MaxIterations { .. } => "max_iterations",
            Self::Rule { .. } => "rule",
            Self::Budget { .. } => "budget",
            Self::Limited { .. } => "limited",
            Self::AgentFailed { .. } => "agent_failed",
            Self::Cancelled { .. } => "cancelled",
            Self::Error { .. } => "error",
        }
    }

    /// Whether the loop reached what it was started for.
    pub fn is_success(&self) -> bool {
        matches!(
            self,
            Self::Done { .. }
                | Self::Approved { .. }
                | Self::Clean { .. }
                | Self::NothingToReview { allowed: true, .. }
        )
    }

    /// The exit code of a process that ran a loop to this ending.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Done { .. }
            | Self::Approved { .. }
            | Self::Clean { .. }
            | Self::NothingToReview { allowed: true, .. } => 0,
            Self::MaxIterations { .. }
            | Self::Escalated { .. }
            | Self::TestsFailed { .. }
            | Self::Stalled { .. }
            | Self::FindingsLeft { .. }
            | Self::NothingToReview { .. }
            | Self::Budget { .. } => 1,
            Self::Rule { .. } => 3,
            Self::Limited { .. } | Self::AgentFailed { .. } => 5,
            Self::Cancelled { by: CancelledBy::Sighup } => 129,
            Self::Cancelled { by: CancelledBy::Sigint } => 130,
            Self::Cancelled { by: CancelledBy::Sigterm | CancelledBy::Request } => 143,
            Self::Error { code, .. } => *code,
        }
    }

    /// Whether `resume` may take the loop up again, and why not otherwise.
    pub fn resumable(&self) -> Result<(), &'static str> {
        match self {
            Self::Done { by: ClaimedBy::User, .. } => Err("you accepted its work"),
            Self::Done { .. } => Err("it is done"),
            Self::Approved { .. } => Err("it is approved"),
            Self::Clean { .. } => Err("its review is clean"),
            Self::NothingToReview { .. } => Err("there was nothing to review"),
            Self::TestsFailed { .. } => Err("its tests failed: fix them and start another"),
            Self::Stalled { .. } => Err("it did not get on: start another"),
            Self::FindingsLeft { .. } => Err("it was one pass, which is over"),
            Self::Rule { .. }
            | Self::MaxIterations { .. }
            | Self::Escalated { .. }
            | Self::Budget { .. }
            | Self::Limited { .. }
            | Self::AgentFailed { .. }
            | Self::Cancelled { .. } => Ok(()),
            Self::Error { .. } => Ok(()),
        }
    }
}

/// A list of names, or the one name, or nothing, that stood there in earlier versions.
fn one_or_more<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Names {
        Many(Vec<String>),
        One(String),
        None,
    }
    Ok(match Names::deserialize(deserializer)? {
        Names::Many(names) => names,
        Names::One(name) => vec![name],
        Names::None => Vec::new(),
    })
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_false(value: &bool) -> bool {
    !value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escalation_of_an_earlier_version_is_read_as_one_of_a_single_task() {
        for (stored, tasks) in [
            (r#"{"type":"escalated","limit":2,"task":"a","feedback":"no"}"#, vec!["a"]),
            (r#"{"type":"escalated","limit":2,"feedback":"no"}"#, vec![]),
            (r#"{"type":"escalated","limit":2,"tasks":["a","b"],"feedback":"no"}"#, vec!["a", "b"]),
        ] {
            let read: Ending = serde_json::from_str(stored).unwrap();
            let tasks = tasks.into_iter().map(str::to_owned).collect();
            assert_eq!(read, Ending::Escalated { limit: 2, tasks, feedback: "no".to_owned() });
        }
    }
}
