//! One guarded file that no snapshot has, as it was at the start.

use serde::{Deserialize, Serialize};
use windlass_system::below::{self, Root};

use super::look::{Print, Touched};

/// What is known of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) print: Print,
    pub(super) mode: u32,
    /// How it is seen that it was not touched; `None` where that could not be told.
    pub(super) touched: Option<Touched>,
    /// How it can be put back.
    pub(super) back: Back,
    /// The link that leads to it, if it is guarded only for that.
    pub(super) behind: Option<String>,
}

/// How a file can be put back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Back {
    /// By the copy with this number.
    Copy(usize),
    /// By what its print says.
    Link,
    /// It cannot, and why: any change rejects.
    Locked(String),
    /// It cannot, and a change is a doubt.
    Watched,
}

impl Kept {
    /// What stands there now, if it is something else.
    pub(super) fn differs(&self, root: &Root, path: &str) -> Result<Option<Now>, String> {
        let failed = |error: std::io::Error| format!("`{path}` cannot be looked at: {error}");
        let Some(stood) =
            below::stood(root, path.as_bytes()).map_err(|errno| failed(errno.into()))?
        else {
            return Ok(Some(Now::Deleted));
        };
        if self.touched == Some(Touched::of(&stood)) {
            return Ok(None);
        }
        let now = Print::of(root, path, &stood).map_err(failed)?;
        Ok((now != self.print).then_some(Now::Changed))
    }
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Now {
    Changed,
    Deleted,
}

impl Now {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Deleted => "deleted",
        }
    }
}
