//! What ends the program: a kind that picks the exit code, what could not be done and why, and
//! what to do next.

use std::{error::Error, fmt::Write as _, io};

use windlass_core::text::sanitise;
use windlass_store::store::{FindError, StoreError};

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
    /// Whoever read our output has seen enough. Nothing is wrong, and nothing is said.
    ReaderGone,
    /// What was asked for was tried, and did not succeed.
    Unsuccessful,
    /// Usage, config or other bad input.
    Usage,
    /// The circuit of a loop is open.
    CircuitOpen,
    /// It could not start: no such program, untrusted config, tree in use.
    Setup,
    /// The store: full, corrupt, newer, locked. Also output that could not be written.
    Storage,
    /// Processes that could not be ended are still there.
    Survivors,
    /// A bug of ours.
    Internal,
}

impl Kind {
    /// All of them, for the test that holds the table of exit codes to them.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 8] = [
        Self::ReaderGone,
        Self::Unsuccessful,
        Self::Usage,
        Self::CircuitOpen,
        Self::Setup,
        Self::Storage,
        Self::Survivors,
        Self::Internal,
    ];

    /// The exit code.
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::ReaderGone => 0,
            Self::Unsuccessful => 1,
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

    /// Output that could not be written.
    pub(crate) fn output(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::new(Kind::ReaderGone, error);
        }
        Self::because(Kind::Storage, "the output could not be written", error)
    }

    /// A failure that says what could not be done, and has `source` say why.
    pub(crate) fn because(
        kind: Kind,
        what: impl Into<String>,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        Self::new(kind, Because { what: what.into(), source: source.into() })
    }

    /// The same failure with a line on what to do next.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The failure for people, each line ended; `bold` sets off the words at the margin.
    pub(crate) fn render(&self, bold: impl Fn(&str) -> String) -> String {
        let mut text = format!("{} {}\n", bold("error:"), sanitise::text(&self.error.to_string()));
        let mut source = self.error.source();
        while let Some(error) = source {
            let why = error.to_string();
            let _ = writeln!(text, "  caused by: {}", sanitise::text(&why));
            source = error.source();
        }
        if !self.hints.is_empty() {
            text.push('\n');
        }
        for hint in &self.hints {
            let _ = writeln!(text, "{} {}", bold("hint:"), sanitise::text(hint));
        }
        text
    }
}

#[derive(Debug, thiserror::Error)]
#[error("{what}")]
struct Because {
    what: String,
    source: Box<dyn Error + Send + Sync>,
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        if let StoreError::Stale { id } = &error {
            let hint = format!("`windlass status {id}` shows how it goes on");
            return Self::new(Kind::Setup, error).hint(hint);
        }
        Self::new(Kind::Storage, error)
            .hint("`windlass doctor` looks at the store and says what to do")
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
            error @ (FindError::NoneHere { .. } | FindError::Ambiguous { .. }) => {
                Self::usage(error).hint("`windlass list` shows all loops")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_says_what_why_and_what_to_do() {
        let io = io::Error::from(io::ErrorKind::NotFound);
        let failure = Failure::because(Kind::Setup, "could not start the agent `claude`", io)
            .hint("install it, or choose another agent with `--agent`")
            .hint("`windlass agents` lists the agents that were found");
        insta::assert_snapshot!(failure.render(str::to_owned), @r"
        error: could not start the agent `claude`
          caused by: entity not found

        hint: install it, or choose another agent with `--agent`
        hint: `windlass agents` lists the agents that were found
        ");
    }

    #[test]
    fn what_an_agent_said_cannot_drive_the_terminal_from_an_error() {
        let failure = Failure::usage("bad \u{1b}]0;title\u{7} name").hint("\u{1b}[2J");
        assert!(!failure.render(str::to_owned).contains('\u{1b}'));
    }

    #[test]
    fn a_reader_that_has_gone_away_is_no_failure() {
        let failure = Failure::output(io::ErrorKind::BrokenPipe.into());
        assert_eq!(failure.kind.exit_code(), 0);
        assert_eq!(Failure::output(io::ErrorKind::StorageFull.into()).kind, Kind::Storage);
    }
}
