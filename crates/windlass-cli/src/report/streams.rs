//! The two streams that a screen writes to: stdout for what was asked for, stderr for the rest.

use std::io::{self, Write};

use windlass_core::event::Event;

use super::{Next, start, words};

/// Where a screen writes.
pub(crate) struct Streams {
    /// For data.
    pub(crate) out: Box<dyn Write + Send>,
    /// For warnings and what to type next.
    pub(crate) err: Box<dyn Write + Send>,
}

impl Streams {
    /// Those of this process.
    pub(crate) fn standard() -> Self {
        Self { out: Box::new(io::stdout()), err: Box::new(io::stderr()) }
    }

    /// One line of data, at once.
    pub(crate) fn line(&mut self, line: &str) -> io::Result<()> {
        self.out.write_all(format!("{line}\n").as_bytes())?;
        self.out.flush()
    }

    /// The warning of an event on stderr, if it is one.
    pub(crate) fn warn(&mut self, event: &Event) {
        if let Some((label, words)) = words::warning(event) {
            self.aside(&format!("{label} {words}"));
        }
        start::warnings(event).iter().for_each(|line| self.aside(line));
    }

    /// What to type next, on stderr.
    pub(crate) fn next(&mut self, next: &Next) {
        next.labelled().iter().for_each(|line| self.aside(line));
    }

    /// A line on stderr.
    pub(super) fn aside(&mut self, line: &str) {
        // Whoever closed stderr does not want to know, and the data must still come.
        drop(self.err.write_all(format!("{line}\n").as_bytes()));
    }
}
