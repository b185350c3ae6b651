//! `budgets`: what a loop may cost, how many tokens it may use and how long it may run, as the rules
//! `max-cost`, `max-tokens` and `max-duration`. One trips when its limit is exceeded, and before an
//! iteration that would likely exceed it, by the mean of those so far.

use std::time::Duration;

use serde::Serialize;

use super::{Judgement, Rule};
use crate::{
    ending::BudgetKind,
    event::{Event, EventKind, Ran},
    options::{Money, Rules, Span},
    outcome::Outcome,
    said::Usage,
    step::{SessionReport, StepResult},
    time::millis,
};

/// The name of the rule on money.
pub(super) const COST: &str = "max-cost";
/// The name of the rule on tokens.
pub(super) const TOKENS: &str = "max-tokens";
/// The name of the rule on time.
pub(super) const DURATION: &str = "max-duration";

/// Which budget a rule keeps, if it keeps one.
pub fn kind_of(rule: &str) -> Option<BudgetKind> {
    match rule {
        COST => Some(BudgetKind::Cost),
        TOKENS => Some(BudgetKind::Tokens),
        DURATION => Some(BudgetKind::Duration),
        _ => None,
    }
}

/// How a budget stands: in dollars, tokens or milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spend {
    /// Which budget.
    pub kind: BudgetKind,
    /// What is spent.
    pub spent: f64,
    /// What may be spent; 0 for no limit.
    pub limit: f64,
    /// By how many iterations.
    pub iterations: u32,
}

impl Spend {
    /// How the budget stands after so much; `None` where there is no limit.
    pub fn of(
        kind: BudgetKind,
        limits: &Rules,
        usage: Usage,
        active_ms: u64,
        iterations: u32,
    ) -> Option<Self> {
        let spent = match kind {
            BudgetKind::Cost => usage.cost_usd.unwrap_or(0.0),
            BudgetKind::Tokens => tokens(usage),
            BudgetKind::Duration => number(active_ms),
        };
        let limit = limit_of(kind, limits);
        (limit > 0.0).then_some(Self { kind, spent, limit, iterations })
    }

    /// What an iteration has taken on average.
    fn mean(&self) -> f64 {
        self.spent / f64::from(self.iterations.max(1))
    }

    /// Whether so many more iterations would likely go over the limit.
    fn goes_over_in(&self, iterations: f64) -> bool {
        // Sums of many small amounts are a hair off, which is not over.
        let limit = self.limit * (1.0 + 1e-9);
        self.spent > limit || self.spent + iterations * self.mean() > limit
    }

    /// What speaks against one more iteration, if something does.
    pub fn exhausted(&self) -> Option<String> {
        self.goes_over_in(1.0).then(|| self.figures())
    }

    fn judge(&self) -> Judgement {
        match self.exhausted() {
            Some(figures) => Judgement::Trip(figures),
            None if self.goes_over_in(2.0) => Judgement::Near(self.figures()),
            None => Judgement::Fine,
        }
    }

    /// What is spent and what an iteration takes, in words.
    pub fn figures(&self) -> String {
        let (spent, limit) = (self.shown(self.spent), self.shown(self.limit));
        let is_spent = match self.kind {
            BudgetKind::Cost => "spent",
            BudgetKind::Tokens => "tokens used",
            BudgetKind::Duration => "elapsed",
        };
        let total = format!("{spent} of {limit} {is_spent}");
        if self.spent > self.limit || self.iterations == 0 {
            return total;
        }
        format!("{total} (about {} per iteration)", self.shown(self.mean()))
    }

    fn shown(&self, amount: f64) -> String {
        match self.kind {
            BudgetKind::Cost => Money::new(amount).unwrap_or_default().to_string(),
            BudgetKind::Tokens => grouped(whole(amount)),
            BudgetKind::Duration => clock(Duration::from_millis(whole(amount))),
        }
    }
}

fn limit_of(kind: BudgetKind, limits: &Rules) -> f64 {
    match kind {
        BudgetKind::Cost => limits.max_cost.map_or(0.0, Money::dollars),
        BudgetKind::Tokens => limits.max_tokens.map_or(0.0, number),
        BudgetKind::Duration => limits.max_duration.map_or(0.0, |span| number(millis(span.0))),
    }
}

fn tokens(usage: Usage) -> f64 {
    number(usage.input_tokens.saturating_add(usage.output_tokens))
}

fn number(whole: u64) -> f64 {
    whole as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what is spent is never negative, and too much is shown as a lot"
)]
fn whole(number: f64) -> u64 {
    number.round() as u64
}

/// A number with its thousands apart: "1,250,000".
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// A duration in its two largest units: "1 h 5 min", "2 min", "7 s", "300 ms".
fn clock(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (large, small) = match seconds {
        0 => return format!("{} ms", duration.as_millis()),
        1..60 => ((seconds, "s"), (0, "ms")),
        60..3600 => ((seconds / 60, "min"), (seconds % 60, "s")),
        _ => ((seconds / 3600, "h"), (seconds % 3600 / 60, "min")),
    };
    match small.0 {
        0 => format!("{} {}", large.0, large.1),
        rest => format!("{} {} {rest} {}", large.0, large.1, small.1),
    }
}

/// One budget.
pub(super) struct Budget {
    rule: &'static str,
    spend: Spend,
    /// How long the loop has been run.
    ran: Ran,
    /// Whether a session has told what it took.
    measured: bool,
    noted: bool,
}

impl Budget {
    pub(super) fn cost(limit: Option<Money>) -> Self {
        let limits = Rules { max_cost: limit, ..Rules::default() };
        Self::new(COST, BudgetKind::Cost, &limits)
    }

    pub(super) fn tokens(limit: Option<u64>) -> Self {
        let limits = Rules { max_tokens: limit, ..Rules::default() };
        Self::new(TOKENS, BudgetKind::Tokens, &limits)
    }

    pub(super) fn duration(limit: Option<Span>) -> Self {
        let limits = Rules { max_duration: limit, ..Rules::default() };
        Self::new(DURATION, BudgetKind::Duration, &limits)
    }

    fn new(rule: &'static str, kind: BudgetKind, limits: &Rules) -> Self {
        let spend = Spend { kind, spent: 0.0, limit: limit_of(kind, limits), iterations: 0 };
        Self { rule, spend, ran: Ran::default(), measured: false, noted: false }
    }

    fn add(&mut self, report: &SessionReport) -> Judgement {
        let told = match self.spend.kind {
            BudgetKind::Cost => report.usage.cost_usd,
            BudgetKind::Tokens => Some(tokens(report.usage)).filter(|tokens| *tokens > 0.0),
            BudgetKind::Duration => return Judgement::Fine,
        };
        self.spend.spent += told.unwrap_or(0.0);
        self.measured |= told.is_some();
        // A session that failed may have had no chance to tell.
        if self.measured || self.noted || report.outcome != Outcome::Finished {
            return Judgement::Fine;
        }
        self.noted = true;
        let what = match self.spend.kind {
            BudgetKind::Cost => "what a session costs",
            BudgetKind::Tokens | BudgetKind::Duration => "how many tokens a session takes",
        };
        Judgement::Note(format!(
            "the agent does not tell {what}, so `--{}` cannot be held; `--max-duration` can",
            self.rule
        ))
    }
}

impl Rule for Budget {
    fn name(&self) -> &'static str {
        self.rule
    }

    fn observe(&mut self, event: &Event) -> Judgement {
        if self.spend.limit <= 0.0 {
            return Judgement::Fine;
        }
        if self.spend.kind == BudgetKind::Duration {
            self.ran.pass(event);
            self.spend.spent = number(self.ran.ms());
        }
        match &event.kind {
            EventKind::StepFinished { result: StepResult::Session(report), .. } => self.add(report),
            EventKind::IterationFinished(_) => {
                self.spend.iterations += 1;
                self.spend.judge()
            }
            _ => Judgement::Fine,
        }
    }
}

#[cfg(test)]
mod tests;
