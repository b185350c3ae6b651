//! What moved in an iteration, in evidence: checks, tasks, findings, files, and the other places that work can
//! go to. A fold over events that does no I/O; rules, screens and the loops themselves judge by it.

mod checks;
mod figures;
mod files;
mod moves;
mod places;

pub use self::moves::{Idle, Move, Moved, Weight};
pub(crate) use self::{checks::state as check_state, moves::Retouched};

use std::fmt;

use crate::{
    event::{Event, EventKind, IterationSummary},
    evidence::{CheckMark, Evidence, PlaceMark, Words},
    step::StepResult,
    tree::Snapshot,
};

/// With fewer new words a report is no news.
const NEWS: usize = 2;

/// Knows how everything stood, and so what moved.
#[derive(Clone, Default, PartialEq)]
pub struct Progress {
    checks: checks::Checks,
    files: files::Files,
    places: places::Places,
    head: Option<String>,
    open_tasks: Option<u32>,
    /// How many findings the review before had, and the last one.
    findings: Findings,
    /// The tasks that were reported as blocked.
    blocked: Vec<String>,
    words: Words,
    /// Whether an iteration has finished: the first report is always new.
    has_reported: bool,
}

impl fmt::Debug for Progress {
    /// What it remembers is much, and says little to people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").finish_non_exhaustive()
    }
}

impl Progress {
    /// Takes one more event in; says what moved if it ends an iteration.
    pub fn observe(&mut self, event: &Event) -> Option<Moved> {
        if let Some((start, places)) = start_of(event) {
            self.start(start, places);
        }
        match &event.kind {
            EventKind::StepFinished { place, result: StepResult::Check(report) }
                if place.iteration() == 0 =>
            {
                self.checks.begin_with(&CheckMark::of(report));
            }
            EventKind::FindingsSeen(seen) => self.findings.now = Some(seen.observed.noticed.len()),
            EventKind::IterationFinished(summary) => return Some(self.iteration(summary)),
            // Blocked tasks are open again.
            EventKind::LoopResumed { .. } => self.blocked.clear(),
            EventKind::RolledBack { .. } => self.files = files::Files::default(),
            _ => (),
        }
        None
    }

    /// What would have moved if the iteration ended like this.
    pub fn preview(&self, summary: &IterationSummary) -> Moved {
        self.clone().iteration(summary)
    }

    fn start(&mut self, start: &Snapshot, places: &[PlaceMark]) {
        self.head.clone_from(&start.head);
        self.places.begin_with(places);
    }

    fn iteration(&mut self, summary: &IterationSummary) -> Moved {
        let evidence = &summary.evidence;
        let mut moved = Moved::default();
        self.checks.observe(&evidence.checks, &mut moved);
        self.tasks(evidence, &mut moved);
        self.findings.observe(&mut moved);
        // Ticking a box is not work.
        let only_ticked = evidence.tasks.is_some_and(|tasks| tasks.only_file);
        if !only_ticked {
            self.files.observe(summary, self.checks.keep_failing(), &mut moved);
        }
        self.places(summary, only_ticked, &mut moved);
        self.news(evidence, &mut moved);
        moved
    }

    fn tasks(&mut self, evidence: &Evidence, moved: &mut Moved) {
        if let Some(tasks) = evidence.tasks {
            let before = self.open_tasks.replace(tasks.open).filter(|_| !tasks.only_file);
            match before {
                Some(before) if tasks.open < before => {
                    moved.add(Move::TasksDone { count: before - tasks.open });
                }
                Some(before) if tasks.open > before => {
                    moved.add(Move::TasksAdded { count: tasks.open - before });
                }
                _ => (),
            }
        }
        // One task less to try, so that the next one has its turn.
        if let Some(task) =
            evidence.blocked_task.as_ref().filter(|task| !self.blocked.contains(task))
        {
            self.blocked.push(task.clone());
            moved.add(Move::TaskBlocked);
        }
    }

    fn places(&mut self, summary: &IterationSummary, only_ticked: bool, moved: &mut Moved) {
        let changed = self.places.observe(&summary.evidence.places);
        let before = self.head.clone();
        self.head = summary.head.clone().or_else(|| before.clone());
        if only_ticked {
            return;
        }
        // A commit of what changed in the same iteration is judged by what changed.
        let is_own = summary.files_changed > 0;
        changed
            .into_iter()
            .filter(|place| !is_own || !place.is_head())
            .for_each(|place| moved.add(place));
        // Earlier versions knew the commit and not what it holds.
        let committed = before.is_some() && summary.head.is_some() && before != summary.head;
        if committed && !self.places.are_known() && !is_own {
            moved.add(Move::Committed);
        }
    }

    fn news(&mut self, evidence: &Evidence, moved: &mut Moved) {
        let new = evidence.words.new_since(&self.words);
        self.words.extend(&evidence.words);
        if std::mem::replace(&mut self.has_reported, true) && new >= NEWS {
            moved.add(Move::News);
        }
    }
}

/// How many findings reviews had.
#[derive(Clone, Debug, Default, PartialEq)]
struct Findings {
    before: Option<usize>,
    now: Option<usize>,
}

impl Findings {
    fn observe(&mut self, moved: &mut Moved) {
        let Some(now) = self.now.take() else { return };
        if let Some(before) = self.before.replace(now)
            && now < before
        {
            moved.add(Move::FewerFindings { fewer: before - now, left: now });
        }
    }
}

/// The tree that a loop began with and what the other places held, if this event is the record of them.
pub(crate) fn start_of(event: &Event) -> Option<(&Snapshot, &[PlaceMark])> {
    match &event.kind {
        EventKind::StepFinished {
            place,
            result: StepResult::Snapshot { snapshot: Some(snapshot), places, .. },
        } if place.as_str() == "0/tree" => Some((snapshot, places)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
