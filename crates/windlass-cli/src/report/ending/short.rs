//! How a loop stands in two or three words, for the row of a list. The sentence says the rest.

use windlass_core::{
    ending::{ClaimedBy, Ending},
    text::sanitise,
};

use super::{Standing, State};
use crate::text;

impl Standing {
    /// How it stands, in two or three words.
    pub(crate) fn short(&self) -> String {
        match &self.state {
            State::Running => "running".to_owned(),
            State::Interrupted => "interrupted".to_owned(),
            State::Other(word) => word.replace('_', " "),
            State::Ended(ending) => of_ending(ending),
        }
    }
}

fn of_ending(ending: &Ending) -> String {
    let words = match ending {
        Ending::Done { by: ClaimedBy::User, .. } => "accepted by you",
        Ending::Done { by: ClaimedBy::Merge, .. } => "merged",
        Ending::Done { .. } => "done",
        Ending::Approved { .. } => "approved",
        Ending::Clean { .. } => "clean review",
        Ending::NothingToReview { .. } => "nothing to review",
        Ending::Escalated { .. } => "escalated",
        Ending::TestsFailed { .. } => "tests failed",
        Ending::FindingsLeft { left } => return format!("{} left", text::count(*left, "finding")),
        Ending::Stalled { .. } => "stalled",
        Ending::MaxIterations { .. } => "iteration limit",
        Ending::Rule { undecided: Some(_), .. } => "needs your decision",
        Ending::Rule { rule, .. } if rule == "blocked" => "blocked",
        Ending::Rule { rule, .. } => return format!("stopped: {}", sanitise::line(rule)),
        Ending::Budget { .. } => "budget reached",
        Ending::Limited { .. } => "provider's limit",
        Ending::AgentFailed { login: Some(_), .. } => "sign-in failed",
        Ending::AgentFailed { .. } => "agent failed",
        Ending::Cancelled { .. } => "cancelled",
        Ending::Error { .. } => "error",
    };
    words.to_owned()
}
