//! What a path is to the guard.

use super::keys::Kind;

/// What a path is, and with it what is done if the agent changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Class {
    /// A test: the original is put back for a proof.
    Test,
    /// It decides which tests run, or is the check itself: the same.
    RunnerConfig,
    /// A program that checks may find before those of the machine: the same.
    Program,
    /// Only some keys of it are guarded, by `keys::restore`.
    Shared { kind: Kind, keys: Vec<String> },
    /// A change is a doubt.
    Watched,
    /// The agent's.
    Free,
}

impl Class {
    /// Whether a change of such a file has the originals run.
    pub fn is_guarded(&self) -> bool {
        !matches!(self, Self::Watched | Self::Free)
    }
}
