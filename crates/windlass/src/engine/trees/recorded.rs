//! The trees that a loop recorded, read from its events.

use windlass_core::{
    event::{Event, EventKind},
    ids::Place,
    step::StepResult,
    time::Timestamp,
    tree::Snapshot,
};
use windlass_store::store::LoopRecord;

use crate::engine::LoopError;

/// The trees of a loop.
pub(in crate::engine) struct Trees {
    /// By iteration; the first is the start.
    trees: Vec<(u32, Snapshot)>,
    /// What was recorded first and last, whatever for, and when.
    first: Option<(Timestamp, String)>,
    last: Option<(Timestamp, String)>,
    /// What was put back since.
    pub(super) put_back: Vec<Change>,
    /// Whether something ran since that may have changed files: it was killed then, and so was
    /// windlass.
    is_cut_off: bool,
}

/// A change of the work tree that windlass made, or had an agent make.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) at: Timestamp,
    pub(super) before: String,
    pub(super) after: String,
}

impl Trees {
    pub(in crate::engine) fn of(history: &[Event]) -> Self {
        let (trees, put_back) = (Vec::new(), Vec::new());
        let mut found = Self { trees, first: None, last: None, put_back, is_cut_off: false };
        for event in history {
            match &event.kind {
                EventKind::StepStarted { step, .. } if step.may_change_files() => {
                    found.is_cut_off = true;
                }
                EventKind::StepFinished {
                    place,
                    result: StepResult::Snapshot { snapshot: Some(snapshot), .. },
                } => found.recorded(event.at, place, snapshot),
                EventKind::IterationFinished(summary) => {
                    let tree = summary.tree.clone();
                    let snapshot = tree.map(|tree| Snapshot { tree, head: summary.head.clone() });
                    found.trees.extend(snapshot.map(|snapshot| (summary.iteration, snapshot)));
                }
                EventKind::RolledBack { from, to, left, .. } => {
                    let (before, after) = (from.clone(), left.as_ref().unwrap_or(to).clone());
                    found.put_back(Change { at: event.at, before, after });
                }
                _ => (),
            }
        }
        found
    }

    fn recorded(&mut self, at: Timestamp, place: &Place, snapshot: &Snapshot) {
        // Of an iteration that was cut off, what the session left, then the checks, and what was there
        // when the loop ended in the middle of it.
        let iteration = place.iteration();
        let is_left = ["tree", "left"].iter().any(|step| *place == Place::new(iteration, step));
        let is_end = iteration > 0 && place.as_str().starts_with(&format!("{iteration}/ended/"));
        if is_left || is_end {
            self.trees.push((iteration, snapshot.clone()));
        }
        let recorded = (at, snapshot.tree.clone());
        self.first.get_or_insert_with(|| recorded.clone());
        self.last = Some(recorded);
        self.put_back.clear();
        self.is_cut_off = false;
    }

    fn put_back(&mut self, change: Change) {
        if std::mem::take(&mut self.is_cut_off) {
            // All of it counted as the loop's.
            self.last = Some((change.at, change.after));
        } else {
            self.put_back.push(change);
        }
    }

    /// What the loop is known to have left, and since when. Where it was killed with a session, that is
    /// not known, and all that differs counts as the session's work.
    pub(super) fn known(&self) -> Option<(Timestamp, String)> {
        self.last.clone().filter(|_| !self.is_cut_off)
    }

    /// Whether a session or a check may have changed files since the last snapshot.
    pub(in crate::engine) fn is_cut_off(&self) -> bool {
        self.is_cut_off
    }

    /// What this loop, and rollbacks of it, changed, where it began after that time.
    pub(super) fn changes_since(self, since: Timestamp) -> Vec<Change> {
        let (Some((began, before)), Some((at, after))) = (self.first, self.last) else {
            return Vec::new();
        };
        if began < since {
            return self.put_back.into_iter().filter(|change| change.at > since).collect();
        }
        let whole = Change { at, before, after };
        [whole].into_iter().chain(self.put_back).collect()
    }

    pub(in crate::engine) fn at(
        &self,
        record: &LoopRecord,
        iteration: u32,
    ) -> Result<&Snapshot, LoopError> {
        let found = self.trees.iter().rev().find(|(number, _)| *number == iteration);
        found.map(|(_, snapshot)| snapshot).ok_or_else(|| LoopError::NoTree {
            name: record.name.clone(),
            why: match self.trees.last() {
                None => "no snapshots: the loop did not run in a git repository".to_owned(),
                Some((last, _)) => format!("there are only snapshots of iterations 0 to {last}"),
            },
        })
    }

    pub(in crate::engine) fn last(&self, record: &LoopRecord) -> Result<&Snapshot, LoopError> {
        self.at(record, self.trees.last().map_or(0, |(number, _)| *number))
    }
}
