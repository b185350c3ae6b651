//! Programs of the user's own that run at moments of a loop.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Span;

/// What runs at which moment: the table `[on]` of the config.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hooks {
    /// When the loop begins, before its first iteration.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loop_start: Vec<String>,
    /// After each iteration.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub iteration_end: Vec<String>,
    /// When a rule has tripped and the circuit is open.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trip: Vec<String>,
    /// When a provider's limit is to be waited for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limit: Vec<String>,
    /// When the loop is over, however it ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loop_end: Vec<String>,
    /// How long each may take.
    pub timeout: Span,
    /// What follows when one fails.
    pub failure: HookFailure,
}

impl Default for Hooks {
    fn default() -> Self {
        Self {
            loop_start: Vec::new(),
            iteration_end: Vec::new(),
            trip: Vec::new(),
            limit: Vec::new(),
            loop_end: Vec::new(),
            timeout: Span::seconds(60),
            failure: HookFailure::Warn,
        }
    }
}

impl Hooks {
    /// What runs at a moment; nothing where it is empty.
    pub fn at(&self, moment: Moment) -> &[String] {
        match moment {
            Moment::LoopStart => &self.loop_start,
            Moment::IterationEnd => &self.iteration_end,
            Moment::Trip => &self.trip,
            Moment::Limit => &self.limit,
            Moment::LoopEnd => &self.loop_end,
        }
    }
}

/// A moment of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// The loop begins.
    LoopStart,
    /// An iteration is over.
    IterationEnd,
    /// A rule has tripped.
    Trip,
    /// A limit is to be waited for.
    Limit,
    /// The loop is over.
    LoopEnd,
}

impl Moment {
    /// All of them, in the order in which they come.
    pub const ALL: [Self; 5] =
        [Self::LoopStart, Self::IterationEnd, Self::Trip, Self::Limit, Self::LoopEnd];
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LoopStart => "loop_start",
            Self::IterationEnd => "iteration_end",
            Self::Trip => "trip",
            Self::Limit => "limit",
            Self::LoopEnd => "loop_end",
        })
    }
}

/// What follows when a hook fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookFailure {
    /// It is told, and the loop goes on.
    #[default]
    Warn,
    /// The loop stops; it can be resumed, and the hook is run again then.
    Stop,
}
