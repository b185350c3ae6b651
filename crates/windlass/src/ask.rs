//! Questions that a loop asks whoever sits at the terminal.

use std::pin::Pin;

use serde::{Deserialize, Serialize};

/// What may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// Try the same again.
    Retry,
    /// Let the agent mend it.
    Fix,
    /// Go on as if it were well.
    Skip,
    /// End the loop.
    Abort,
}

/// Whoever can be asked. The library never asks by itself: screens do, where somebody is there.
pub trait Asker: Send + Sync {
    /// Puts a question, and gives what was chosen; `None` where nobody answers.
    fn ask<'a>(
        &'a self,
        question: &'a str,
        choices: &'a [Choice],
    ) -> Pin<Box<dyn Future<Output = Option<Choice>> + Send + 'a>>;
}
