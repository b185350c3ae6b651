//! Rules: when to give up. A rule is one file here and a line in [`RuleBook::new`]. It sees events
//! only, has no clock and does no I/O; so it can be run over loops of last month.

mod agent_failing;
mod blocked;
mod budgets;
mod churn;
mod max_iterations;
mod missing_status;
mod oscillation;
mod output_decline;
mod permission;
mod safety_completion;
mod same_error;
mod stagnation;
mod test_only;

pub use agent_failing::NAME as AGENT_FAILING;
pub use budgets::{Spend, kind_of};
pub use max_iterations::NAME as MAX_ITERATIONS;

use crate::{
    ending::{Ending, Undecided},
    event::{ClaimFate, Event, EventKind},
    options::{Protocol, Rules},
};

/// What a rule makes of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Nothing to say.
    Fine,
    /// Something that people should know, which changes nothing.
    Note(String),
    /// One short of tripping: the circuit is half-open.
    Near(String),
    /// It trips, and here is what it saw.
    Trip(String),
    /// It trips with this reason, and leaves something to the user: the circuit stays closed.
    Leave(String, Undecided),
}

/// One policy that looks at events and may trip.
pub(crate) trait Rule: Send {
    /// Its name, as `why` and the events have it.
    fn name(&self) -> &'static str;
    /// Looks at an event.
    fn observe(&mut self, event: &Event) -> Judgement;
}

/// A rule that tripped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trip {
    /// The rule's name.
    pub rule: &'static str,
    /// What it saw.
    pub reason: String,
    /// What is left to the user, where the circuit stays closed for that.
    pub undecided: Option<Undecided>,
}

impl Trip {
    /// The trip that a rule's judgement is, if it is one.
    pub fn of((rule, judgement): (&'static str, Judgement)) -> Option<Self> {
        match judgement {
            Judgement::Trip(reason) => Some(Self { rule, reason, undecided: None }),
            Judgement::Leave(reason, undecided) => {
                Some(Self { rule, reason, undecided: Some(undecided) })
            }
            Judgement::Fine | Judgement::Note(_) | Judgement::Near(_) => None,
        }
    }

    /// Whether the circuit is open after it.
    pub fn opens_circuit(&self) -> bool {
        self.undecided.is_none() && opens_circuit(self.rule)
    }

    /// Whether it decides on the ending also in the last allowed iteration: more of them would not have
    /// helped.
    pub fn goes_before_the_limit(&self) -> bool {
        self.undecided.is_some() || goes_before_the_limit(self.rule)
    }
}

/// Every rule, in the order in which ties are broken, with the option that holds its threshold.
pub const ALL: &[(&str, Option<&str>)] = &[
    (blocked::NAME, None),
    (permission::NAME, Some("permission_threshold")),
    (agent_failing::NAME, Some("failure_threshold")),
    (safety_completion::NAME, Some("safety_completion_threshold")),
    (test_only::NAME, Some("max_test_loops")),
    (missing_status::NAME, Some("stagnation_threshold")),
    (oscillation::NAME, Some("oscillation_threshold")),
    (same_error::NAME, Some("same_error_threshold")),
    (stagnation::NAME, Some("stagnation_threshold")),
    (churn::NAME, Some("churn_threshold")),
    (output_decline::NAME, Some("output_decline_threshold")),
    (budgets::COST, Some("max_cost")),
    (budgets::TOKENS, Some("max_tokens")),
    (budgets::DURATION, Some("max_duration")),
    (max_iterations::NAME, Some("max_iterations")),
];

/// All rules of a loop.
#[derive(Default)]
pub struct RuleBook(Vec<Box<dyn Rule>>);

impl RuleBook {
    /// The rules with these limits; a limit of 0 switches a rule off. They stand in the order of
    /// [`ALL`].
    pub fn new(limits: &Rules, protocol: Protocol) -> Self {
        Self(vec![
            Box::<blocked::Blocked>::default(),
            Box::new(permission::Permission::new(limits.permission_threshold)),
            Box::new(agent_failing::AgentFailing::new(limits.failure_threshold)),
            Box::new(safety_completion::SafetyCompletion::new(limits.safety_completion_threshold)),
            Box::new(test_only::TestOnly::new(limits.max_test_loops)),
            Box::new(missing_status::MissingStatus::new(limits.stagnation_threshold, protocol)),
            Box::new(oscillation::Oscillation::new(limits.oscillation_threshold)),
            Box::new(same_error::SameError::new(limits.same_error_threshold)),
            Box::new(stagnation::Stagnation::new(limits.stagnation_threshold)),
            Box::new(churn::Churn::new(limits.churn_threshold)),
            Box::new(output_decline::OutputDecline::new(limits.output_decline_threshold)),
            Box::new(budgets::Budget::cost(limits.max_cost)),
            Box::new(budgets::Budget::tokens(limits.max_tokens)),
            Box::new(budgets::Budget::duration(limits.max_duration)),
            Box::new(max_iterations::MaxIterations::new(limits.max_iterations)),
        ])
    }

    /// Lets every rule look; gives what they have to say, in the order in which ties are broken.
    pub fn observe(&mut self, event: &Event) -> Vec<(&'static str, Judgement)> {
        let mut said = Vec::new();
        for rule in &mut self.0 {
            match rule.observe(event) {
                Judgement::Fine => (),
                judgement => said.push((rule.name(), judgement)),
            }
        }
        if is_proven(event) {
            said.clear();
        }
        said
    }
}

/// A proven claim beats every rule.
fn is_proven(event: &Event) -> bool {
    matches!(&event.kind, EventKind::IterationFinished(summary)
        if summary.claim == ClaimFate::Accepted)
}

/// Which of the rules that tripped together decides on the ending: finished work that is left to the
/// user, an agent that is blocked or keeps failing, then the allowed iterations, then the others in the
/// order in which ties are broken.
pub fn deciding(trips: &[Trip]) -> Option<&Trip> {
    let left = trips.iter().find(|trip| trip.undecided.is_some());
    let before = || trips.iter().find(|trip| trip.goes_before_the_limit());
    let limit = || trips.iter().find(|trip| trip.rule == MAX_ITERATIONS);
    left.or_else(before).or_else(limit).or_else(|| trips.first())
}

/// Whether a rule that trips in the last allowed iteration decides on the ending all the same: more
/// iterations would not have helped.
pub fn goes_before_the_limit(rule: &str) -> bool {
    [blocked::NAME, AGENT_FAILING].contains(&rule)
}

/// Whether the circuit is open after this rule tripped and left nothing to the user, so that it must be
/// closed before the loop goes on. The others only end the loop.
pub fn opens_circuit(rule: &str) -> bool {
    !goes_before_the_limit(rule) && !is_limit(rule)
}

/// Whether an event is a trip that opens the circuit.
pub fn is_opening(event: &EventKind) -> bool {
    matches!(event, EventKind::RuleTripped { rule, undecided: None, .. } if opens_circuit(rule))
}

/// Whether the circuit is open after a loop came to this ending.
pub fn leaves_open(ending: &Ending) -> bool {
    matches!(ending, Ending::Rule { rule, undecided: None, .. } if opens_circuit(rule))
}

/// Whether the rule keeps a limit of the whole loop, which a reset does not give back.
pub fn is_limit(rule: &str) -> bool {
    rule == MAX_ITERATIONS || kind_of(rule).is_some()
}

/// What a count says about its limit.
fn judge(count: u32, limit: u32, seen: impl FnOnce() -> String) -> Judgement {
    match limit {
        0 => Judgement::Fine,
        _ if count >= limit => Judgement::Trip(seen()),
        _ if count > 0 && count == limit - 1 => Judgement::Near(seen()),
        _ => Judgement::Fine,
    }
}

/// How often something happened without a break: "once", "twice in a row", "3 times in a row".
fn times_running(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice in a row".to_owned(),
        n => format!("{n} times in a row"),
    }
}

/// A count of iterations: "1 iteration", "3 iterations in a row".
fn iterations_running(count: u32) -> String {
    match count {
        1 => "1 iteration".to_owned(),
        n => format!("{n} iterations in a row"),
    }
}

#[cfg(test)]
pub(crate) use tests::testing;

#[cfg(test)]
mod tests;
