//! The parts of an iteration, in loops where it has several.

use serde::{Deserialize, Serialize};

/// An iteration came to the next of its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// What is to be said of it: the feedback, or how it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
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
            Self::Breathe => "breathe",
            Self::Reflect => "reflect",
            Self::Heal => "heal",
            Self::Awaken => "awaken",
        }
    }
}
