//! The loop that is looked at: all that its panes are made of. It reads nothing itself.

use windlass_core::{rules::Spend, view::ToolUsed};
use windlass_store::store::{IterationRecord, LoopRecord};

use super::{pane::Pane, sheet::Sheet, sheets, stream::Stream, theme::Theme};
use crate::{control::follow::Followed, report::ending::Standing};

/// A loop, as far as it was read.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    /// Its row.
    pub(crate) record: LoopRecord,
    /// How it stands.
    pub(crate) standing: Standing,
    /// The budgets that it has.
    pub(crate) budgets: Vec<Spend>,
    /// What its events come to.
    pub(crate) followed: Followed,
    /// Its iterations with their checks.
    pub(crate) iterations: Vec<IterationRecord>,
    /// The iteration that is looked at; the last one, or all, if none is chosen.
    pub(crate) chosen: Option<u32>,
    /// The tool that its agent used last.
    pub(crate) tool: Option<ToolUsed>,
    /// What was said and done.
    pub(crate) stream: Stream,
    /// The text of the pane that is shown, where that is not the log.
    pub(crate) sheet: Sheet,
    /// The painted lines of `windlass why`.
    pub(crate) why: Vec<String>,
    /// The diff, as far as one was asked for.
    pub(crate) diff: Diff,
    /// What was asked for last.
    pub(crate) asked: Option<DiffAsked>,
}

/// A diff to look into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DiffAsked {
    /// Of one iteration, or of all.
    pub(crate) iteration: Option<u32>,
    /// As the trees were after this event.
    pub(crate) seen: u64,
}

/// What changed, which takes a moment to find out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Diff {
    /// Nobody has asked.
    #[default]
    None,
    /// It is looked into.
    Asked(Option<u32>),
    /// The painted lines for one iteration, or for all.
    Known(Option<u32>, Vec<String>),
}

impl Opened {
    /// A loop of which its row and its events were read.
    pub(crate) fn new(
        record: LoopRecord,
        standing: Standing,
        followed: Followed,
        theme: Theme,
    ) -> Self {
        Self {
            record,
            standing,
            budgets: Vec::new(),
            followed,
            iterations: Vec::new(),
            chosen: None,
            tool: None,
            stream: Stream::new(theme),
            sheet: Sheet::new(theme),
            why: Vec::new(),
            diff: Diff::None,
            asked: None,
        }
    }

    /// The iteration that is looked at: the chosen one, or the last.
    pub(crate) fn iteration(&self) -> u32 {
        self.chosen.unwrap_or(self.record.iteration)
    }

    /// The diff that is to be shown, unless it was asked for since the tree moved on. The one that
    /// is shown stays until the new one is there.
    pub(crate) fn ask_for_diff(&mut self) -> Option<DiffAsked> {
        let wanted = DiffAsked { iteration: self.chosen, seen: self.followed.tree_seen };
        if self.asked == Some(wanted) {
            return None;
        }
        self.asked = Some(wanted);
        if !matches!(&self.diff, Diff::Known(iteration, _) if *iteration == wanted.iteration) {
            self.diff = Diff::Asked(wanted.iteration);
        }
        Some(wanted)
    }

    /// Takes in a diff; whether it is the one that was asked for last.
    pub(crate) fn take_diff(&mut self, of: DiffAsked, lines: Vec<String>) -> bool {
        let is_it = self.asked == Some(of);
        if is_it {
            self.diff = Diff::Known(of.iteration, lines);
        }
        is_it
    }

    /// Looks at the iteration before or after.
    pub(crate) fn step(&mut self, by: i64) {
        let last = self.iterations.last().map_or(self.record.iteration, |last| last.number);
        if last > 0 {
            let next = i64::from(self.iteration()).saturating_add(by).clamp(1, i64::from(last));
            self.chosen = u32::try_from(next).ok();
        }
    }

    /// Looks at the iteration that is chosen in the list of them.
    pub(crate) fn choose_listed(&mut self) {
        let entry = self.sheet.cursor().and_then(|cursor| self.iterations.get(cursor));
        self.chosen = entry.map(|entry| entry.number).or(self.chosen);
    }

    /// Makes the text of a pane anew.
    pub(crate) fn make_sheet(&mut self, pane: Pane) {
        match pane {
            Pane::Log => {}
            Pane::Iterations => {
                let (heading, entries) = sheets::iterations(&self.iterations);
                let at = self.iterations.iter().position(|one| one.number == self.iteration());
                self.sheet.list(heading, entries, at.unwrap_or(usize::MAX));
            }
            Pane::Checks => self.sheet.fill(sheets::checks(&self.iterations, self.chosen)),
            Pane::Findings => self.sheet.fill(sheets::findings(&self.followed.view)),
            Pane::Diff => self.sheet.fill(sheets::diff(&self.diff)),
            Pane::Why => self.sheet.fill(self.why.clone()),
        }
    }
}
