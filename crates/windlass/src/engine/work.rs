//! What a loop left in its user's repository, read now and without a network: for those who come back and
//! want to know what happened.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::{Path, PathBuf},
};

use windlass_core::{
    event::{Event, EventKind},
    step::StepResult,
};
use windlass_repo::tree::{TreeError, Worked};
use windlass_store::store::{LoopRecord, Store};
use windlass_system::process::GuardianProgram;

use super::{
    LoopError, apart,
    programs::opening,
    trees::{recorded::Trees, workplace},
};

/// What a loop left in its user's repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// The top of the work tree.
    pub top: PathBuf,
    /// The commit before the loop; `None` where there was none yet.
    pub start: Option<String>,
    /// Branch, commits and files as they are now.
    pub worked: Worked,
    /// The commits that windlass made; the others are the agent's.
    pub by_windlass: BTreeSet<String>,
    /// The commits that windlass pushed.
    pub pushed: BTreeSet<String>,
    /// Whether a session or a check may have changed files since the last snapshot.
    pub is_cut_off: bool,
    /// The address of `origin`; it may hold a password.
    pub origin: Option<String>,
    /// A name that no branch has, for the work.
    pub free_branch: String,
}

/// What a loop left in its user's repository; `None` where it left no snapshots, and where its directory
/// is gone.
pub async fn work_of(
    guardian: &GuardianProgram,
    home: &Path,
    host: impl IntoIterator<Item = (OsString, OsString)>,
    store: &Store,
    record: &LoopRecord,
) -> Result<Option<Work>, LoopError> {
    let place = workplace(record);
    if apart::is_apart(home, record.worktree.as_ref()) || !place.is_dir() {
        return Ok(None);
    }
    let history = store.history(&record.id)?;
    let trees = Trees::of(&history);
    let (Ok(from), Ok(to)) = (trees.at(record, 0), trees.last(record)) else { return Ok(None) };
    let opening = opening(guardian, home, &host.into_iter().collect(), &[place])?;
    let work = async {
        let Some(tree) = opening.tree(place).await? else { return Ok(None) };
        let mut free_branch = format!("windlass/{}", record.name);
        for n in 2..100 {
            if !tree.has_branch(&free_branch).await? {
                break;
            }
            free_branch = format!("windlass/{}-{n}", record.name);
        }
        let (by_windlass, pushed) = (committed(&history), pushed(&history));
        Ok::<_, TreeError>(Some(Work {
            top: tree.top().to_owned(),
            start: from.head.clone(),
            worked: tree.worked(from, to).await?,
            by_windlass,
            pushed,
            is_cut_off: trees.is_cut_off(),
            origin: tree.origin().await?,
            free_branch,
        }))
    };
    let work = work.await;
    opening.close().await;
    Ok(work?)
}

/// The tops of all work trees of the repository that a directory is in, the main one first; outside a
/// repository the directory itself.
pub async fn places_of_repository(
    guardian: &GuardianProgram,
    home: &Path,
    host: impl IntoIterator<Item = (OsString, OsString)>,
    directory: &Path,
) -> Result<Vec<PathBuf>, LoopError> {
    let directory = &directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    let opening = opening(guardian, home, &host.into_iter().collect(), &[directory])?;
    let places = async {
        match opening.tree(directory).await? {
            Some(tree) => Ok::<_, TreeError>(tree.worktrees().await?),
            None => Ok(Vec::new()),
        }
    };
    let places = places.await;
    opening.close().await;
    let places = places?;
    Ok(if places.is_empty() { vec![directory.clone()] } else { places })
}

/// The commits that windlass made in a loop.
fn committed(history: &[Event]) -> BTreeSet<String> {
    let commit = |event: &Event| match &event.kind {
        EventKind::StepFinished { result: StepResult::Commit { commit, .. }, .. } => commit.clone(),
        _ => None,
    };
    history.iter().filter_map(commit).collect()
}

/// The commits that windlass pushed in a loop.
fn pushed(history: &[Event]) -> BTreeSet<String> {
    let commit = |event: &Event| match &event.kind {
        EventKind::StepFinished {
            result: StepResult::Pushed { commit, refused: None }, ..
        } => commit.clone(),
        _ => None,
    };
    history.iter().filter_map(commit).collect()
}
