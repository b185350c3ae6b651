//! What to type next about a loop, and the way back.

/// What to type next, and the way back.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Next {
    /// Where the work is, unless that is where the loop was started.
    pub(crate) place: Option<String>,
    /// The commands, the best first.
    pub(crate) commands: Vec<String>,
    /// The way back to how it was before the loop.
    pub(crate) undo: Option<Undo>,
}

/// The way back to how it was before the loop.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Undo {
    /// The command.
    pub(crate) command: String,
    /// What it does not restore, in a sentence.
    pub(crate) stays: String,
}

impl Next {
    /// These commands, and no way back.
    pub(crate) fn of(commands: Vec<String>) -> Self {
        Self { commands, ..Self::default() }
    }

    /// The lines of a screen: each command stands alone, so that it can be copied.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> =
            self.commands.iter().map(|command| format!("  {command}")).collect();
        if let Some(Undo { command, stays }) = &self.undo {
            lines.extend([format!("  {command}"), format!("    ({stays})")]);
        }
        lines
    }

    /// The lines that follow a loop's summary: labelled, as they stand among other messages.
    pub(crate) fn labelled(&self) -> Vec<String> {
        let place = self.place.iter().map(|place| format!("hint: the work is in {place}"));
        let commands = self.commands.iter().map(|command| format!("next: {command}"));
        let mut lines: Vec<String> = place.chain(commands).collect();
        if let Some(Undo { command, stays }) = &self.undo {
            lines.extend([format!("undo: {command}"), format!("      ({stays})")]);
        }
        lines
    }
}
