//! Hooks of an agent: commands that the agent itself runs at moments of its session. The seam for
//! agents that have any; what they look like is each agent's own. Does no I/O.

use std::path::Path;

use super::Ask;

/// What an agent that has hooks does with them. Does no I/O.
pub trait Hooked {
    /// Says what is wrong with a file of hooks that the user wrote.
    fn check(&self, text: &str) -> Result<(), HooksError>;

    /// Puts the text of a settings file in the place of its path, where the user's arguments name
    /// one: the agent takes one such file at the most, and the hooks go into it.
    fn take_in(&self, args: &mut Vec<String>, read: &ReadSettings<'_>) -> Result<(), HooksError>;

    /// The file with the hooks for a session: the user's own, or else the default set. `None` where
    /// there is nothing to say.
    fn text(&self, ask: &Ask<'_>, own: Option<&str>) -> Option<String>;
}

/// Reads a file of settings, or says why it cannot.
pub type ReadSettings<'a> = dyn Fn(&Path) -> Result<String, String> + 'a;

/// What is wrong with hooks, or with settings that they go into.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HooksError {
    /// A file that is not JSON, or not of the form that hooks have.
    #[error("line {line}, column {column}: {why}")]
    BadForm {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        why: String,
    },
    /// An event that the agent does not know.
    #[error("line {line}, column {column}: there is no event `{name}`")]
    UnknownEvent {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The name.
        name: String,
        /// Those that there are.
        known: &'static [&'static str],
    },
    /// Settings among the agent's arguments that cannot be read.
    #[error("the agent's argument `{argument}` cannot be used: {why}")]
    BadSettings {
        /// The argument.
        argument: String,
        /// What is wrong with it.
        why: String,
    },
}
