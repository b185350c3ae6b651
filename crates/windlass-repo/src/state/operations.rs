//! What is under way in a git directory: a rebase, a merge, and what it would run.

use super::{
    fact::About,
    look::{Dir, Look},
};

/// A list of steps that is larger is not read.
const STEPS: u64 = 1 << 20;

/// The file of each operation, and what people call it.
const OPERATIONS: &[(&str, &str)] = &[
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
    ("sequencer/todo", "series of picks"),
    ("rebase-merge/git-rebase-todo", "rebase"),
    ("rebase-apply/next", "rebase"),
];

/// Looks at what is under way.
pub(super) fn look_at(look: &mut Look<'_>, dir: &Dir) {
    for (file, name) in OPERATIONS {
        look.file(dir, file.as_bytes(), STEPS, |text, leaf| {
            let runs: Vec<String> = commands(text).collect();
            leaf.insert((About::Operation, (*name).to_owned()), runs.join("\n"));
        });
    }
    // One that was planted need not have all of its files.
    for (folder, file) in [("rebase-merge", "git-rebase-todo"), ("rebase-apply", "next")] {
        let Some(inner) = dir.dir(folder.as_bytes()) else { continue };
        if inner.mark(file.as_bytes()).is_none() {
            look.fact(inner.shown, About::Operation, "rebase", String::new());
        }
    }
}

/// The commands in a list of steps.
fn commands(text: &[u8]) -> impl Iterator<Item = String> {
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter_map(|line| {
        let rest = line.strip_prefix(b"exec").or_else(|| line.strip_prefix(b"x"))?;
        let is_command = rest.first().is_some_and(u8::is_ascii_whitespace);
        is_command.then(|| String::from_utf8_lossy(rest.trim_ascii()).into_owned())
    })
}
