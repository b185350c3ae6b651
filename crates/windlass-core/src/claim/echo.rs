//! Tells the prompt that a plain command prints back from what it has to say itself: an echo repeats
//! the prompt's lines from its beginning, in order.

use memchr::memmem;

use crate::text::sanitise;

/// Follows the output line by line, and knows how much of the prompt it has repeated.
#[derive(Clone, Debug, Default)]
pub(super) struct EchoTracker {
    /// The prompt's lines that are not blank.
    prompt: Vec<String>,
    /// How many of them the output has repeated up to now.
    repeated: usize,
}

impl EchoTracker {
    /// A tracker of this prompt.
    pub(super) fn of(prompt: &str) -> Self {
        let prompt = sanitise::text(prompt);
        let lines = prompt.lines().map(str::trim).filter(|line| !line.is_empty());
        Self { prompt: lines.map(str::to_owned).collect(), repeated: 0 }
    }

    /// Takes a line that is not blank; gives how many of the prompt's lines are repeated with it.
    pub(super) fn line(&mut self, line: &str) -> usize {
        // A program may put the prompt in quotes.
        let line = unquoted(line.trim());
        let goes_on = self.prompt.get(self.repeated).is_some_and(|next| unquoted(next) == line);
        self.repeated = match self.prompt.first() {
            _ if goes_on && self.repeated > 0 => self.repeated + 1,
            Some(first) => usize::from(begins(line, unquoted(first))),
            None => 0,
        };
        self.repeated
    }

    /// Whether none of the text can matter, which is of whole lines.
    pub(super) fn passes_over(&self, lines: &[u8]) -> bool {
        let Some(first) = self.prompt.first() else { return true };
        self.repeated == 0 && memmem::find(lines, unquoted(first).as_bytes()).is_none()
    }

    /// The prompt's first line.
    pub(super) fn first(&self) -> Option<&str> {
        self.prompt.first().map(String::as_str)
    }
}

fn unquoted(line: &str) -> &str {
    line.trim_end_matches(['"', '\''])
}

/// Whether a line begins an echo: it is the prompt's first, maybe after a label such as `Prompt:`.
fn begins(line: &str, first: &str) -> bool {
    let label = line.strip_suffix(first).map(str::trim_end);
    label.is_some_and(|label| {
        label.is_empty() || label.ends_with([':', '>', '|', '=', ']', '"', '\'', '`', '$', '│'])
    })
}
