//! The originals of guarded files, put in the place of the agent's for a while.
//!
//! Nothing is copied over anything: what stands at a path is moved aside as it is, the original takes
//! its place, and later the two change places again. All of it is written down first (`Swap`, in an
//! intent), and each step back goes by what is there at that moment, so that it can be taken after a
//! kill between any two calls of the system. Git is not asked.

mod back;
mod plan;
mod put;
mod recorded;
mod state;

pub use self::{
    back::PutBack,
    put::put_in,
    recorded::{Differing, InTree, is_hash_only},
};

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The name aside that says that every original was in its place.
const COMPLETE: &[u8] = b"complete";

/// A path of which the original is wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The path from the top.
    pub path: PathBuf,
    /// What belongs there; `None` where nothing does.
    pub original: Option<Original>,
    /// Whether that is only so in the second run.
    pub only_second: bool,
    /// Whether the checks write this file themselves.
    pub is_written_by_checks: bool,
}

/// What a path held.
#[derive(Clone, Debug)]
pub enum Original {
    File {
        bytes: Vec<u8>,
        /// Its mode, where more is known of it than the right to execute.
        mode: Option<u32>,
        executable: bool,
    },
    /// Where the link leads.
    Link(Vec<u8>),
}

/// Files that change places, with all that it takes to put them back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swap {
    /// Where the agent's files are meanwhile, by their numbers.
    #[serde(with = "crate::wire::path")]
    aside: PathBuf,
    /// The folder at the top where those are that cannot be moved out of their file system.
    inside: String,
    /// Where versions are kept whose place is taken.
    #[serde(with = "crate::wire::path")]
    kept: PathBuf,
    /// The paths, those above before those below.
    entries: Vec<Entry>,
    /// Directories that are made, the outermost first.
    #[serde(with = "crate::wire::paths")]
    made: Vec<PathBuf>,
    /// Directories that are opened meanwhile, with their modes.
    opened: Vec<(Opened, u32)>,
    /// The second in which originals are said to be modified.
    modified: i64,
}

/// A directory that is opened meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Opened(#[serde(with = "crate::wire::path")] PathBuf);

/// One path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    #[serde(with = "crate::wire::path")]
    path: PathBuf,
    /// The device and the inode of what was there.
    found: Option<(u64, u64)>,
    /// What is put there.
    put: Put,
    only_second: bool,
    /// What the checks write here is no disturbance, and makes room for the agent's file.
    #[serde(default)]
    is_written_by_checks: bool,
}

/// What is put in a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Put {
    /// Nothing: the agent's file is only moved aside.
    Nothing,
    /// A directory, for originals below it.
    Directory,
    /// A file with this SHA-256.
    File { digest: String },
    /// A link that leads there, by the SHA-256 of it.
    Link { digest: String },
}

impl Swap {
    /// Whether there are files that are set aside only for a second run.
    pub fn has_second(&self) -> bool {
        self.entries.iter().any(|entry| entry.only_second)
    }
}

/// A path as it is shown.
fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
