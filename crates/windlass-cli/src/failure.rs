//! What ends the program: a kind that picks the exit code, what could not be done and why, and
//! what to do next.

use std::error::Error;

use windlass::store::{FindError, StoreError};

/// An error that ends the program.
#[derive(Debug)]
pub(crate) struct Failure {
    /// Picks the exit code.
    pub(crate) kind: Kind,
    /// What could not be done; its sources say why.
    pub(crate) error: Box<dyn Error + Send + Sync>,
    /// What to do next, a line each.
    pub(crate) hints: Vec<String>,
}

/// What sort of failure it is. Endings of loops have exit codes of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Usage, config or other bad input.
    Usage,
    /// The circuit of a loop is open.
    CircuitOpen,
    /// It could not start: no such program, untrusted config, tree in use.
    Setup,
    /// The store: full, corrupt, newer, locked.
    Storage,
    /// Processes that could not be ended are still there.
    Survivors,
    /// A bug of ours.
    Internal,
}

impl Kind {
    /// The exit code.
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::Usage => 2,
            Self::CircuitOpen => 3,
            Self::Setup => 4,
            Self::Storage => 6,
            Self::Survivors => 8,
            Self::Internal => 70,
        }
    }
}

impl Failure {
    /// A failure of that kind.
    pub(crate) fn new(kind: Kind, error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind, error: error.into(), hints: Vec::new() }
    }

    /// Bad input.
    pub(crate) fn usage(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::new(Kind::Usage, error)
    }

    /// The same failure with a line on what to do next.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::new(Kind::Storage, error)
    }
}

impl From<FindError> for Failure {
    fn from(error: FindError) -> Self {
        match error {
            FindError::Store(error) => error.into(),
            FindError::Unknown { ref nearest, .. } => {
                let nearest = nearest.clone();
                let failure = Self::usage(error);
                match nearest {
                    Some(name) => failure.hint(format!("did you mean `{name}`?")),
                    None => failure,
                }
                .hint("`windlass list` shows all loops")
            }
            error => Self::usage(error).hint("`windlass list` shows all loops"),
        }
    }
}
