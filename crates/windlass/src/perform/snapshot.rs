//! Records the work tree, and what changed in it.

use std::{pin::pin, time::Duration};

use tokio::time::timeout;
use windlass_core::{
    event::EventKind,
    step::{AdvanceStep, HeadMoved, RestoreReport, StepResult},
    tree::Snapshot,
};
use windlass_repo::tree::{Changed, Known, Move, TreeError};

use super::{Arrival, Listener, Worker};
use crate::{
    halt::Halt,
    workplace::{Recorded, Tree},
};

/// A snapshot that takes longer than this is told.
const SLOW: Duration = Duration::from_secs(2);

/// How often it is told then how far it is.
const BETWEEN: Duration = Duration::from_millis(500);

/// Which files count as changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    All,
    /// Those that were there at the start, or in the tree before where there is no start.
    Existing,
}

impl Worker {
    /// The work tree as it is now, with what changed since the trees `previous` and `start`.
    pub(super) async fn snapshot(
        &self,
        previous: Option<&str>,
        start: Option<&str>,
        counted: Counted,
        listener: &Listener<'_>,
    ) -> Result<StepResult, Halt> {
        if !self.files.is_there() {
            return Err(self.directory_gone());
        }
        let directories = self.watched_directories();
        let Some(tree) = &self.tree else {
            let programs = self.programs_in(&directories).await?;
            return Ok(StepResult::Snapshot {
                snapshot: None,
                changed: 0,
                modified: 0,
                paths: Vec::new(),
                lines: 0,
                only_numbers: false,
                programs: self.since_start(programs),
                notes: Vec::new(),
            });
        };
        let recorded = self.told_if_slow(tree, tree.record(&directories), listener).await;
        let Recorded { snapshot, notes, programs } =
            recorded.map_err(|error| self.tree_failed(&error))?;
        let Changed { count, paths, lines, only_numbers } =
            self.changed(tree, previous, start, &snapshot, counted).await?;
        let modified = match counted {
            Counted::All if start == previous => count,
            Counted::All => self.count(tree, start, &snapshot).await?,
            Counted::Existing => 0,
        };
        let number = |count| u32::try_from(count).unwrap_or(u32::MAX);
        let (changed, modified) = (number(count), number(modified));
        Ok(StepResult::Snapshot {
            snapshot: Some(snapshot),
            changed,
            modified,
            paths,
            lines,
            only_numbers,
            programs: self.since_start(programs),
            notes,
        })
    }

    /// Puts the work tree back to a tree that was recorded, and HEAD to where it was.
    pub(super) async fn restore(
        &self,
        target: &str,
        head: Option<&str>,
        existing_only: bool,
    ) -> Result<StepResult, Halt> {
        let Some(tree) = &self.tree else {
            // Only the files of the start are known there.
            let restored = match existing_only {
                true => self.files.put_start_back().await,
                false => Ok(RestoreReport::default()),
            };
            let restored = restored.map_err(|why| self.could_not("put files back", &why))?;
            return Ok(StepResult::Restored(restored));
        };
        let head = match head {
            Some(head) => self.put_head_back(tree, head).await?,
            None => None,
        };
        let target = Snapshot { tree: target.to_owned(), head: None };
        let known = Known { existing_only, ..Known::default() };
        let restored = tree.restore(&target, &known).await;
        let restored = restored.map_err(|error| self.failed("put files back", &error))?;
        let left = restored.not_restorable.into_iter();
        // What is recorded of an audit at the head of a pull request goes with it.
        let is_apart = matches!(self.arrival, Arrival::Apart { .. });
        Ok(StepResult::Restored(RestoreReport {
            changed: restored.written,
            added: restored.removed,
            left: left.map(|(path, why)| format!("{path} ({why})")).collect(),
            kept: if is_apart { String::new() } else { restored.before.tree },
            head,
        }))
    }

    /// Takes commits back that somebody made who is there to read. They stay where git keeps what
    /// no branch has. Where HEAD went elsewhere than forward, that is told only.
    async fn put_head_back(&self, tree: &Tree, from: &str) -> Result<Option<HeadMoved>, Halt> {
        let failed = |error: TreeError| self.tree_failed(&error);
        let now = tree.head_commit().await.map_err(failed)?;
        let Some(to) = now.filter(|now| now != from) else { return Ok(None) };
        if let Arrival::Apart { .. } = self.arrival {
            tree.start_at(from, true).await.map_err(failed)?;
            return Ok(Some(HeadMoved { from: from.to_owned(), to, is_back: true }));
        }
        let went_forward = tree.is_before(from, &to).await.map_err(failed)?;
        let branch = tree.branch().await.map_err(failed)?.filter(|_| went_forward);
        let is_back = match branch {
            Some(branch) => {
                let mark = AdvanceStep::mark_of(&to);
                let back = Move { branch: &branch, old: &to, new: from, mark: &mark };
                tree.advance(back).await.is_ok()
            }
            None => false,
        };
        Ok(Some(HeadMoved { from: from.to_owned(), to, is_back }))
    }

    /// Waits for a snapshot; says so where that takes longer, and how far it is.
    async fn told_if_slow<T>(
        &self,
        tree: &Tree,
        recorded: impl Future<Output = T>,
        listener: &Listener<'_>,
    ) -> T {
        let mut recorded = pin!(recorded);
        if let Ok(done) = timeout(SLOW, &mut recorded).await {
            return done;
        }
        let far = || tree.snapshot_progress().unwrap_or_else(|| "looking at the files".to_owned());
        let text = format!("recording the work tree, which takes longer the first time: {}", far());
        listener.journal().emit(EventKind::Noted { text });
        loop {
            match timeout(BETWEEN, &mut recorded).await {
                Ok(done) => return done,
                Err(_) => listener.tick(0, format!("recording the work tree: {}", far())),
            }
        }
    }

    /// What differs between the tree `since` and the snapshot.
    async fn changed(
        &self,
        tree: &Tree,
        since: Option<&str>,
        start: Option<&str>,
        snapshot: &Snapshot,
        counted: Counted,
    ) -> Result<Changed, Halt> {
        let Some(since) = since_another(since, snapshot) else { return Ok(Changed::default()) };
        let changed = match counted {
            Counted::All => tree.changed(&since, snapshot).await,
            Counted::Existing => {
                let start = start.unwrap_or(&since.tree).to_owned();
                let start = Snapshot { tree: start, head: None };
                tree.existing_changed(&start, &since, snapshot).await
            }
        };
        changed.map_err(|error| self.tree_failed(&error))
    }

    /// How many files differ between the tree `since` and the snapshot.
    async fn count(
        &self,
        tree: &Tree,
        since: Option<&str>,
        snapshot: &Snapshot,
    ) -> Result<usize, Halt> {
        let Some(since) = since_another(since, snapshot) else { return Ok(0) };
        tree.count_changes(&since, snapshot).await.map_err(|error| self.tree_failed(&error))
    }
}

/// The tree `since`, if it is another than the snapshot's.
fn since_another(since: Option<&str>, snapshot: &Snapshot) -> Option<Snapshot> {
    let since = since.filter(|since| *since != snapshot.tree)?;
    Some(Snapshot { tree: since.to_owned(), head: None })
}
