//! `oscillation`: the files, or the failing tests, come back several times to an earlier state that they had
//! left. Files are compared twice: all of them, and all but prose and logs.

use super::{Judgement, Rule, RuleFacts, judge_halves};
use crate::{
    event::{Event, EventKind, IterationSummary},
    evidence::{CheckMark, FilesMark},
    progress::{Moved, check_state, start_of},
    step::StepResult,
};

mod returns;

use returns::Returns;

/// The rule's name.
pub(super) const NAME: &str = "oscillation";

/// What there is to know about it.
pub(super) const FACTS: RuleFacts = RuleFacts {
    name: NAME,
    option: Some("oscillation_threshold"),
    spared_by: "files and failing tests that do not return to what they were, or fewer failing tests",
};

/// After this many iterations in a row that changed the same files, the checks are run to look.
const SAME_FILES: u32 = 2;

/// Stands between the states of several checks.
const BETWEEN: &str = "\n\n";

#[derive(Clone)]
pub(super) struct Oscillation {
    limit: u32,
    trees: Returns,
    work: Returns,
    failing: Returns,
    /// How the checks failed before the first session.
    baseline: Vec<String>,
    /// The files that the last iteration changed, and how many in a row changed no others.
    paths: Vec<String>,
    same_paths: u32,
}

impl Oscillation {
    pub(super) fn new(limit: u32) -> Self {
        let (trees, work, failing) = (Returns::default(), Returns::default(), Returns::default());
        let (baseline, paths) = (Vec::new(), Vec::new());
        Self { limit, trees, work, failing, baseline, paths, same_paths: 0 }
    }

    /// Starts again from a tree that somebody other than the agent has put there.
    fn start(&mut self, tree: &str) {
        *self = Self::new(self.limit);
        self.trees.start(tree);
        self.work.start(FilesMark::AT_START);
    }

    fn files(&mut self, summary: &IterationSummary) -> Judgement {
        let number = summary.iteration;
        let tree = summary.tree.as_deref().and_then(|tree| self.trees.observe(number, tree));
        let work = summary.evidence.files.as_ref().and_then(|files| files.work.as_deref());
        let work = work.and_then(|work| self.work.observe(number, work));
        if let Some(earlier) = tree {
            let seen = || returned("the files", &self.trees, earlier);
            let judgement = judge_halves(self.trees.halves(), self.limit, seen);
            if matches!(judgement, Judgement::Trip(_)) || work.is_none() {
                return judgement;
            }
        }
        let Some(earlier) = work else { return Judgement::Fine };
        let seen = || returned("the files except prose and logs", &self.work, earlier);
        judge_halves(self.work.halves(), self.limit, seen)
    }

    fn tests(&mut self, summary: &IterationSummary, moved: &Moved) -> Judgement {
        if moved.is_confirmed() {
            self.failing.forgive();
        }
        let failing: Vec<&CheckMark> =
            summary.evidence.checks.iter().filter(|check| !check.passed).collect();
        if failing.is_empty() {
            return Judgement::Fine;
        }
        if let baseline @ [_, ..] = std::mem::take(&mut self.baseline).as_slice() {
            self.failing.start(&baseline.join(BETWEEN));
        }
        let states: Vec<String> = failing.iter().map(|check| check_state(check)).collect();
        if self.failing.observe(summary.iteration, &states.join(BETWEEN)).is_none() {
            return Judgement::Fine;
        }
        judge_halves(self.failing.halves(), self.limit, || {
            let names: Vec<&str> =
                failing.iter().flat_map(|check| &check.failing_tests).map(String::as_str).collect();
            let now = match names.as_slice() {
                [] => format!("`{}` fails as it did before", failing[0].command),
                [name] => format!("{name} fails again"),
                [first, rest @ ..] => format!("{first} and {} more fail again", rest.len()),
            };
            match self.failing.number() {
                1 => format!("one failure gave way to another and came back: {now}"),
                n => format!("failures took turns and came back {n} times: {now}"),
            }
        })
    }
}

/// Where the files have returned to.
fn returned(what: &str, returns: &Returns, earlier: u32) -> String {
    let state = match earlier {
        0 => "how it was at the start".to_owned(),
        n => format!("how iteration {n} had left it"),
    };
    match returns.number() {
        1 => format!("{what} returned to {state}"),
        n => format!("{what} returned to an earlier state {n} times, now to {state}"),
    }
}

impl Rule for Oscillation {
    fn name(&self) -> &'static str {
        NAME
    }

    fn judge(&mut self, summary: &IterationSummary, moved: &Moved) -> Judgement {
        self.same_paths = self.same_paths_after(summary);
        if let Some(files) = &summary.evidence.files {
            self.paths = files.changed.iter().map(|file| file.path.clone()).collect();
        }
        if self.limit == 0 {
            return Judgement::Fine;
        }
        let (files, tests) = (self.files(summary), self.tests(summary, moved));
        match (&files, &tests) {
            (Judgement::Trip(_), _) | (_, Judgement::Fine) => files,
            (Judgement::Near(_), Judgement::Near(_)) => files,
            _ => tests,
        }
    }

    fn observe(&mut self, event: &Event) -> Judgement {
        if let Some((start, _)) = start_of(event) {
            self.start(&start.tree);
        }
        match &event.kind {
            EventKind::RolledBack { to, .. } => self.start(to),
            EventKind::StepFinished { place, result: StepResult::Check(report) }
                if place.iteration() == 0 && !report.passed =>
            {
                self.baseline.push(check_state(&CheckMark::of(report)));
            }
            _ => (),
        }
        Judgement::Fine
    }

    fn reset(&mut self) {
        [&mut self.trees, &mut self.work, &mut self.failing].into_iter().for_each(Returns::forgive);
    }

    /// Work on the same files again and again may go in a circle that only the checks show.
    fn wants_look(&self, summary: &IterationSummary, _: &Moved) -> bool {
        self.limit > 0 && self.same_paths_after(summary) >= SAME_FILES
    }
}

impl Oscillation {
    fn same_paths_after(&self, summary: &IterationSummary) -> u32 {
        let Some(files) = &summary.evidence.files else { return 0 };
        let is_known = files.changed.iter().all(|file| self.paths.contains(&file.path));
        if is_known && !files.changed.is_empty() { self.same_paths + 1 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{Alone, event, failing_check, finished, reset, start, trips},
        *,
    };

    fn rule() -> Alone<Oscillation> {
        let mut rule = Alone::new(Oscillation::new(2));
        rule.observe(&start("s"));
        rule
    }

    fn all(rule: &mut Alone<Oscillation>, trees: &str) -> Judgement {
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
        insta::assert_snapshot!(trips(&all(&mut rule(), "asa")), @"the files returned to an earlier state 2 times, now to how iteration 1 had left it");
    }

    #[test]
    fn a_second_attempt_that_is_taken_back_is_allowed_and_a_third_is_not() {
        assert!(matches!(all(&mut rule(), "asbs"), Judgement::Near(_)));
        insta::assert_snapshot!(trips(&all(&mut rule(), "asbscs")), @"the files returned to an earlier state 3 times, now to how it was at the start");
    }

    #[test]
    fn a_circle_is_seen_whatever_is_noted_next_to_it() {
        let mut rule = rule();
        let noted = |number: u32, work: &str| {
            finished(|summary| {
                summary.iteration = number;
                summary.tree = Some(format!("tree {number}"));
                summary.evidence.files =
                    Some(FilesMark { work: Some(work.to_owned()), ..FilesMark::default() });
            })
        };
        for (number, work) in [(1, "a"), (2, "b")] {
            assert_eq!(rule.observe(&noted(number, work)), Judgement::Fine);
        }
        assert!(matches!(rule.observe(&noted(3, "a")), Judgement::Near(_)));
        insta::assert_snapshot!(trips(&rule.observe(&noted(4, "b"))), @"the files except prose and logs returned to an earlier state 2 times, now to how iteration 2 had left it");
    }

    fn fails(test: &str) -> Event {
        finished(|summary| {
            summary.evidence.checks = failing_check("x");
            summary.evidence.checks[0].failing = Some(1);
            summary.evidence.checks[0].failing_tests = vec![test.to_owned()];
        })
    }

    #[test]
    fn failing_tests_that_take_turns_are_a_circle_too() {
        let mut rule = rule();
        assert_eq!(rule.observe(&fails("beta")), Judgement::Fine);
        assert_eq!(rule.observe(&fails("alpha")), Judgement::Fine);
        insta::assert_debug_snapshot!(rule.observe(&fails("beta")), @r#"
        Near(
            "one failure gave way to another and came back: beta fails again",
        )
        "#);
        insta::assert_snapshot!(trips(&rule.observe(&fails("alpha"))), @"failures took turns and came back 2 times: alpha fails again");
    }

    #[test]
    fn one_that_comes_back_once_and_a_failure_that_stays_are_none() {
        let mut rule = rule();
        for test in ["alpha", "alpha", "alpha", "beta", "beta", "gamma"] {
            assert_eq!(rule.observe(&fails(test)), Judgement::Fine, "{test}");
        }
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
