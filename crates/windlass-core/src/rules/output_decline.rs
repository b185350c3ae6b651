//! `output-decline`: what the agent itself says shrank by so much, twice in a row. Sessions that
//! failed do not count, nor does the shrinking of a text that was short already: a long report
//! followed by a short last word is how honest work ends.

use super::{Judgement, Rule};
use crate::{
    event::{Event, EventKind},
    options::Percent,
};

/// The rule's name.
pub(super) const NAME: &str = "output-decline";

/// So many declines running trip.
const RUNNING: usize = 2;

/// A text of fewer characters than this cannot decline.
const SHORT: u64 = 100;

pub(super) struct OutputDecline {
    threshold: u64,
    /// How much was said in the last iterations: the one before, and those that it declined from.
    said: Vec<u64>,
}

impl OutputDecline {
    pub(super) fn new(threshold: Percent) -> Self {
        Self { threshold: threshold.number().into(), said: Vec::new() }
    }

    fn judge(&mut self, said: u64) -> Judgement {
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

    fn observe(&mut self, event: &Event) -> Judgement {
        match &event.kind {
            EventKind::IterationFinished(summary)
                if summary.failure.is_none() && self.threshold > 0 =>
            {
                self.judge(summary.evidence.said)
            }
            EventKind::CircuitReset => {
                self.said.clear();
                Judgement::Fine
            }
            _ => Judgement::Fine,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{failed, finished, reset, trips},
        *,
    };

    fn said(characters: u64) -> Event {
        finished(|summary| summary.evidence.said = characters)
    }

    fn all(characters: &[u64]) -> Vec<Judgement> {
        let mut rule = OutputDecline::new(Percent::new(70));
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
        let mut rule = OutputDecline::new(Percent::new(70));
        rule.observe(&said(5000));
        rule.observe(&failed());
        assert!(matches!(rule.observe(&said(1000)), Judgement::Near(_)));
        rule.observe(&failed());
        assert!(matches!(rule.observe(&said(200)), Judgement::Trip(_)));
        rule.observe(&reset());
        assert_eq!(rule.observe(&said(20)), Judgement::Fine);
    }
}
