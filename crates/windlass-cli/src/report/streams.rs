//! The two streams that a screen writes to: stdout for what was asked for, stderr for the rest.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use windlass::{event::Event, result::LoopResult, sanitise};

use super::{ending::Standing, words};

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
    }

    /// What to type next, on stderr.
    pub(crate) fn next(&mut self, result: &LoopResult) {
        if let Some(worktree) = &result.worktree {
            self.aside(&way_home(worktree));
        }
        for command in Standing::of_result(result).next() {
            self.aside(&format!("next: {command}"));
        }
    }

    fn aside(&mut self, line: &str) {
        // Whoever closed stderr does not want to know, and the data must still come.
        drop(self.err.write_all(format!("{line}\n").as_bytes()));
    }
}

/// How the work of a loop with a worktree of its own comes to where its user is.
fn way_home(worktree: &str) -> String {
    let shown = sanitise::line(worktree);
    match branch_of(Path::new(worktree)) {
        Some(branch) => format!(
            "hint: the work is in {shown}; what is committed there comes here with `git merge {}`",
            sanitise::line(&shell_words::quote(&branch))
        ),
        None => format!("hint: the work is in {shown}"),
    }
}

/// The branch that a worktree is on, as its files say.
fn branch_of(directory: &Path) -> Option<String> {
    let file = directory.ancestors().map(|above| above.join(".git")).find(|file| file.is_file())?;
    let text = fs::read_to_string(&file).ok()?;
    let git_directory = file.parent()?.join(text.trim_end().strip_prefix("gitdir: ")?);
    let head = fs::read_to_string(git_directory.join("HEAD")).ok()?;
    Some(head.trim_end().strip_prefix("ref: refs/heads/")?.to_owned())
}
