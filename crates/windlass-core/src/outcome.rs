//! How one session ended, in the same words for every agent.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// How one session ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Outcome {
    /// The agent came to its own end. It says nothing about the work.
    Finished,
    /// The provider's limit is used up, until then if it said so.
    Limited {
        /// When the provider lets the agent go on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Timestamp>,
    },
    /// The provider did not accept the agent's credentials.
    Auth,
    /// The model or its server answered with an error.
    ModelError {
        /// The HTTP status, where one was told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<u16>,
    },
    /// The agent was not allowed to use a tool that it needed.
    PermissionDenied,
    /// The agent met a limit of its own, or refused.
    CutShort {
        /// Which limit: turns, tokens, budget, or a refusal; `background` where it left work of its
        /// own unfinished.
        reason: String,
    },
    /// windlass ended the session, for it took too long.
    TimedOut {
        /// Which of the two limits it was.
        kind: TimeoutKind,
    },
    /// The program ended by a signal, or with an exit code that is not 0.
    Crashed {
        /// The signal that ended it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signal: Option<i32>,
        /// The exit code that it ended with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<i32>,
    },
    /// The program ended well and left no answer where one was needed.
    NoResult,
    /// The program could not be started.
    NotFound,
    /// The session was ended because the loop was.
    Cancelled,
}

/// A plan is used up, and its provider charges for what is used beyond it: extra usage, credits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overage {
    /// When the plan has room again, where that was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// Which time limit a session ran into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeoutKind {
    /// No output for too long.
    Idle,
    /// Too long altogether.
    Total,
}

impl Outcome {
    /// What a session is cut short by that ended while work in the background was unfinished, where
    /// nothing else can tell whether the work is done.
    pub const BACKGROUND: &'static str = "background";

    /// Whether the session came to its own end, so that what it said may count.
    pub fn is_finished(&self) -> bool {
        matches!(self, Self::Finished)
    }

    /// Whether the session failed, as opposed to finished or called off by us.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Self::Finished | Self::Cancelled)
    }

    /// Whether it ended while background work was unfinished, so that its claim does not count.
    pub fn left_background(&self) -> bool {
        matches!(self, Self::CutShort { reason } if reason == Self::BACKGROUND)
    }

    /// Whether another try cannot end in another way: the provider does not let the agent in, or
    /// does not take what it asks.
    pub fn is_hopeless(&self) -> bool {
        match self {
            Self::Auth => true,
            Self::ModelError { status: Some(status) } => {
                (400..500).contains(status) && ![408, 409, 425, 429].contains(status)
            }
            _ => false,
        }
    }

    /// The word that it is serialised with.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Limited { .. } => "limited",
            Self::Auth => "auth",
            Self::ModelError { .. } => "model_error",
            Self::PermissionDenied => "permission_denied",
            Self::CutShort { .. } => "cut_short",
            Self::TimedOut { .. } => "timed_out",
            Self::Crashed { .. } => "crashed",
            Self::NoResult => "no_result",
            Self::NotFound => "not_found",
            Self::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished => write!(f, "finished"),
            Self::Limited { until: Some(until) } => write!(f, "limited until {until}"),
            Self::Limited { until: None } => write!(f, "limited by its provider"),
            Self::Auth => write!(f, "authentication failed"),
            Self::ModelError { status: Some(status) } => write!(f, "model error {status}"),
            Self::ModelError { status: None } => write!(f, "model error"),
            Self::PermissionDenied => write!(f, "was denied a tool"),
            Self::CutShort { reason } if reason == Self::BACKGROUND => {
                write!(f, "ended while background work was unfinished")
            }
            Self::CutShort { reason } => write!(f, "cut short: {reason}"),
            Self::TimedOut { kind: TimeoutKind::Idle } => write!(f, "timed out: no output"),
            Self::TimedOut { kind: TimeoutKind::Total } => write!(f, "timed out"),
            Self::Crashed { signal: Some(signal), .. } => write!(f, "killed by signal {signal}"),
            Self::Crashed { code: Some(code), .. } => write!(f, "exited with code {code}"),
            Self::Crashed { .. } => write!(f, "crashed"),
            Self::NoResult => write!(f, "gave no answer"),
            Self::NotFound => write!(f, "could not be started"),
            Self::Cancelled => write!(f, "cancelled"),
        }
    }
}
