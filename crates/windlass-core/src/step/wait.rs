//! What a step that waits is about.

use serde::{Deserialize, Serialize};

/// What is waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitFor {
    /// Nothing: it is a pause.
    #[default]
    Pause,
    /// A provider's limit to reset.
    Reset,
    /// Room under the calls that an hour may have.
    Room,
}
