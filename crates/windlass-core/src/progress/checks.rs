//! Which checks got better, and which fail in a way that was not there before.

use std::collections::{BTreeMap, BTreeSet};

use super::{Move, Moved, figures::Figures};
use crate::evidence::CheckMark;

/// How the checks stood, by their commands.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Checks {
    by_command: BTreeMap<String, Known>,
    /// Whether the last that was seen of some check is a failure, and that was no better than before.
    keep_failing: bool,
}

/// How one check stood.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    passed: bool,
    fewest_failing: Option<u32>,
    /// The fewest lines that it printed while it failed.
    fewest_lines: Option<BTreeSet<String>>,
    /// Every state that it was in.
    seen: BTreeSet<String>,
    /// What identified its output.
    outputs: BTreeSet<String>,
    figures: Figures,
}

impl Checks {
    /// Takes in how a check stood before the first session.
    pub(super) fn begin_with(&mut self, mark: &CheckMark) {
        self.one(mark);
        self.keep_failing |= !mark.passed;
    }

    /// Takes in how checks stood in an iteration.
    pub(super) fn observe(&mut self, marks: &[CheckMark], moved: &mut Moved) {
        if marks.is_empty() {
            return;
        }
        let moves: Vec<Move> = marks.iter().flat_map(|mark| self.one(mark)).collect();
        let got_better = moves.iter().any(|one| one.weight() == super::Weight::Result);
        self.keep_failing = !got_better && marks.iter().any(|mark| !mark.passed);
        moves.into_iter().for_each(|one| moved.add(one));
    }

    /// Whether checks are known to fail, and did not get better.
    pub(super) fn keep_failing(&self) -> bool {
        self.keep_failing
    }

    /// What moved in one check.
    fn one(&mut self, mark: &CheckMark) -> Vec<Move> {
        let Some(known) = self.by_command.get_mut(&mark.command) else {
            let mut known = Known::new(mark);
            known.figures.observe(figures(mark));
            self.by_command.insert(mark.command.clone(), known);
            return Vec::new();
        };
        let figure = known.figures.observe(figures(mark)).filter(|_| !mark.passed);
        let state = known.moved(mark);
        state.into_iter().chain(figure).collect()
    }
}

impl Known {
    fn new(mark: &CheckMark) -> Self {
        Self {
            passed: mark.passed,
            fewest_failing: mark.failing.filter(|_| !mark.passed),
            fewest_lines: lines(mark),
            seen: BTreeSet::from([state(mark)]),
            outputs: BTreeSet::from([output(mark)]),
            figures: Figures::default(),
        }
    }

    fn moved(&mut self, mark: &CheckMark) -> Option<Move> {
        let passed = std::mem::replace(&mut self.passed, mark.passed);
        let is_new_state = self.seen.insert(state(mark));
        let is_new_output = self.outputs.insert(output(mark));
        if mark.passed {
            return (!passed).then_some(Move::CheckPasses);
        }
        if let Some(left) = mark.failing {
            let best = *self.fewest_failing.get_or_insert(left);
            if left < best {
                self.fewest_failing = Some(left);
                return Some(Move::FewerFailing { fewer: best - left, left });
            }
            return match (is_new_state, is_new_output) {
                (true, _) => Some(Move::OtherFailing),
                (false, true) => Some(Move::OtherOutput),
                (false, false) => None,
            };
        }
        if !is_new_state {
            return None;
        }
        Some(self.other_output(mark))
    }

    /// What another output comes to than any before.
    fn other_output(&mut self, mark: &CheckMark) -> Move {
        let Some(now) = lines(mark) else { return Move::OtherOutput };
        let is_less = |fewest: &BTreeSet<String>| now.is_subset(fewest) && now.len() < fewest.len();
        if !now.is_empty() && self.fewest_lines.as_ref().is_some_and(is_less) {
            self.fewest_lines = Some(now);
            return Move::FewerComplaints;
        }
        Move::OtherOutput
    }
}

fn figures(mark: &CheckMark) -> &[crate::evidence::Figure] {
    mark.marks.as_ref().map_or(&[], |marks| &marks.figures)
}

/// The lines of an output that was taken down whole.
fn lines(mark: &CheckMark) -> Option<BTreeSet<String>> {
    let marks = mark.marks.as_ref()?;
    let is_whole = marks.lines.len() == marks.different as usize;
    is_whole.then(|| marks.lines.iter().cloned().collect())
}

/// What identifies which tests fail, or else what the check says.
pub(crate) fn state(mark: &CheckMark) -> String {
    if mark.passed {
        return "passed".to_owned();
    }
    match mark.failing {
        Some(_) if !mark.failing_tests.is_empty() => {
            let names: BTreeSet<&str> = mark.failing_tests.iter().map(String::as_str).collect();
            names.into_iter().collect::<Vec<_>>().join("\n")
        }
        Some(count) => format!("{count} {}", output(mark)),
        None => output(mark),
    }
}

fn output(mark: &CheckMark) -> String {
    match &mark.marks {
        Some(marks) => marks.lines.concat(),
        None => mark.output.clone(),
    }
}
