//! The trees that a loop's iterations left: what changed between them, and the way back.

use std::{collections::BTreeSet, ffi::OsString, path::Path};

use windlass_core::{
    event::{Event, EventKind},
    ids::Place,
    step::StepResult,
    tree::Snapshot,
};
use windlass_repo::tree::Restored;
use windlass_store::store::{LoopRecord, Store};
use windlass_system::process::GuardianProgram;

use super::{
    LoopError, apart, aside::take_down, programs::opening, settle::settle_tree, setup::lock_tree,
};
use crate::workplace::{Opening, Tree};

/// What changed in one iteration, or in the whole loop, as a unified diff.
pub async fn diff(
    guardian: &GuardianProgram,
    home: &Path,
    host: impl IntoIterator<Item = (OsString, OsString)>,
    store: &Store,
    record: &LoopRecord,
    iteration: Option<u32>,
) -> Result<Vec<u8>, LoopError> {
    if apart::is_apart(home, record.worktree.as_ref()) {
        // It audited the head of a pull request, and changed none of the user's files.
        return Ok(Vec::new());
    }
    let trees = Trees::of(&store.history(&record.id)?);
    let (from, to) = match iteration {
        Some(n) => (trees.at(record, n.saturating_sub(1))?, trees.at(record, n)?),
        None => (trees.at(record, 0)?, trees.last(record)?),
    };
    let opening = opening(guardian, home, &host.into_iter().collect(), &[workplace(record)])?;
    let tree = open(&opening, record).await?;
    let shown = tree.patch(from, to).await?;
    opening.close().await;
    Ok(shown)
}

/// Puts the work tree back to how iteration `iteration` left it; 0 is the start.
pub async fn rollback(
    guardian: &GuardianProgram,
    home: &Path,
    host: impl IntoIterator<Item = (OsString, OsString)>,
    store: &Store,
    record: &LoopRecord,
    iteration: u32,
) -> Result<Restored, LoopError> {
    if apart::is_apart(home, record.worktree.as_ref()) {
        let why = "it audited the head of a pull request, and changed none of your files";
        return Err(LoopError::NoTree { name: record.name.clone(), why: why.to_owned() });
    }
    let trees = Trees::of(&store.history(&record.id)?);
    let target = trees.at(record, iteration)?;
    if record.ending.is_none() && record.owner.is_alive() {
        let (name, owner) = (record.name.clone(), Some(record.owner.clone()));
        return Err(LoopError::LoopInUse { name, owner });
    }
    let lock = lock_tree(home, workplace(record), &record.id, &record.name)?;
    let opening = opening(guardian, home, &host.into_iter().collect(), &[workplace(record)])?;
    let tree = open(&opening, record).await?;
    settle_tree(home, store, &tree).await?;
    let restored = tree.restore(target, &trees.dirty).await?;
    opening.close().await;
    let fact = EventKind::RolledBack {
        iteration,
        from: restored.before.tree.clone(),
        to: target.tree.clone(),
    };
    take_down(home, record, vec![fact])?;
    drop(lock);
    Ok(restored)
}

async fn open(opening: &Opening, record: &LoopRecord) -> Result<Tree, LoopError> {
    let tree = opening.tree(workplace(record)).await?;
    tree.ok_or_else(|| LoopError::NoTree {
        name: record.name.clone(),
        why: format!("`{}` is not in a git repository", workplace(record).display()),
    })
}

fn workplace(record: &LoopRecord) -> &Path {
    record.worktree.as_deref().unwrap_or(&record.directory)
}

/// The trees of a loop, from its events.
struct Trees {
    /// By iteration; the first is the start.
    trees: Vec<(u32, Snapshot)>,
    /// What the user had changed before the loop.
    dirty: BTreeSet<String>,
}

impl Trees {
    fn of(history: &[Event]) -> Self {
        let mut found = Self { trees: Vec::new(), dirty: BTreeSet::new() };
        for event in history {
            let EventKind::StepFinished { place, result } = &event.kind else { continue };
            match result {
                StepResult::Snapshot { snapshot: Some(snapshot), .. }
                    // What the checks left comes after what the session left, and counts.
                    if ["tree", "left"]
                        .iter()
                        .any(|step| *place == Place::new(place.iteration(), step)) =>
                {
                    found.trees.push((place.iteration(), snapshot.clone()));
                }
                StepResult::Dirty { paths } => found.dirty.extend(paths.iter().cloned()),
                _ => (),
            }
        }
        found
    }

    fn at(&self, record: &LoopRecord, iteration: u32) -> Result<&Snapshot, LoopError> {
        let found = self.trees.iter().rev().find(|(number, _)| *number == iteration);
        found.map(|(_, snapshot)| snapshot).ok_or_else(|| LoopError::NoTree {
            name: record.name.clone(),
            why: match self.trees.last() {
                None => "it left no trees, for it did not run in a git repository".to_owned(),
                Some((last, _)) => format!("it left trees of iterations 0 to {last}"),
            },
        })
    }

    fn last(&self, record: &LoopRecord) -> Result<&Snapshot, LoopError> {
        self.at(record, self.trees.last().map_or(0, |(number, _)| *number))
    }
}
