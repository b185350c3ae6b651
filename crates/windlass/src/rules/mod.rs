//! Rules: when to give up. A rule is one file here and a line in [`RuleBook::new`]. It sees events
//! only, has no clock and does no I/O; so it can be run over loops of last month.

mod agent_failing;
mod max_iterations;

use crate::{event::Event, options::Rules};

/// What a rule makes of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Nothing to say.
    Fine,
    /// One short of tripping: the circuit is half-open.
    Near(String),
    /// It trips, and here is what it saw.
    Trip(String),
}

/// One policy that looks at events and may trip.
pub trait Rule: Send {
    /// Its name, as `why` and the events have it.
    fn name(&self) -> &'static str;
    /// Looks at an event.
    fn observe(&mut self, event: &Event) -> Judgement;
}

/// All rules of a loop.
#[derive(Default)]
pub struct RuleBook(Vec<Box<dyn Rule>>);

impl RuleBook {
    /// The rules with these limits; a limit of 0 switches a rule off.
    pub fn new(limits: &Rules) -> Self {
        Self(vec![
            Box::new(agent_failing::AgentFailing::new(limits.failure_threshold)),
            Box::new(max_iterations::MaxIterations::new(limits.max_iterations)),
        ])
    }

    /// Lets every rule look; gives what they have to say, in the order in which ties are broken.
    pub fn observe(&mut self, event: &Event) -> Vec<(&'static str, Judgement)> {
        self.0
            .iter_mut()
            .map(|rule| (rule.name(), rule.observe(event)))
            .filter(|(_, judgement)| *judgement != Judgement::Fine)
            .collect()
    }
}

/// Whether the circuit is open after this rule tripped, so that it must be closed before the loop
/// goes on. The others only end the loop.
pub fn opens_circuit(rule: &str) -> bool {
    ![AGENT_FAILING, MAX_ITERATIONS].contains(&rule)
}

pub use agent_failing::NAME as AGENT_FAILING;
pub use max_iterations::NAME as MAX_ITERATIONS;

#[cfg(test)]
pub(crate) mod testing {
    //! Events for the tests of rules.

    use crate::{
        event::{ClaimFate, Event, EventKind, IterationSummary},
        evidence::Evidence,
        ids::LoopId,
        time::Timestamp,
    };

    pub(crate) fn event(kind: EventKind) -> Event {
        Event { seq: 1, at: Timestamp(0), loop_id: LoopId::from("l".to_owned()), kind }
    }

    pub(crate) fn iteration(number: u32, claim: ClaimFate, failure: Option<&str>) -> Event {
        event(EventKind::IterationFinished(IterationSummary {
            iteration: number,
            tree: None,
            head: None,
            files_changed: 0,
            files_modified: 0,
            claim,
            failure: failure.map(str::to_owned),
            evidence: Evidence::default(),
            duration_ms: 1,
        }))
    }
}
