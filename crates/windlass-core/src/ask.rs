//! Answers to a question of a loop.

use serde::{Deserialize, Serialize};

/// What may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// Try the same again.
    Retry,
    /// Let the agent mend it.
    Fix,
    /// Go on as if it were well.
    Skip,
    /// End the loop.
    Abort,
    /// Let what was found act.
    Trust,
}
