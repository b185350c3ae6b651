//! What a course remembers of its iterations, to know when a rule is about to give up for want of
//! progress. It judges as the rules do, for it asks the same counters.

use windlass_core::{
    event::IterationSummary,
    options::Rules,
    progress::{Progress, churning::Churning},
};

/// How the iterations so far went on.
pub(super) struct Hindsight {
    stagnation_threshold: u32,
    churn_threshold: u32,
    progress: Progress,
    churning: Churning,
}

impl Hindsight {
    /// Nothing is behind, and HEAD is at `head`.
    pub(super) fn new(rules: &Rules, head: Option<String>) -> Self {
        Self {
            stagnation_threshold: rules.stagnation_threshold,
            churn_threshold: rules.churn_threshold,
            progress: Progress::from(head),
            churning: Churning::default(),
        }
    }

    /// Takes an iteration in.
    pub(super) fn observe(&mut self, summary: &IterationSummary) {
        self.progress.observe(summary);
        self.churning.observe(summary);
    }

    /// Whether a rule is at least one short of giving up after that iteration.
    pub(super) fn is_near(&self, summary: &IterationSummary) -> bool {
        self.stands_still(summary) || self.churns(summary)
    }

    fn stands_still(&self, summary: &IterationSummary) -> bool {
        let threshold = self.stagnation_threshold;
        let is_asked = threshold > 0 && summary.failure.is_none() && summary.tree.is_some();
        let running = self.progress.after(summary);
        is_asked && running > 0 && running + 1 >= threshold
    }

    fn churns(&self, summary: &IterationSummary) -> bool {
        let threshold = self.churn_threshold;
        let running = self.churning.after(summary);
        threshold > 0 && running.is_some_and(|running| running + 1 >= threshold)
    }
}
