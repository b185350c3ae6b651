//! What changed in the files of the work tree in one iteration, seen through coarser and coarser lenses: its
//! bytes, without dates, without numbers, without names and style.

use serde::{Deserialize, Serialize};

/// What changed in the files of the work tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilesMark {
    /// The files that changed, at most [`FilesMark::MOST`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<FileMark>,
    /// How many more changed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u32,
    /// Identifies what all files hold, except prose and logs. Equal where the work is the same, whatever was
    /// noted next to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<String>,
}

impl FilesMark {
    /// How many changed files are looked at one by one.
    pub const MOST: usize = 50;

    /// What `work` is where all files but prose and logs are as at the start.
    pub const AT_START: &str = "start";
}

/// One file that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMark {
    /// Its path below the top of the work tree.
    pub path: String,
    /// What kind of file it is.
    pub kind: FileKind,
    /// How it changed.
    pub change: FileChange,
    /// Identifies its content and mode now; `None` where it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Identifies its shape before: what stays without numbers, comments and style, and of code without names.
    /// What is not text, or is large, has its content in the place of a shape. `None` where it was not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// Its shape now; `None` where it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
}

/// What kind of file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// Part of the work.
    Work,
    /// Prose or a log: text about the work.
    Prose,
    /// Prose that the task, or an open finding, asks for.
    AskedProse,
    /// A kind of a newer windlass.
    #[serde(other)]
    Unknown,
}

/// How a file changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileChange {
    /// It is new.
    Added,
    /// It is gone.
    Deleted,
    /// Only its mode or type changed.
    Mode,
    /// Only dates, times and ids in it changed.
    Stamps,
    /// Only numbers in it changed, and dates and ids if any.
    Numbers,
    /// Only comments, blanks or style in it changed, in code also names, and numbers if any.
    Style,
    /// It only got more of what it holds already.
    Repeats,
    /// Its content changed.
    Content,
    /// In a way that a newer windlass tells apart.
    #[serde(other)]
    Unknown,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}
