//! `oscillation`: the tree comes back so many times to an earlier state that it had left. It keeps
//! the ids of the trees that it has seen.

use std::collections::HashMap;

use super::{Judgement, Rule, judge};
use crate::{
    event::{Event, EventKind},
    progress::start_of,
};

/// The rule's name.
pub(super) const NAME: &str = "oscillation";

/// After so many states running that were never there before, earlier returns are forgotten: an
/// attempt that was taken back in a long loop is no circle.
const FORGIVEN: u32 = 10;

pub(super) struct Oscillation {
    limit: u32,
    /// The trees that were there, and the iteration that left each first; 0 is the start.
    seen: HashMap<String, u32>,
    current: Option<String>,
    returns: u32,
    /// How many iterations running have left a tree that was never there before.
    fresh: u32,
}

impl Oscillation {
    pub(super) fn new(limit: u32) -> Self {
        Self { limit, seen: HashMap::new(), current: None, returns: 0, fresh: 0 }
    }

    /// Starts again from a tree that somebody other than the agent has put there.
    fn start(&mut self, tree: &str) {
        *self = Self::new(self.limit);
        self.seen.insert(tree.to_owned(), 0);
        self.current = Some(tree.to_owned());
    }

    fn judge(&mut self, iteration: u32, tree: &str) -> Judgement {
        if self.limit == 0 || self.current.as_deref() == Some(tree) {
            return Judgement::Fine;
        }
        self.current = Some(tree.to_owned());
        let Some(&earlier) = self.seen.get(tree) else {
            self.seen.insert(tree.to_owned(), iteration);
            self.fresh += 1;
            if self.fresh >= FORGIVEN {
                self.returns = 0;
            }
            return Judgement::Fine;
        };
        self.returns += 1;
        self.fresh = 0;
        judge(self.returns, self.limit, || {
            let state = match earlier {
                0 => "how it was at the start".to_owned(),
                n => format!("how iteration {n} had left it"),
            };
            match self.returns {
                1 => format!("the files returned to {state}"),
                n => format!("the files returned to an earlier state {n} times, now to {state}"),
            }
        })
    }
}

impl Rule for Oscillation {
    fn name(&self) -> &'static str {
        NAME
    }

    fn observe(&mut self, event: &Event) -> Judgement {
        if let Some(start) = start_of(event) {
            self.start(&start.tree);
        }
        match &event.kind {
            EventKind::IterationFinished(summary) => {
                if let Some(tree) = &summary.tree {
                    return self.judge(summary.iteration, tree);
                }
            }
            EventKind::RolledBack { to, .. } => self.start(to),
            EventKind::CircuitReset => self.returns = 0,
            _ => (),
        }
        Judgement::Fine
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{event, finished, reset, start, trips},
        *,
    };

    fn rule() -> Oscillation {
        let mut rule = Oscillation::new(2);
        rule.observe(&start("s"));
        rule
    }

    fn all(rule: &mut Oscillation, trees: &str) -> Judgement {
        let mut last = Judgement::Fine;
        for (number, tree) in (1..).zip(trees.chars()) {
            assert!(!matches!(last, Judgement::Trip(_)), "it tripped before {number}");
            last = rule.observe(&finished(|summary| {
                summary.iteration = number;
                summary.tree = Some(tree.to_string());
            }));
        }
        last
    }

    #[test]
    fn two_and_three_states_in_turn_trip_at_the_second_return() {
        insta::assert_snapshot!(trips(&all(&mut rule(), "abab")), @"the files returned to an earlier state 2 times, now to how iteration 2 had left it");
        trips(&all(&mut rule(), "abcab"));
        insta::assert_snapshot!(trips(&all(&mut rule(), "asbs")), @"the files returned to an earlier state 2 times, now to how it was at the start");
    }

    #[test]
    fn one_return_and_a_tree_that_stays_do_not_trip() {
        assert!(matches!(all(&mut rule(), "aba"), Judgement::Near(_)));
        assert_eq!(all(&mut rule(), "ssaaaabbbbb"), Judgement::Fine);
        assert_eq!(all(&mut rule(), "abaaaaaaaa"), Judgement::Fine);
    }

    #[test]
    fn attempts_taken_back_long_ago_are_forgotten() {
        assert!(matches!(all(&mut rule(), "abacdefghijklmnm"), Judgement::Near(_)));
    }

    #[test]
    fn a_reset_zeroes_the_count_and_a_rollback_is_not_the_agents_return() {
        let mut one = rule();
        all(&mut one, "aba");
        one.observe(&reset());
        assert!(matches!(all(&mut one, "b"), Judgement::Near(_)));
        let mut one = rule();
        all(&mut one, "ab");
        let (from, to) = ("b".to_owned(), "s".to_owned());
        one.observe(&event(EventKind::RolledBack { iteration: 0, from, to, left: None }));
        assert_eq!(all(&mut one, "ab"), Judgement::Fine);
    }
}
