//! `output-decline`: what the agent itself says shrank by the threshold, twice in a row, and no check got
//! better. Failed sessions do not count, nor does the shrinking of a text that was short already: a long
//! report followed by a short last word is how honest work ends.

use super::{Judgement, Rule, RuleFacts};
use crate::{event::IterationSummary, options::Percent, progress::Moved};

/// The rule's name.
pub(super) const NAME: &str = "output-decline";

/// What there is to know about it.
pub(super) const FACTS: RuleFacts = RuleFacts {
    name: NAME,
    option: Some("output_decline_threshold"),
    spared_by: "a report that is not much shorter, or a check that gets better",
};

/// This many declines in a row trip.
const RUNNING: usize = 2;

/// A text of fewer characters than this cannot decline.
const SHORT: u64 = 100;

#[derive(Clone)]
pub(super) struct OutputDecline {
    threshold: u64,
    /// How much was said in the last iterations: the one before, and those that it declined from.
    said: Vec<u64>,
}

impl OutputDecline {
    pub(super) fn new(threshold: Percent) -> Self {
        Self { threshold: threshold.number().into(), said: Vec::new() }
    }

    fn count(&mut self, said: u64) -> Judgement {
        if self.said.last().is_none_or(|&before| !self.is_decline(before, said)) {
            self.said.clear();
        }
        self.said.push(said);
        let shown = || {
            let all: Vec<String> = self.said.iter().map(u64::to_string).collect();
            format!("the agent says less and less: {} characters", all.join(", then "))
        };
        match self.said.len() - 1 {
            0 => Judgement::Fine,
            RUNNING.. => Judgement::Trip(shown()),
            _ => Judgement::Near(shown()),
        }
    }

    fn is_decline(&self, before: u64, now: u64) -> bool {
        let lost = before.saturating_sub(now);
        before >= SHORT && u128::from(lost) * 100 >= u128::from(before) * u128::from(self.threshold)
    }
}

impl Rule for OutputDecline {
    fn name(&self) -> &'static str {
        NAME
    }

    fn judge(&mut self, summary: &IterationSummary, moved: &Moved) -> Judgement {
        if summary.failure.is_some() || self.threshold == 0 {
            return Judgement::Fine;
        }
        // An agent that makes checks better need not say much.
        if moved.is_confirmed() {
            self.said.clear();
        }
        self.count(summary.evidence.said)
    }

    fn reset(&mut self) {
        self.said.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{Alone, failed, failing_check, finished, reset, trips},
        *,
    };
    use crate::event::Event;

    fn said(characters: u64) -> Event {
        finished(|summary| summary.evidence.said = characters)
    }

    fn all(characters: &[u64]) -> Vec<Judgement> {
        let mut rule = Alone::new(OutputDecline::new(Percent::new(70)));
        characters.iter().map(|one| rule.observe(&said(*one))).collect()
    }

    #[test]
    fn two_declines_running_trip() {
        let judged = all(&[5000, 1500, 450]);
        assert!(matches!(judged[1], Judgement::Near(_)));
        insta::assert_snapshot!(trips(&judged[2]), @"the agent says less and less: 5000, then 1500, then 450 characters");
        trips(&all(&[10, 1000, 100, 0])[3]);
    }

    #[test]
    fn one_decline_a_smaller_one_and_short_words_do_not_trip() {
        for honest in [
            &[5000, 1501, 450][..],
            &[5000, 1500, 451],
            &[5000, 40, 0, 0],
            &[300, 80, 20],
            &[5000, 1000, 5000, 1000, 5000, 1000],
        ] {
            assert!(all(honest).iter().all(|one| !matches!(one, Judgement::Trip(_))), "{honest:?}");
        }
    }

    #[test]
    fn failed_sessions_do_not_count_and_a_reset_starts_again() {
        let mut rule = Alone::new(OutputDecline::new(Percent::new(70)));
        rule.observe(&said(5000));
        rule.observe(&failed());
        assert!(matches!(rule.observe(&said(1000)), Judgement::Near(_)));
        rule.observe(&failed());
        assert!(matches!(rule.observe(&said(200)), Judgement::Trip(_)));
        rule.observe(&reset());
        assert_eq!(rule.observe(&said(20)), Judgement::Fine);
    }

    #[test]
    fn an_agent_that_makes_checks_better_need_not_say_much() {
        let mut rule = Alone::new(OutputDecline::new(Percent::new(70)));
        for (left, characters) in [(4, 5000), (3, 1000), (2, 200), (1, 40)] {
            let worked = finished(|summary| {
                summary.evidence.said = characters;
                summary.evidence.checks = failing_check("x");
                summary.evidence.checks[0].failing = Some(left);
            });
            assert_eq!(rule.observe(&worked), Judgement::Fine, "{characters}");
        }
    }
}
