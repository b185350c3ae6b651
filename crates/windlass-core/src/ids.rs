//! Names of things: loops, sessions, and places of steps. Every event has some: they are cheap to
//! clone.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

/// A loop's id: sixteen hexadecimal digits, random, so that a short prefix is unique.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LoopId(Arc<str>);

impl LoopId {
    /// The id that a random number makes.
    pub fn of_number(random: u64) -> Self {
        Self(format!("{random:016x}").into())
    }

    /// The id as it is stored and shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for LoopId {
    fn from(id: String) -> Self {
        Self(id.into())
    }
}

impl fmt::Display for LoopId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The place of a step in its loop, such as `2/agent` or `2/check/1`.
///
/// A place is a path and never a counter: whatever ran before it, the same step of the same
/// iteration has the same place, and so a resumed loop finds what it has already done.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Place(Arc<str>);

impl Place {
    /// The place `what` in iteration `iteration`; iteration 0 is what comes before the first.
    pub fn new(iteration: u32, what: impl fmt::Display) -> Self {
        Self(format!("{iteration}/{what}").into())
    }

    /// A place below this one.
    #[must_use]
    pub fn inner(&self, what: impl fmt::Display) -> Self {
        Self(format!("{}/{what}", self.0).into())
    }

    /// The place as it is stored and shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The place as a file's name.
    pub fn file_name(&self) -> String {
        self.0.replace('/', "-")
    }

    /// The iteration that the place is in.
    pub fn iteration(&self) -> u32 {
        self.0.split('/').next().and_then(|first| first.parse().ok()).unwrap_or(0)
    }
}

impl From<String> for Place {
    fn from(place: String) -> Self {
        Self(place.into())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
