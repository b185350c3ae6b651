//! What became of a loop, against what should have become of it; and the sums. Pure.

use std::fmt;

use super::agent::{Agent, Truth};

/// What became of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ended {
    /// The rule that ended it, or else the word of its ending.
    pub by: String,
    /// After how many iterations.
    pub iterations: u32,
    /// Whether the work is really done.
    pub is_done: bool,
    /// The commands that are named as the next ones.
    pub next: String,
}

/// An agent that was let loose.
pub(super) struct Tried {
    pub name: &'static str,
    pub truth: Truth,
    pub ended: Ended,
}

impl Tried {
    pub(super) fn new((agent, ended): (Agent, Ended)) -> Self {
        Self { name: agent.name, truth: agent.truth, ended }
    }

    pub(super) fn verdict(&self) -> Verdict {
        Verdict::of(&self.truth, &self.ended)
    }
}

/// Whether that was right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// At the right time, for a true reason.
    Right,
    /// So many iterations before it was right.
    TooEarly(u32),
    /// So many iterations were wasted.
    TooLate(u32),
    /// It was believed, and is not done.
    FalselyDone,
    /// It is done, and was not believed.
    NotBelieved,
    /// At the right time, for a reason that is not true.
    OtherReason,
}

impl Verdict {
    pub(super) fn of(truth: &Truth, ended: &Ended) -> Self {
        let claims = ended.by == "done";
        match *truth {
            _ if claims && !ended.is_done => Self::FalselyDone,
            Truth::Stop { .. } if claims => Self::FalselyDone,
            Truth::Done(at) if ended.iterations < at => Self::TooEarly(at - ended.iterations),
            Truth::Done(_) if !claims => Self::NotBelieved,
            Truth::Done(at) if ended.iterations > at => Self::TooLate(ended.iterations - at),
            Truth::Stop { earliest, .. } if ended.iterations < earliest => {
                Self::TooEarly(earliest - ended.iterations)
            }
            Truth::Stop { latest, .. } if ended.iterations > latest => {
                Self::TooLate(ended.iterations - latest)
            }
            Truth::Stop { by, .. } if !by.contains(&ended.by.as_str()) => Self::OtherReason,
            Truth::Done(_) | Truth::Stop { .. } => Self::Right,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Right => f.write_str("right"),
            Self::TooEarly(by) => write!(f, "too early by {by}"),
            Self::TooLate(by) => write!(f, "too late by {by}"),
            Self::FalselyDone => f.write_str("falsely done"),
            Self::NotBelieved => f.write_str("not believed"),
            Self::OtherReason => f.write_str("for another reason"),
        }
    }
}

/// The sums over many agents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub agents: u32,
    /// Agents that had to be stopped.
    pub to_stop: u32,
    pub right: u32,
    pub too_early: u32,
    pub too_late: u32,
    pub falsely_done: u32,
    pub not_believed: u32,
    pub other_reason: u32,
    /// Iterations after the one in which it was right to stop.
    pub wasted: u32,
    /// Agents that no rule saw: only the allowed iterations ended them.
    pub unseen: u32,
    /// What was wasted on those.
    pub wasted_unseen: u32,
}

impl Sums {
    pub(super) fn add(&mut self, tried: &Tried) {
        self.agents += 1;
        self.to_stop += u32::from(matches!(tried.truth, Truth::Stop { .. }));
        match tried.verdict() {
            Verdict::Right => self.right += 1,
            Verdict::TooEarly(_) => self.too_early += 1,
            Verdict::TooLate(by) => {
                self.too_late += 1;
                self.wasted += by;
                if tried.ended.by == "max_iterations" {
                    self.unseen += 1;
                    self.wasted_unseen += by;
                }
            }
            Verdict::FalselyDone => self.falsely_done += 1,
            Verdict::NotBelieved => self.not_believed += 1,
            Verdict::OtherReason => self.other_reason += 1,
        }
    }

    /// Wasted iterations for each agent that had to be stopped.
    pub(super) fn wasted_on_average(&self) -> f64 {
        f64::from(self.wasted) / f64::from(self.to_stop.max(1))
    }
}

#[test]
fn only_the_right_time_and_a_true_reason_are_right() {
    let ended = |by: &str, iterations, is_done| {
        let next = String::new();
        Ended { by: by.to_owned(), iterations, is_done, next }
    };
    let done = Truth::Done(3);
    assert_eq!(Verdict::of(&done, &ended("done", 3, true)), Verdict::Right);
    assert_eq!(Verdict::of(&done, &ended("done", 3, false)), Verdict::FalselyDone);
    assert_eq!(Verdict::of(&done, &ended("done", 5, true)), Verdict::TooLate(2));
    assert_eq!(Verdict::of(&done, &ended("churn", 2, false)), Verdict::TooEarly(1));
    assert_eq!(Verdict::of(&done, &ended("churn", 3, true)), Verdict::NotBelieved);
    let stop = Truth::Stop { earliest: 3, latest: 4, by: &["stagnation"] };
    assert_eq!(Verdict::of(&stop, &ended("stagnation", 4, false)), Verdict::Right);
    assert_eq!(Verdict::of(&stop, &ended("stagnation", 4, true)), Verdict::Right);
    assert_eq!(Verdict::of(&stop, &ended("stagnation", 2, false)), Verdict::TooEarly(1));
    assert_eq!(Verdict::of(&stop, &ended("max_iterations", 20, false)), Verdict::TooLate(16));
    assert_eq!(Verdict::of(&stop, &ended("churn", 3, false)), Verdict::OtherReason);
    assert_eq!(Verdict::of(&stop, &ended("done", 3, true)), Verdict::FalselyDone);
}
