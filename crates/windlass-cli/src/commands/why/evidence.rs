//! What `why` shows of each iteration: as windlass saw it, and only in columns that explain.

use std::collections::BTreeMap;

use serde::Serialize;
use windlass_core::{
    event::{Event, EventKind, IterationSummary},
    evidence::TaskMark,
    rules,
    said::Usage,
    status::{Status, StatusBlock},
    step::StepResult,
    text::sanitise,
};
use windlass_store::store::IterationRecord;

use crate::{report::paint::Paint, text};

/// How much of an error or a failure is shown.
const LONGEST: usize = 60;

/// What one iteration came to, as windlass saw it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Evidence {
    pub(crate) iteration: u32,
    pub(crate) claim: Option<String>,
    pub(crate) checks_passed: usize,
    pub(crate) checks_failed: usize,
    /// `None` where there is no tree to measure it by.
    pub(crate) files_changed: Option<u32>,
    pub(crate) only_numbers: bool,
    pub(crate) tree: Option<String>,
    pub(crate) tasks: Option<TaskMark>,
    /// How many characters the agent itself said; `None` while the iteration is not over.
    pub(crate) said: Option<u64>,
    pub(crate) status: Option<StatusBlock>,
    pub(crate) denied: u32,
    pub(crate) errors: Vec<String>,
    pub(crate) failure: Option<String>,
    pub(crate) usage: Usage,
    pub(crate) duration_ms: Option<u64>,
}

impl Evidence {
    /// What is known of each iteration, in order.
    pub(crate) fn all(iterations: &[IterationRecord], history: &[Event]) -> Vec<Self> {
        let mut summaries: BTreeMap<u32, &IterationSummary> = BTreeMap::new();
        let mut usage: BTreeMap<u32, Usage> = BTreeMap::new();
        for event in history {
            match &event.kind {
                EventKind::IterationFinished(summary) => {
                    summaries.insert(summary.iteration, summary);
                }
                EventKind::StepFinished { place, result: StepResult::Session(report) } => {
                    let sum = usage.entry(place.iteration()).or_default();
                    *sum = sum.plus(report.usage);
                }
                _ => {}
            }
        }
        let of = |iteration: &IterationRecord| Self {
            usage: usage.get(&iteration.number).copied().unwrap_or_default(),
            ..Self::of(iteration, summaries.get(&iteration.number).copied())
        };
        iterations.iter().map(of).collect()
    }

    fn of(iteration: &IterationRecord, summary: Option<&IterationSummary>) -> Self {
        let count = |passed: bool| {
            iteration.checks.iter().filter(|check| check.passed == Some(passed)).count()
        };
        let seen = summary.map(|summary| summary.evidence.clone()).unwrap_or_default();
        Self {
            iteration: iteration.number,
            claim: iteration.claim.clone(),
            checks_passed: count(true),
            checks_failed: count(false),
            files_changed: iteration.tree.is_some().then_some(iteration.files_changed),
            only_numbers: seen.only_numbers,
            tree: iteration.tree.clone(),
            tasks: seen.tasks,
            said: summary.map(|_| seen.said),
            status: seen.status,
            denied: seen.denied,
            errors: seen.errors.into_iter().map(|error| error.text).collect(),
            failure: summary.and_then(|summary| summary.failure.clone()),
            usage: Usage::default(),
            duration_ms: iteration.duration_ms,
        }
    }

    fn files(&self) -> String {
        match self.files_changed {
            None => "–".to_owned(),
            Some(n) if self.only_numbers && n > 0 => format!("{n} changed, only in numbers"),
            Some(n) => format!("{n} changed"),
        }
    }

    fn checks(&self) -> String {
        match (self.checks_passed, self.checks_failed) {
            (0, 0) => String::new(),
            (passed, 0) => format!("{passed} passed"),
            (0, failed) => format!("{failed} failed"),
            (passed, failed) => format!("{failed} failed, {passed} passed"),
        }
    }

    fn status_words(&self) -> String {
        let Some(block) = &self.status else { return String::new() };
        let status = block.status.map(|status| match status {
            Status::InProgress => "IN_PROGRESS",
            Status::Complete => "COMPLETE",
            Status::Blocked => "BLOCKED",
        });
        let words: Vec<&str> = status.into_iter().chain(block.work_type.as_deref()).collect();
        words.join(", ")
    }

    fn task_words(&self) -> String {
        match self.tasks {
            None => String::new(),
            Some(TaskMark { open, only_file: true, .. }) => format!("{open} open, only ticked"),
            Some(tasks) => format!("{} open", tasks.open),
        }
    }
}

/// A column: its head, the rules that it explains, and what stands in it.
struct Column {
    head: &'static str,
    /// It is shown only where one of these has spoken; always if there are none.
    explains: &'static [&'static str],
    /// What stands where there is nothing to show.
    nothing: &'static str,
    cell: fn(&Evidence) -> String,
}

const COLUMNS: &[Column] = &[
    Column {
        head: "CLAIM",
        explains: &[],
        nothing: "running",
        cell: |one| one.claim.as_deref().unwrap_or_default().replace('_', " "),
    },
    Column { head: "CHECKS", explains: &[], nothing: "–", cell: Evidence::checks },
    Column { head: "FILES", explains: &[], nothing: "", cell: Evidence::files },
    Column {
        head: "TREE",
        explains: &["oscillation", "stagnation", "churn"],
        nothing: "",
        cell: |one| one.tree.as_deref().unwrap_or_default().chars().take(7).collect(),
    },
    Column { head: "TASKS", explains: &[], nothing: "", cell: Evidence::task_words },
    Column { head: "STATUS", explains: &[], nothing: "none", cell: Evidence::status_words },
    Column {
        head: "SAID",
        explains: &["output-decline"],
        nothing: "",
        cell: |one| one.said.map(|said| format!("{said} characters")).unwrap_or_default(),
    },
    Column {
        head: "DENIED",
        explains: &[],
        nothing: "",
        cell: |one| match one.denied {
            0 => String::new(),
            n => text::count(n, "tool"),
        },
    },
    Column {
        head: "COST",
        explains: &["max-cost"],
        nothing: "–",
        cell: |one| one.usage.cost_usd.map(text::money).unwrap_or_default(),
    },
    Column {
        head: "TOKENS",
        explains: &["max-tokens"],
        nothing: "–",
        cell: |one| match one.usage.input_tokens.saturating_add(one.usage.output_tokens) {
            0 => String::new(),
            n => text::short(n),
        },
    },
    Column {
        head: "TIME",
        explains: &["max-duration"],
        nothing: "",
        cell: |one| one.duration_ms.map(text::millis).unwrap_or_default(),
    },
    Column {
        head: "ERROR",
        explains: &["same-error"],
        nothing: "",
        cell: |one| one.errors.first().cloned().unwrap_or_default(),
    },
    Column {
        head: "FAILURE",
        explains: &[],
        nothing: "",
        cell: |one| one.failure.clone().unwrap_or_default(),
    },
];

/// The iterations as a table, for people who want to know why these rules spoke.
pub(crate) fn table(evidence: &[Evidence], spoke: &[&str], paint: Paint) -> Vec<String> {
    debug_assert!(
        COLUMNS
            .iter()
            .flat_map(|column| column.explains)
            .all(|explained| { rules::ALL.iter().any(|(rule, _)| rule == explained) }),
        "a column explains a rule that is not there"
    );
    let numbers = evidence.iter().map(|one| one.iteration.to_string());
    let mut rows: Vec<Vec<String>> =
        std::iter::once(paint.faint("ITERATION")).chain(numbers).map(|cell| vec![cell]).collect();
    for column in COLUMNS {
        let explains = column.explains;
        if !explains.is_empty() && !explains.iter().any(|rule| spoke.contains(rule)) {
            continue;
        }
        let cells: Vec<String> = evidence.iter().map(|one| shown(&(column.cell)(one))).collect();
        // A block that is missing is what that rule is about.
        let is_missing = column.head == "STATUS" && spoke.contains(&"missing-status");
        if cells.iter().all(String::is_empty) && !is_missing {
            continue;
        }
        rows[0].push(paint.faint(column.head));
        for (row, cell) in rows[1..].iter_mut().zip(cells) {
            row.push(if cell.is_empty() { column.nothing.to_owned() } else { cell });
        }
    }
    text::table(&rows)
}

fn shown(cell: &str) -> String {
    text::truncate(&sanitise::line(cell), LONGEST)
}
