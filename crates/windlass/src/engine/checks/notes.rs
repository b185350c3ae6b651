//! What people are told of the checks when a loop begins, a line each.

use std::path::Path;

use windlass_core::{event::StartCheck, prompts::speaks_of_changing_tests, task_file::Format};
use windlass_repo::{detect::Detected, tree::TreeError};

use crate::{engine::LoopError, kind::Kind, perform::Worker};

/// What is said where nothing proves a claim.
const NOTHING_FOUND: &str =
    "no check found: claims are accepted unproven; give one with `--check CMD`";

/// What is said where the task speaks of changing tests.
const GUARDED: &str = "existing tests are guarded; if this task changes them: --unguard GLOB";

/// Notes on what was looked for.
pub(super) struct Notes {
    /// Where programs are looked for, after "is not installed".
    inside: &'static str,
    texts: Vec<String>,
    /// What could be used as well.
    others: Vec<StartCheck>,
}

impl Notes {
    pub(super) fn new(is_confined: bool) -> Self {
        let inside = if is_confined { " in the sandbox" } else { "" };
        Self { inside, texts: Vec::new(), others: Vec::new() }
    }

    /// A command that cannot be used.
    pub(super) fn not_installed(&mut self, found: &Detected) {
        let (program, inside) = (found.program(), self.inside);
        self.texts.push(format!("found {}, but `{program}` is not installed{inside}", told(found)));
    }

    /// A candidate after the one that is used. One that only runs the same another way is none.
    pub(super) fn other(&mut self, used: &Detected, found: Detected, is_installed: bool) {
        if is_installed && found.file != used.file {
            self.others.push(StartCheck { command: found.command, found_in: Some(found.file) });
        }
    }

    pub(super) fn nothing_found(&mut self) {
        self.texts.push(NOTHING_FOUND.to_owned());
    }

    /// What was noted, and what could be used as well.
    pub(super) fn into_parts(self) -> (Vec<String>, Vec<StartCheck>) {
        (self.texts, self.others)
    }
}

/// A command, and the file that it comes from.
fn told(found: &Detected) -> String {
    format!("`{}` (from {})", found.command, found.file)
}

/// Globs that match no file, and so change nothing.
pub(super) async fn about_globs(kind: &Kind, worker: &Worker) -> Result<Vec<String>, LoopError> {
    let proof = &kind.common().proof;
    let flags = [("--guard", &proof.guard), ("--unguard", &proof.unguard)];
    let mut texts = Vec::new();
    for (flag, globs) in flags.into_iter().filter(|(_, globs)| !globs.is_empty()) {
        let unmatched = worker.files.unmatched(globs).await;
        let unmatched = unmatched.map_err(|why| LoopError::Tree(TreeError::NoAnswer { why }))?;
        texts.extend(unmatched.iter().map(|glob| format!("`{flag} {glob}` matches no file")));
    }
    Ok(texts)
}

/// That tests are guarded, where the task speaks of changing them and the user has not said which.
pub(super) async fn about_tests(kind: &Kind, worker: &Worker) -> Option<String> {
    let proof = &kind.common().proof;
    if !proof.guards() || !proof.unguard.is_empty() {
        return None;
    }
    let (words, file) = match kind {
        Kind::Iterate(options) => (Some(options.prompt.as_str()), None),
        Kind::Tasks(options) => (options.task_prompt.as_deref(), Some(&options.tasks)),
        Kind::Develop(options) => (Some(options.task.as_str()), options.tasks.as_ref()),
        Kind::Heal(_) | Kind::Pr(_) | Kind::Merge(_) => (None, None),
    };
    let mut speaks = words.is_some_and(speaks_of_changing_tests);
    if let Some(file) = file.filter(|_| !speaks) {
        // What cannot be read is told by the loop itself.
        let text = worker.files.read_text(file).await.ok()?.text;
        let list = Format::of(Path::new(file), &text).read(&text).ok()?;
        speaks = list.blocking().any(|task| speaks_of_changing_tests(&task.text));
    }
    speaks.then(|| GUARDED.to_owned())
}
