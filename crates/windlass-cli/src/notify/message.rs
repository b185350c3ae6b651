//! What people are told, in plain words, and for programs beside them. It is made of what is stored
//! or shown of a loop, so no secret is in it; the prompt is not either.

use serde::Serialize;
use windlass_core::{
    event::EventKind,
    result::LoopResult,
    rules,
    step::{Step, WaitFor},
    text::sanitise,
};

use super::When;
use crate::{
    report::ending::{Standing, State},
    text,
};

/// One message.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Message {
    /// Of what it tells.
    pub(crate) event: When,
    /// The sentence.
    pub(crate) text: String,
    /// The loop's name.
    #[serde(rename = "loop")]
    pub(crate) name: String,
    /// The loop's kind.
    pub(crate) kind: String,
    /// How many iterations were begun.
    pub(crate) iterations: u32,
    /// Whether it is good news; unknown while the loop goes on.
    pub(crate) success: Option<bool>,
    /// Whether a check proved it.
    pub(crate) verified: Option<bool>,
    /// The word of the ending.
    pub(crate) ending: Option<String>,
    /// The whole result, for programs of the user's own.
    #[serde(skip)]
    pub(crate) result: Option<Box<LoopResult>>,
}

impl Message {
    /// The line above the sentence.
    pub(crate) fn title(&self) -> String {
        format!("windlass: {}", self.name)
    }
}

/// What is known of a loop from its events.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) name: String,
    pub(super) kind: String,
    iterations: u32,
    checks: Option<u32>,
}

impl Known {
    /// Takes an event in; gives the message that it makes, if it makes one.
    pub(super) fn observe(&mut self, kind: &EventKind) -> Option<Message> {
        match kind {
            EventKind::LoopStarted { name, kind, .. } => {
                self.name = sanitise::line(name).into_owned();
                self.kind.clone_from(kind);
            }
            EventKind::IterationStarted { iteration } => self.iterations = *iteration,
            EventKind::ClaimAccepted { checks, .. } => self.checks = Some(*checks),
            EventKind::RuleTripped { rule, reason, .. } if rules::is_opening(kind) => {
                let text = format!("{} is stopped by the rule {rule}: {reason}", self.name);
                return Some(self.message(When::Trip, &text));
            }
            EventKind::StepStarted {
                step: Step::Wait { until, what: WaitFor::Reset, reason },
                ..
            } => {
                let at = text::local_time(*until);
                let text = format!("{} waits for {reason} at {at}", self.name);
                return Some(self.message(When::Limit, &text));
            }
            _ => (),
        }
        None
    }

    /// The message of a loop that is over.
    pub(super) fn end(&self, result: &LoopResult) -> Message {
        let mut standing = Standing::of_result(result);
        standing.prove(self.checks.filter(|checks| *checks > 0), result.proof.as_ref());
        let sentence = standing.sentence();
        let name = &standing.name;
        let verb = match sentence.split([' ', ':']).next().unwrap_or_default() {
            "done" | "approved" | "not" => " is",
            "stopped" | "cancelled" | "escalated" => " was",
            "gave" | "could" | "stalled" => "",
            _ => ":",
        };
        let ending = match &standing.state {
            State::Running | State::Interrupted => None,
            State::Ended(_) | State::Other(_) => Some(standing.word().to_owned()),
        };
        Message {
            iterations: result.iterations,
            name: name.clone(),
            kind: result.kind.clone(),
            success: Some(result.success),
            verified: Some(result.verified),
            ending,
            // The words of a prompt stay here.
            result: Some(Box::new(LoopResult { task: None, ..result.clone() })),
            ..self.message(When::End, &format!("{name}{verb} {sentence}"))
        }
    }

    /// The message of a loop that came to no ending that could be stored.
    pub(super) fn failed(&self, why: &str) -> Message {
        let text = format!("{} could not go on: {why}", self.name);
        Message { success: Some(false), ..self.message(When::End, &text) }
    }

    fn message(&self, event: When, text: &str) -> Message {
        Message {
            event,
            text: sanitise::line(text).into_owned(),
            name: self.name.clone(),
            kind: self.kind.clone(),
            iterations: self.iterations,
            success: None,
            verified: None,
            ending: None,
            result: None,
        }
    }
}
