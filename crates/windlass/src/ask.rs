//! Questions that a loop asks whoever sits at the terminal.

use std::pin::Pin;

use windlass_core::ask::Choice;

/// Whoever can be asked. The library never asks by itself: screens do, where somebody is there.
pub trait Asker: Send + Sync {
    /// Puts a question, and gives what was chosen; `None` where nobody answers.
    fn ask<'a>(
        &'a self,
        question: &'a str,
        choices: &'a [Choice],
    ) -> Pin<Box<dyn Future<Output = Option<Choice>> + Send + 'a>>;

    /// The same before the loop has begun, when no event tells of the question, so that it
    /// must be shown here.
    fn ask_first<'a>(
        &'a self,
        question: &'a str,
        choices: &'a [Choice],
    ) -> Pin<Box<dyn Future<Output = Option<Choice>> + Send + 'a>> {
        self.ask(question, choices)
    }
}
