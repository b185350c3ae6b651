//! The trees that a loop's iterations left: what changed between them, and the way back.

use std::{ffi::OsString, path::Path};

use windlass_core::{
    event::{Event, EventKind},
    ids::Place,
    step::StepResult,
    tree::Snapshot,
};
use windlass_repo::tree::{Known, Restored};
use windlass_store::store::{LoopRecord, Store};
use windlass_system::process::GuardianProgram;

use super::{
    LoopError, aside::take_down, home_outside, programs::opening, settle::settle_tree,
    setup::lock_tree,
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

/// Puts the work tree back to how iteration `iteration` left it; 0 is the start. What the user has
/// changed since the loop stays as it is.
pub async fn rollback(
    guardian: &GuardianProgram,
    home: &Path,
    host: impl IntoIterator<Item = (OsString, OsString)>,
    store: &Store,
    record: &LoopRecord,
    iteration: u32,
) -> Result<Restored, LoopError> {
    let trees = Trees::of(&store.history(&record.id)?);
    let target = trees.at(record, iteration)?;
    if record.ending.is_none() && record.owner.is_alive() {
        let (name, owner) = (record.name.clone(), Some(record.owner.clone()));
        return Err(LoopError::LoopInUse { name, owner });
    }
    home_outside::check(home, workplace(record))?;
    let lock = lock_tree(home, workplace(record), &record.id, &record.name)?;
    let opening = opening(guardian, home, &host.into_iter().collect(), &[workplace(record)])?;
    let tree = open(&opening, record).await?;
    settle_tree(home, store, &tree).await?;
    let restored = tree.restore(target, &trees.known()).await?;
    let left = tree.snapshot().await?;
    opening.close().await;
    let fact = EventKind::RolledBack {
        iteration,
        from: restored.before.tree.clone(),
        to: target.tree.clone(),
        left: Some(left.tree),
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
    /// What was recorded last, whatever for, and what was put back since.
    last: Known,
    /// Whether something ran since that may have changed files: it was killed then, and so was
    /// windlass.
    is_cut_off: bool,
}

impl Trees {
    fn of(history: &[Event]) -> Self {
        let mut found = Self { trees: Vec::new(), last: Known::default(), is_cut_off: false };
        for event in history {
            match &event.kind {
                EventKind::StepStarted { step, .. } if step.may_change_files() => {
                    found.is_cut_off = true;
                }
                EventKind::StepFinished {
                    place,
                    result: StepResult::Snapshot { snapshot: Some(snapshot), .. },
                } => found.recorded(place, snapshot),
                EventKind::IterationFinished(summary) => {
                    let tree = summary.tree.clone();
                    let snapshot = tree.map(|tree| Snapshot { tree, head: summary.head.clone() });
                    found.trees.extend(snapshot.map(|snapshot| (summary.iteration, snapshot)));
                }
                EventKind::RolledBack { from, to, left, .. } => {
                    found.put_back(from, left.as_ref().unwrap_or(to));
                }
                _ => (),
            }
        }
        found
    }

    fn recorded(&mut self, place: &Place, snapshot: &Snapshot) {
        // Of an iteration that was cut off, what the session left, and then the checks.
        if ["tree", "left"].iter().any(|step| *place == Place::new(place.iteration(), step)) {
            self.trees.push((place.iteration(), snapshot.clone()));
        }
        self.last = Known { tree: Some(snapshot.tree.clone()), put_back: Vec::new() };
        self.is_cut_off = false;
    }

    fn put_back(&mut self, from: &str, left: &str) {
        if std::mem::take(&mut self.is_cut_off) {
            // All of it counted as the loop's.
            self.last = Known { tree: Some(left.to_owned()), put_back: Vec::new() };
        } else {
            self.last.put_back.push((from.to_owned(), left.to_owned()));
        }
    }

    /// What the loop is known to have left. Where it was killed with a session, that is not known, and
    /// all that differs counts as the session's work.
    fn known(&self) -> Known {
        if self.is_cut_off { Known::default() } else { self.last.clone() }
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
