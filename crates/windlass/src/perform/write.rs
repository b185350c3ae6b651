//! Writes files that belong to the loop's work: a tick in a task file, and the review that is kept.

use std::{fs, io, path::Path};

use windlass_core::{step::StepResult, task_file::Format};

use super::{Worker, read_text};
use crate::halt::Halt;

/// Where a review is kept, from where the loop works.
pub(crate) const REVIEW_FILE: &str = ".review-output.md";

impl Worker {
    /// Marks a task as done. Doing so twice is doing so once.
    pub(super) fn tick(&self, path: &str, task: &str) -> Result<StepResult, Halt> {
        let file = self.directory.join(path);
        let text = read_text(&file).map_err(|error| Halt::Failed {
            message: format!("the file `{path}` cannot be read any more: {error}"),
            code: 4,
        })?;
        let ticked = Format::of(path.as_ref(), &text).tick(&text, task);
        if let Some(ticked) = &ticked {
            // A symbolic link stays one, and what it points to is ticked.
            let real = file.canonicalize().unwrap_or_else(|_| file.clone());
            replace(&real, ticked).map_err(|error| self.failed("tick the task", &error))?;
        }
        Ok(StepResult::Ticked { found: ticked.is_some() })
    }

    /// Writes a file for the user, with the folders that it needs.
    pub(super) fn write(&self, path: &str, text: &str) -> Result<StepResult, Halt> {
        let file = self.directory.join(path);
        let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
        let written = folder.and_then(|()| replace(&file, &self.secrets.redact(text)));
        written.map_err(|error| self.failed(&format!("write `{path}`"), &error))?;
        Ok(StepResult::Written { path: path.to_owned() })
    }

    /// Keeps a review in the work tree, and out of git.
    pub(super) fn keep_review(&self, text: &str) -> Result<StepResult, Halt> {
        let what = "keep the review in `.review-output.md`";
        if let Some(tree) = &self.tree {
            tree.exclude(REVIEW_FILE).map_err(|error| self.failed(what, &error))?;
        }
        let file = self.directory.join(REVIEW_FILE);
        let text = self.secrets.redact(text.trim_end());
        replace(&file, &format!("{text}\n")).map_err(|error| self.failed(what, &error))?;
        Ok(StepResult::Kept)
    }
}

/// Puts a text in the place of a file, all of it or nothing, with the permissions that it had.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".windlass-new");
    let new = file.with_file_name(name);
    let done = fs::write(&new, text)
        .and_then(|()| match fs::metadata(file) {
            Ok(old) => fs::set_permissions(&new, old.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| fs::rename(&new, file));
    if done.is_err() {
        drop(fs::remove_file(&new));
    }
    done
}
