//! What a program came to: all that it printed, and how it ended.

use std::{fmt, time::Duration};

use crate::Masks;

/// What a program came to.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The command line, for messages.
    pub line: String,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Standard output as it came.
    pub raw_stdout: Vec<u8>,
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// How long it took.
    pub duration: Duration,
    pub(crate) masks: Masks,
}

impl Ran {
    /// Fails the test unless it exited with 0.
    #[track_caller]
    pub fn success(self) -> Self {
        self.code(0)
    }

    /// Fails the test unless it exited with `code`.
    #[track_caller]
    pub fn code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "`{}`\n{self}", self.line);
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("`{}` printed no JSON: {error}\n{self}", self.line))
    }

    /// Standard output as JSON lines.
    #[track_caller]
    pub fn json_lines(&self) -> Vec<serde_json::Value> {
        let lines = self.stdout.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().unwrap_or_else(|error| {
            panic!("`{}` printed a line that is no JSON: {error}\n{self}", self.line)
        })
    }

    /// All of it, with everything masked that differs from run to run.
    pub fn snapshot(&self) -> String {
        self.masks.apply(&self.to_string())
    }

    /// Standard output alone, masked.
    pub fn masked_stdout(&self) -> String {
        self.masks.apply(&self.stdout)
    }

    /// Standard error alone, masked.
    pub fn masked_stderr(&self) -> String {
        self.masks.apply(&self.stderr)
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code, self.signal) {
            (Some(code), _) => writeln!(f, "exit: {code}")?,
            (None, signal) => writeln!(f, "signal: {}", signal.unwrap_or_default())?,
        }
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            writeln!(f, "--- {name}")?;
            write!(f, "{text}")?;
            if !text.is_empty() && !text.ends_with('\n') {
                writeln!(f, "[no newline]")?;
            }
        }
        Ok(())
    }
}
