//! The task file of a loop, before the loop starts: what is wrong with it, and where the agent
//! finds it.

use std::path::{Path, PathBuf};

use windlass_agents::Cast;
use windlass_core::task_file::Format;
use windlass_repo::tree::REVIEW_FILE;

use super::{LoopError, grounds::Grounds, named_file, setup::work_tree};
use crate::kind::{Kind, heal};

/// Says what is wrong with the task file, before anything is touched; gives the size of the prompt
/// that it makes. `directory` is where the user stands.
pub(super) fn inspect(kind: &Kind, directory: &Path) -> Result<Option<usize>, LoopError> {
    let (tasks, plan) = match kind {
        Kind::Iterate(_) | Kind::Pr(_) | Kind::Merge(_) => (None, None),
        Kind::Heal(options) => {
            inspect_review(options, directory)?;
            (None, None)
        }
        Kind::Tasks(options) => (Some(&options.tasks), None),
        Kind::Develop(options) => (options.tasks.as_ref(), options.plan.as_ref()),
    };
    if let Some(path) = plan {
        let bad = |why| LoopError::BadPlan { path: PathBuf::from(path), why };
        named_file::read(directory, path.as_ref()).map_err(|error| bad(error.to_string()))?;
    }
    let Some(tasks) = tasks else { return Ok(None) };
    let file = directory.join(tasks);
    let bad = |why: String| LoopError::BadTaskFile { path: PathBuf::from(tasks), why };
    let text =
        named_file::read(directory, tasks.as_ref()).map_err(|error| bad(error.to_string()))?;
    let list = Format::of(&file, &text).read(&text).map_err(|error| bad(error.to_string()))?;
    let Kind::Tasks(options) = kind else { return Ok(None) };
    Ok(Some(options.prompt(&text, list.format, list.open()).len()))
}

/// Says what is wrong with options that take a review from its file.
fn inspect_review(options: &heal::Options, directory: &Path) -> Result<(), LoopError> {
    if let Some(why) = options.contradiction() {
        return Err(LoopError::Contradiction { why });
    }
    if matches!(options.start_at, heal::StartAt::Parse | heal::StartAt::Fix) {
        named_file::read(directory, REVIEW_FILE.as_ref())
            .map_err(|error| LoopError::NoReview { why: error.to_string() })?;
    }
    Ok(())
}

/// Says whether the agents can take a prompt of that size.
pub(super) fn fits(size: Option<usize>, cast: &Cast) -> Result<(), LoopError> {
    match size.zip(cast.prompt_limit()) {
        Some((size, limit)) if size > limit => Err(LoopError::PromptTooLong { size, limit }),
        _ => Ok(()),
    }
}

/// Says where the files of the loop are from where the agent works: in a worktree of the loop's own
/// it is the worktree's, if it lies in the repository.
pub(super) fn settle(grounds: &mut Grounds) -> Result<(), LoopError> {
    let workplace = grounds.workplace().to_owned();
    let in_worktree = grounds.worktree.is_some();
    for path in grounds.kind.files_mut() {
        let bad = |why: String| LoopError::BadTaskFile { path: PathBuf::from(&*path), why };
        let file = named_file::locate(&grounds.directory, path.as_ref());
        let mut file = file.map_err(|error| bad(error.to_string()))?;
        if in_worktree && let Ok(inner) = file.strip_prefix(work_tree(&grounds.directory)) {
            file = work_tree(&workplace).join(inner);
            named_file::read(&workplace, &file)
                .map_err(|error| bad(format!("in the new worktree, {error}; commit it first")))?;
        }
        let shown = file.strip_prefix(&workplace).unwrap_or(&file).to_str();
        let shown = shown.ok_or_else(|| bad("its path is not UTF-8".to_owned()))?.to_owned();
        *path = shown;
    }
    Ok(())
}
