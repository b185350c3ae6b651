//! The two streams that a screen writes to: stdout for what was asked for, stderr for the rest.

use std::io::{self, Write};

use windlass_core::{event::Event, result::LoopResult, text::sanitise};

use super::{ending::Standing, start, words};

/// Where a screen writes.
pub(crate) struct Streams {
    /// For data.
    pub(crate) out: Box<dyn Write + Send>,
    /// For warnings and what to type next.
    pub(crate) err: Box<dyn Write + Send>,
    /// Whether commands are suggested that look at the loop.
    pub(crate) suggests: bool,
}

impl Streams {
    /// Those of this process.
    pub(crate) fn standard() -> Self {
        Self { out: Box::new(io::stdout()), err: Box::new(io::stderr()), suggests: true }
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
    pub(crate) fn next(&mut self, result: &LoopResult) {
        if !self.suggests {
            return;
        }
        if let Some(worktree) = &result.worktree {
            self.aside(&way_home(worktree, &result.name));
        }
        // What a merge changed is in its branch; its own worktree is gone.
        let is_gone =
            |command: &String| result.kind == "merge" && command.starts_with("windlass diff ");
        for command in Standing::of_result(result).next().into_iter().filter(|one| !is_gone(one)) {
            self.aside(&format!("next: {command}"));
        }
    }

    /// A line on stderr.
    pub(super) fn aside(&mut self, line: &str) {
        // Whoever closed stderr does not want to know, and the data must still come.
        drop(self.err.write_all(format!("{line}\n").as_bytes()));
    }
}

/// How the work of a loop with a worktree of its own comes to where its user is.
fn way_home(worktree: &str, name: &str) -> String {
    let (shown, quoted) = (sanitise::line(worktree), shell_words::quote(name));
    let name = sanitise::line(&quoted);
    format!("hint: the work is in {shown}; `windlass merge {name}` brings it home")
}
