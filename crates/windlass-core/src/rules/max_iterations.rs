//! `max-iterations`: all allowed iterations are used up.

use super::{Judgement, Rule, RuleFacts};
use crate::{event::IterationSummary, progress::Moved};

/// The rule's name.
pub const NAME: &str = "max-iterations";

/// What there is to know about it.
pub(super) const FACTS: RuleFacts =
    RuleFacts { name: NAME, option: Some("max_iterations"), spared_by: "" };

#[derive(Clone)]
pub(super) struct MaxIterations {
    limit: u32,
}

impl MaxIterations {
    pub(super) fn new(limit: u32) -> Self {
        Self { limit }
    }
}

impl Rule for MaxIterations {
    fn name(&self) -> &'static str {
        NAME
    }

    fn judge(&mut self, summary: &IterationSummary, _: &Moved) -> Judgement {
        match self.limit {
            0 => Judgement::Fine,
            limit if summary.iteration >= limit => {
                Judgement::Trip(format!("iteration limit ({limit}) reached"))
            }
            _ => Judgement::Fine,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{Alone, iteration},
        *,
    };
    use crate::event::ClaimFate;

    #[test]
    fn the_last_allowed_iteration_trips_and_the_one_before_does_not() {
        let mut rule = Alone::new(MaxIterations::new(3));
        assert_eq!(rule.observe(&iteration(2, ClaimFate::None, None)), Judgement::Fine);
        assert_eq!(
            rule.observe(&iteration(3, ClaimFate::Rejected, None)),
            Judgement::Trip("iteration limit (3) reached".to_owned())
        );
    }

    #[test]
    fn zero_is_no_limit() {
        let mut rule = Alone::new(MaxIterations::new(0));
        assert_eq!(rule.observe(&iteration(1000, ClaimFate::None, None)), Judgement::Fine);
    }
}
