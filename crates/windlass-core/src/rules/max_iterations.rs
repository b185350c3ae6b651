//! `max-iterations`: all allowed iterations are used up.

use super::{Judgement, Rule};
use crate::event::{Event, EventKind};

/// The rule's name.
pub const NAME: &str = "max-iterations";

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

    fn observe(&mut self, event: &Event) -> Judgement {
        match &event.kind {
            EventKind::IterationFinished(summary)
                if self.limit > 0 && summary.iteration >= self.limit =>
            {
                Judgement::Trip(format!("iteration limit ({}) reached", self.limit))
            }
            _ => Judgement::Fine,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::testing::iteration, *};
    use crate::event::ClaimFate;

    #[test]
    fn the_last_allowed_iteration_trips_and_the_one_before_does_not() {
        let mut rule = MaxIterations::new(3);
        assert_eq!(rule.observe(&iteration(2, ClaimFate::None, None)), Judgement::Fine);
        assert_eq!(
            rule.observe(&iteration(3, ClaimFate::Rejected, None)),
            Judgement::Trip("iteration limit (3) reached".to_owned())
        );
    }

    #[test]
    fn zero_is_no_limit() {
        let mut rule = MaxIterations::new(0);
        assert_eq!(rule.observe(&iteration(1000, ClaimFate::None, None)), Judgement::Fine);
    }
}
