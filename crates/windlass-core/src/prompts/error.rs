//! Why a prompt cannot be used.

use minijinja::{Error, ErrorKind};

use super::PromptName;

/// Why a prompt cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    /// Its text is no template, or cannot be filled in.
    #[error("the prompt `{name}` cannot be used: {}{why}", at(*line))]
    Wrong {
        /// The prompt whose text is wrong.
        name: PromptName,
        /// The line, where it is known.
        line: Option<usize>,
        /// What is wrong.
        why: String,
    },

    /// It asks for something that it does not get.
    #[error(
        "the prompt `{name}` cannot be used: {}it asks for `{variable}`; what it gets is {}",
        at(*line),
        listed(name.variables())
    )]
    UnknownVariable {
        /// The prompt.
        name: PromptName,
        /// The line, where it is known.
        line: Option<usize>,
        /// What it asks for.
        variable: String,
    },

    /// It is longer than the agent can take, with all cut that may be cut.
    #[error("the prompt `{name}` has {bytes} bytes, and the agent can take {limit}")]
    TooLong {
        /// The prompt.
        name: PromptName,
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        limit: usize,
    },
}

impl PromptError {
    /// The prompt whose text is wrong, or too long.
    pub fn name(&self) -> PromptName {
        match self {
            Self::Wrong { name, .. }
            | Self::UnknownVariable { name, .. }
            | Self::TooLong { name, .. } => *name,
        }
    }

    /// The error of the template engine while it dealt with `name`, or with what that includes.
    pub(super) fn of(name: PromptName, error: &Error) -> Self {
        // What an included template did wrong comes as the cause of an error of the includer.
        let mut inner = error;
        let mut source = std::error::Error::source(error);
        while let Some(cause) = source {
            if let Some(cause) = cause.downcast_ref::<Error>() {
                inner = cause;
            }
            source = cause.source();
        }
        let file = inner.name().and_then(|file| file.strip_suffix(".md"));
        let name = file.and_then(|word| word.parse().ok()).unwrap_or(name);
        let why = match inner.kind() {
            ErrorKind::OutOfFuel => "it takes too long to fill in".to_owned(),
            kind => match inner.detail() {
                Some(detail) => format!("{kind}: {detail}"),
                None => kind.to_string(),
            },
        };
        Self::Wrong { name, line: inner.line(), why }
    }
}

fn at(line: Option<usize>) -> String {
    line.map(|line| format!("line {line}: ")).unwrap_or_default()
}

fn listed(variables: &[&str]) -> String {
    if variables.is_empty() { "nothing".to_owned() } else { variables.join(", ") }
}
