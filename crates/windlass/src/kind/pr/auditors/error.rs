//! Why there can be no audit.

use windlass_core::prompts::PromptError;
use windlass_proof::BadGlob;

/// Why there can be no audit.
#[derive(Debug, thiserror::Error)]
pub enum AuditorError {
    /// All are switched off.
    #[error("all auditors are switched off")]
    NoneLeft,
    /// The name is not one.
    #[error("`{name}` cannot be an auditor's name: letters, digits, `-`, `_` and `.` can")]
    BadName {
        /// The name.
        name: String,
    },
    /// It is told nothing.
    #[error("the auditor `{name}` has no prompt that says what it looks for")]
    NoBrief {
        /// The auditor.
        name: String,
    },
    /// Its agent is named by nothing.
    #[error("the agent of the auditor `{name}` has no name")]
    NoAgent {
        /// The auditor.
        name: String,
    },
    /// What it looks at cannot be understood.
    #[error("what the auditor `{name}` looks at cannot be understood")]
    BadPath {
        /// The auditor.
        name: String,
        /// Why.
        source: BadGlob,
    },
    /// The built-in text, or what the user put in its place, cannot be filled in.
    #[error(transparent)]
    Prompt(#[from] PromptError),
}
