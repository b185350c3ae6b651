//! The plan and the results themselves. Only those that are not indented count: what is indented belongs
//! to a test that has a result too.

use windlass_core::test_counts::TestCounts;

use crate::counts::{
    names::{Names, number},
    runs::{Reading, Runs},
};

#[derive(Default)]
pub(super) struct Raw {
    runs: Runs,
    plan: Option<u32>,
    counts: TestCounts,
    names: Names,
    /// Whether there was a plan in this output.
    is_planned: bool,
    /// Results of the current run.
    results: u32,
}

impl Raw {
    pub(super) fn line(&mut self, line: &str) {
        if let Some((planned, is_skipped)) = plan(line) {
            self.planned(planned, is_skipped);
        } else if let Some(result) = Result::of(line) {
            self.result(&result);
        } else if line.starts_with("Bail out!") {
            self.runs.break_off();
        }
    }

    pub(super) fn finish(mut self) -> Reading {
        match self.plan {
            Some(plan) if plan == self.results => self.close(),
            // `1..10` alone may be anything.
            Some(_) if self.results == 0 => {}
            // Too few or too many results, or results and no plan: nobody knows whether these are all.
            Some(_) => {
                self.close();
                self.runs.break_off();
            }
            None if self.is_planned && self.results > 0 => {
                self.close();
                self.runs.break_off();
            }
            // Only a plan makes it TAP: words such as `ok 3` are printed by others too.
            None => {}
        }
        self.runs.finish()
    }

    fn planned(&mut self, planned: u32, is_skipped: bool) {
        match self.plan {
            // A second plan in the middle of a run is what a test printed.
            Some(plan) if self.results < plan => return,
            Some(_) => self.close(),
            None => {}
        }
        self.plan = Some(planned);
        self.is_planned = true;
        if is_skipped {
            self.counts.skipped = self.counts.skipped.saturating_add(1);
        }
        // A plan at the end.
        if self.results > 0 {
            if self.results != planned {
                self.runs.break_off();
            }
            self.close();
        }
    }

    fn result(&mut self, result: &Result<'_>) {
        // A new run without a plan before it.
        if result.number == Some(1)
            && self.plan.is_some_and(|plan| plan > 0 && self.results >= plan)
        {
            self.close();
        }
        self.results = self.results.saturating_add(1);
        let count = if result.is_skipped {
            &mut self.counts.skipped
        } else if result.has_passed {
            &mut self.counts.passed
        } else {
            &mut self.counts.failed
        };
        *count = count.saturating_add(1);
        if !result.has_passed && !result.is_skipped {
            match (result.name, result.number) {
                ("", Some(number)) => self.names.push(&format!("test {number}")),
                (name, _) => self.names.push(name),
            }
        }
    }

    fn close(&mut self) {
        self.plan = None;
        self.results = 0;
        let mut counts = std::mem::take(&mut self.counts);
        counts.failing = self.names.take(counts.failed);
        self.runs.see();
        self.runs.end(counts);
    }
}

/// `1..3`, and whether it says that all is skipped: `1..0 # SKIP no network`
fn plan(line: &str) -> Option<(u32, bool)> {
    let (plan, comment) =
        line.split_once(" # ").or_else(|| line.split_once(" #")).unwrap_or((line, ""));
    let count = number(plan.strip_prefix("1..")?.trim_end())?;
    let is_skipped = comment.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("skip"));
    Some((count, count == 0 && is_skipped))
}

struct Result<'a> {
    has_passed: bool,
    is_skipped: bool,
    number: Option<u32>,
    name: &'a str,
}

impl<'a> Result<'a> {
    /// `not ok 2 - is wrong # todo some day`
    fn of(line: &'a str) -> Option<Self> {
        let (has_passed, rest) = match line.strip_prefix("not ok") {
            Some(rest) => (false, rest),
            None => (true, line.strip_prefix("ok")?),
        };
        let rest = match rest.strip_prefix(' ') {
            Some(rest) => rest,
            None if rest.is_empty() => rest,
            None => return None,
        };
        let (first, after) = rest.split_once(' ').unwrap_or((rest, ""));
        let number = number(first);
        let text = if number.is_some() { after } else { rest };
        if number.is_none() && !text.is_empty() && !text.starts_with("- ") {
            return None;
        }
        let (name, directive) = text.rsplit_once("# ").unwrap_or((text, ""));
        let word = directive.get(..4).unwrap_or_default().to_ascii_lowercase();
        let is_skipped = word == "skip" || word == "todo";
        let name = if is_skipped { name } else { text };
        Some(Self { has_passed, is_skipped, number, name: name.trim_start_matches("- ").trim() })
    }
}
