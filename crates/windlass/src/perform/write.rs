//! Writes files that belong to the loop's work: a tick in a task file, and the review that is kept.

use windlass_core::{step::StepResult, task_file::Format};
use windlass_repo::tree::REVIEW_FILE;

use super::{Arrival, Worker};
use crate::halt::Halt;

impl Worker {
    /// Marks a task as done. Doing so twice is doing so once.
    pub(super) async fn tick(&self, path: &str, task: &str) -> Result<StepResult, Halt> {
        let read = self.files.read_text(path).await.map_err(|error| Halt::Failed {
            message: format!("the file `{path}` cannot be read any more: {error}"),
            code: 4,
        })?;
        // What was plain text when the loop began may look like a check list by now.
        let format = Format::of(path.as_ref(), &read.text);
        let ticked = format.tick(&read.text, task);
        let ticked = ticked.or_else(|| Format::Plain.tick(&read.text, task));
        if let Some(ticked) = &ticked {
            let done = self.files.replace(path, ticked).await;
            done.map_err(|why| self.could_not("tick the task", &why))?;
        }
        Ok(StepResult::Ticked { found: ticked.is_some() })
    }

    /// Writes a file for the user, with the folders that it needs.
    pub(super) async fn write(&self, path: &str, text: &str) -> Result<StepResult, Halt> {
        let users;
        let files = match (&self.arrival, &self.tree) {
            (Arrival::Apart { directory, .. }, Some(tree)) => {
                let opened = tree.files_at(directory).await;
                users = opened.map_err(|error| self.failed(&format!("write `{path}`"), &error))?;
                &users
            }
            _ => &self.files,
        };
        // It is windlass's own, and none of the work.
        if let Some(pattern) = files.pattern_of(path) {
            let excluded = files.exclude(&pattern).await;
            excluded.map_err(|why| self.could_not(&format!("keep `{path}` out of git"), &why))?;
        }
        let written = files.replace(path, &self.secrets.redact(text)).await;
        written.map_err(|why| self.could_not(&format!("write `{path}`"), &why))?;
        Ok(StepResult::Written { path: path.to_owned() })
    }

    /// Keeps a review in the work tree, and out of git.
    pub(super) async fn keep_review(&self, text: &str) -> Result<StepResult, Halt> {
        let failed =
            |why: String| self.could_not(&format!("keep the review in `{REVIEW_FILE}`"), &why);
        self.files.exclude(REVIEW_FILE).await.map_err(failed)?;
        let text = self.secrets.redact(text.trim_end());
        self.files.replace(REVIEW_FILE, &format!("{text}\n")).await.map_err(failed)?;
        Ok(StepResult::Kept)
    }
}
