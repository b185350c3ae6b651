//! The parts of an iteration, in loops where it has several.

use serde::{Deserialize, Serialize};

use crate::role;

/// An iteration came to the next of its parts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PhaseEntered {
    /// In which iteration.
    pub iteration: u32,
    /// Which part.
    pub phase: Phase,
    /// The task that it is about, in loops with a task file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// Which try at the task it is, from 1; in loops without tasks that is the iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    /// How many tries at the task are allowed; 0 for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts_allowed: Option<u32>,
    /// The role of the agent that works in it, or whose answer it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// What happens, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What is to be said of it: the feedback, or how it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl PhaseEntered {
    /// That part of an iteration, with who works in it and what happens.
    pub fn new(iteration: u32, phase: Phase) -> Self {
        Self {
            iteration,
            phase,
            task: None,
            attempt: None,
            attempts_allowed: None,
            role: phase.role().map(str::to_owned),
            message: Some(phase.message().to_owned()),
            text: None,
        }
    }
}

/// The same part of the same iteration, with the same to say: a resumed loop does not tell it again. Events
/// of earlier versions have no role and no message, and a limit may be raised when a loop goes on.
impl PartialEq for PhaseEntered {
    fn eq(&self, other: &Self) -> bool {
        let identity = |one: &Self| (one.iteration, one.phase, one.attempt);
        let task = self.task.as_ref().zip(other.task.as_ref());
        identity(self) == identity(other)
            && self.text == other.text
            && task.is_none_or(|(one, other)| one == other)
    }
}

/// A part of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// `develop`: work on a task began.
    Started,
    /// `develop`: the developer works.
    Developing,
    /// `develop`: the reviewer reads the diff.
    Reviewing,
    /// `develop`: the reviewer wants something changed.
    Feedback,
    /// `develop`: the reviewer approved, and the proof stood.
    Approved,
    /// `develop`: the last allowed iteration ended without approval.
    Escalated,
    /// `develop`: a session failed.
    Failed,
    /// `develop`: the developer reports that it cannot go on.
    Blocked,
    /// `heal`: the review.
    Breathe,
    /// `heal`: the findings are read out of it.
    Reflect,
    /// `heal`: the fixes.
    Heal,
    /// `heal`: the tests.
    Awaken,
}

impl Phase {
    /// The word that it is serialised with.
    pub fn word(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Developing => "developing",
            Self::Reviewing => "reviewing",
            Self::Feedback => "feedback",
            Self::Approved => "approved",
            Self::Escalated => "escalated",
            Self::Failed => "failed",
            Self::Blocked => "blocked",
            Self::Breathe => "breathe",
            Self::Reflect => "reflect",
            Self::Heal => "heal",
            Self::Awaken => "awaken",
        }
    }

    /// The role of the agent that works in it, or whose answer it is; `None` where it is windlass's.
    pub fn role(self) -> Option<&'static str> {
        match self {
            Self::Developing | Self::Blocked => Some(role::DEVELOPER),
            Self::Reviewing | Self::Feedback | Self::Approved | Self::Breathe => {
                Some(role::REVIEWER)
            }
            Self::Reflect => Some(role::PARSER),
            Self::Heal => Some(role::FIXER),
            Self::Started | Self::Escalated | Self::Failed | Self::Awaken => None,
        }
    }

    /// What happens in it, in a sentence.
    fn message(self) -> &'static str {
        match self {
            Self::Started => "work on the task begins",
            Self::Developing => "the developer works",
            Self::Reviewing => "the reviewer reads the diff",
            Self::Feedback => "the reviewer wants changes",
            Self::Approved => "the reviewer approved, and the proof stood",
            Self::Escalated => "the allowed iterations are used up without an approval that stood",
            Self::Failed => "a session failed",
            Self::Blocked => "the developer reports that it is blocked",
            Self::Breathe => "the reviewer reviews the code",
            Self::Reflect => "the findings are read from the review",
            Self::Heal => "the findings are fixed",
            Self::Awaken => "the tests run",
        }
    }
}
