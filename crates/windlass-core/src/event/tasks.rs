//! What became of the tasks of a task file.

use serde::{Deserialize, Serialize};

/// What became of the tasks of a task file, and how they stand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TasksMoved {
    /// In which iteration; 0 before the first.
    pub iteration: u32,
    /// Tasks that were open and are done. Of many, this and the others name the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub completed: Vec<String>,
    /// Tasks that were done and are open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reopened: Vec<String>,
    /// Tasks that were not there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    /// Open tasks that are not there any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// How many are open that must be done.
    pub open: u32,
    /// How many of those that must be done are.
    pub done: u32,
    /// How many are done that were not when the loop began.
    pub completed_so_far: u32,
    /// The first of those that are open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
}
