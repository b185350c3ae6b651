//! The ledger: every finding that a loop's reports ever had, under a number that it keeps, and how
//! it stands. It is a fold over observations, so it can be built again from what was stored.

mod matching;

use serde::{Deserialize, Serialize};

use super::Finding;

/// What one report says about the findings known before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// The findings of the report, in its order.
    pub noticed: Vec<Noticed>,
    /// The numbers of those that were not fixed before and are not in it: they are fixed now.
    pub gone: Vec<u32>,
}

/// A finding of a report, with what the ledger knows of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noticed {
    /// Its number in the ledger, from 1.
    pub number: u32,
    /// Whether it was known.
    pub standing: Standing,
    /// The finding, as this report has it.
    pub finding: Finding,
}

/// How a finding of a report stands to the reports before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It was never seen before.
    New,
    /// It was there before, and was not fixed.
    Open,
    /// It was fixed, and is there again.
    Back,
}

impl Standing {
    /// The word that it is serialised with.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Open => "open",
            Self::Back => "back",
        }
    }
}

/// How a finding stands in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is still there.
    Open,
    /// A later report no longer has it, or it was marked.
    Fixed,
    /// It is left as it is.
    Skipped,
}

/// What is said of a finding where no later report tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mark", rename_all = "snake_case")]
pub enum Mark {
    /// It was fixed.
    Fixed,
    /// It was left as it is.
    Skipped {
        /// Why.
        reason: String,
    },
    /// It is open after all.
    Open,
}

/// A line of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its number, from 1.
    pub number: u32,
    /// How it stands.
    pub status: Status,
    /// How it stood to the reports before in the last one that has it.
    pub standing: Standing,
    /// The iteration of the first report that has it.
    pub first_iteration: u32,
    /// The iteration of the last report that has it.
    pub last_iteration: u32,
    /// How often it was there again after it had been fixed.
    #[serde(default)]
    pub times_back: u32,
    /// Why it was skipped, where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The finding, as the last report that has it says it.
    pub finding: Finding,
}

/// How many findings there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// All that there ever were.
    pub total: u32,
    /// Those that are still there.
    pub open: u32,
    /// Those that are fixed.
    pub fixed: u32,
    /// Those that are left as they are.
    pub skipped: u32,
}

/// Every finding of a loop, and how many each report had.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    entries: Vec<Entry>,
    reports: Vec<u32>,
}

impl Ledger {
    /// Takes a report in, and says what it means.
    pub fn observe(&mut self, iteration: u32, report: Vec<Finding>) -> Observed {
        let observed = self.compare(report);
        self.apply(iteration, &observed);
        observed
    }

    /// What a report means, without taking it in.
    #[must_use]
    pub(crate) fn compare(&self, report: Vec<Finding>) -> Observed {
        matching::compare(&self.entries, report)
    }

    /// Takes in what a report meant: the fold from which a ledger is built again. Never fails.
    pub(crate) fn apply(&mut self, iteration: u32, observed: &Observed) {
        self.reports.push(count(observed.noticed.len()));
        for noticed in &observed.noticed {
            self.notice(iteration, noticed);
        }
        for &number in &observed.gone {
            self.mark(number, Mark::Fixed);
        }
    }

    fn notice(&mut self, iteration: u32, noticed: &Noticed) {
        let Noticed { number, standing, finding } = noticed;
        if let Some(entry) = self.entry_mut(*number) {
            entry.status = Status::Open;
            entry.standing = *standing;
            entry.last_iteration = iteration;
            entry.times_back += u32::from(*standing == Standing::Back);
            // Why it was skipped is worth knowing while it is still there.
            if *standing != Standing::Open {
                entry.reason = None;
            }
            entry.finding = finding.clone();
            return;
        }
        self.entries.push(Entry {
            number: *number,
            status: Status::Open,
            standing: *standing,
            first_iteration: iteration,
            last_iteration: iteration,
            times_back: 0,
            reason: None,
            finding: finding.clone(),
        });
    }

    /// Marks a finding, where no later report tells; says whether there is one of that number.
    pub fn mark(&mut self, number: u32, mark: Mark) -> bool {
        let Some(entry) = self.entry_mut(number) else { return false };
        (entry.status, entry.reason) = match mark {
            Mark::Fixed => (Status::Fixed, None),
            Mark::Skipped { reason } => (Status::Skipped, Some(reason)),
            Mark::Open => (Status::Open, None),
        };
        true
    }

    /// Keeps why a finding was skipped, and leaves it as it stands: the next report decides.
    pub fn explain(&mut self, number: u32, reason: &str) {
        if let Some(entry) = self.entry_mut(number) {
            entry.reason = Some(reason.to_owned());
        }
    }

    fn entry_mut(&mut self, number: u32) -> Option<&mut Entry> {
        let at = self.position(number)?;
        self.entries.get_mut(at)
    }

    /// Numbers are given out in order, so an entry stands at its own; a search is for damaged ones.
    fn position(&self, number: u32) -> Option<usize> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        let is_there = self.entries.get(at).is_some_and(|entry| entry.number == number);
        if is_there || at == self.entries.len() {
            return is_there.then_some(at);
        }
        self.entries.iter().position(|entry| entry.number == number)
    }

    /// Every finding there ever was, by number.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The finding of a number.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&Entry> {
        self.position(number).and_then(|at| self.entries.get(at))
    }

    /// How many there are.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let of = |status| count(self.entries.iter().filter(|e| e.status == status).count());
        Counts {
            total: count(self.entries.len()),
            open: of(Status::Open),
            fixed: of(Status::Fixed),
            skipped: of(Status::Skipped),
        }
    }

    /// How many findings each report had: `12 → 4 → 0`.
    #[must_use]
    pub fn trajectory(&self) -> Vec<u32> {
        self.reports.clone()
    }
}

/// A number of findings; more than this does not fit into a report.
fn count(findings: usize) -> u32 {
    u32::try_from(findings).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
