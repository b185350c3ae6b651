//! Events: every fact of a loop, in order. Screens, rules, resume, replay, JSON lines and the web
//! all read these and nothing else.
//!
//! Only the journal of `windlass-store` makes events. A new fact is a new variant here; the docs and the tables follow
//! by the compiler's errors.

mod agent_config;
mod audit;
mod findings;
mod left_behind;
mod option_changed;
mod phase;
mod proven;
mod ran;
mod start_report;
mod summary;
mod tasks;

use serde::{Deserialize, Serialize};

pub use agent_config::{AgentConfigFound, ConfigEntry, ConfigKind};
pub use audit::{AuditEnd, AuditLogged};
pub use findings::{FindingsSeen, Fix, FixTried};
pub use left_behind::{LeftBehind, LeftBehindFound, LeftKind, Leftovers};
pub use option_changed::OptionChanged;
pub use phase::{Phase, PhaseEntered};
pub use proven::{BaselineCheck, BaselineTaken, OriginalsRan, ProofTaken, TestsCounted};
pub use ran::Ran;
pub use start_report::{StartAgent, StartBudget, StartCheck, StartReport};
pub use summary::{ClaimFate, IterationSummary};
pub use tasks::TasksMoved;

use crate::{
    claim::Why,
    ending::{ClaimedBy, Ending, Undecided},
    forge::Pull,
    ids::{LoopId, Place},
    said::Said,
    step::guarded::GuardReport,
    step::{Step, StepResult},
    time::Timestamp,
};

/// One fact of one loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Its number in its loop, from 1, without gaps. 0 on those that are shown and not stored.
    pub seq: u64,
    /// When it happened, by the wall clock, which may be set meanwhile.
    pub at: Timestamp,
    /// How long the loop had been run by then, over all its runs, by a clock that is never set. Events of
    /// earlier versions have none, and what agents say has none once it is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ran_ms: Option<u64>,
    /// Whose it is.
    #[serde(rename = "loop")]
    pub loop_id: LoopId,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventKind {
    /// A loop began.
    LoopStarted {
        /// The name that people type.
        name: String,
        /// The loop kind: `iterate`, …
        kind: String,
        /// Where the user started it.
        directory: String,
        /// The agent's name.
        agent: String,
        /// The allowed iterations; 0 for no limit.
        max_iterations: u32,
        /// The version of windlass that started it.
        version: String,
        /// What it starts with; earlier versions did not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start: Option<Box<StartReport>>,
    },
    /// A loop that was cut off or had ended goes on, under a new owner.
    LoopResumed {
        /// The owner's epoch.
        epoch: u64,
        /// The allowed iterations from here on; 0 for no limit.
        max_iterations: u32,
        /// What it goes on with; earlier versions did not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start: Option<Box<StartReport>>,
        /// Whether it was only opened again to be accepted by its user.
        #[serde(default, skip_serializing_if = "is_false")]
        accepting: bool,
    },
    /// An option has another value from here on.
    OptionChanged(OptionChanged),
    /// The work tree's own files have agents run or obey this.
    AgentConfigFound(AgentConfigFound),
    /// An iteration began.
    IterationStarted {
        /// Its number, from 1.
        iteration: u32,
    },
    /// An iteration with several parts came to the next of them.
    Phase(PhaseEntered),
    /// A step is about to be done.
    StepStarted {
        /// Where in the loop.
        place: Place,
        /// What is to be done.
        step: Step,
        /// What a resumed loop compares, so that it never takes one step for another.
        fingerprint: String,
    },
    /// The agent said or did something.
    AgentSaid {
        /// The session's place.
        place: Place,
        /// What it said.
        said: Said,
    },
    /// A step was done.
    StepFinished {
        /// Where in the loop.
        place: Place,
        /// What it gave.
        result: StepResult,
    },
    /// The agent claims to be done.
    Claimed {
        /// In which iteration.
        iteration: u32,
        /// With what.
        by: ClaimedBy,
    },
    /// Something looked like a claim and did not count.
    NearMiss {
        /// In which iteration.
        iteration: u32,
        /// Why it did not count.
        why: Why,
        /// The line that it stands on.
        text: String,
    },
    /// The claim was not accepted.
    ClaimRejected {
        /// In which iteration.
        iteration: u32,
        /// Why, a line each.
        reasons: Vec<String>,
    },
    /// The claim was accepted.
    ClaimAccepted {
        /// In which iteration.
        iteration: u32,
        /// With what it was made.
        by: ClaimedBy,
        /// How many checks passed; 0 means unverified.
        checks: u32,
        /// Whether something was waived, which means unverified, too.
        #[serde(default, skip_serializing_if = "is_false")]
        waived: bool,
        /// The tree that the proof is bound to.
        tree: Option<String>,
        /// What is to be said about the proof all the same, a sentence each.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        doubts: Vec<String>,
    },
    /// The checks ran before the first session.
    Baseline(BaselineTaken),
    /// What is guarded from here on.
    Guarded(GuardReport),
    /// A check said how many tests ran.
    Tests(TestsCounted),
    /// The checks ran on the tests as they were.
    Originals(OriginalsRan),
    /// The evidence for and against the work of an iteration.
    Proof(Box<ProofTaken>),
    /// Tasks of a task file were done, opened, added or removed; the first one tells how they stand
    /// when the loop begins.
    TasksMoved(TasksMoved),
    /// A review was read: what it found, held against what was known.
    FindingsSeen(FindingsSeen),
    /// A fix was tried.
    FixTried(FixTried),
    /// An iteration of audits came to this.
    AuditLogged(AuditLogged),
    /// The pull request that the loop is about.
    PullRead(Box<Pull>),
    /// An iteration came to its end; rules look at these.
    IterationFinished(IterationSummary),
    /// A rule is one short of tripping.
    RuleWarned {
        /// The rule's name.
        rule: String,
        /// What it saw.
        reason: String,
    },
    /// A rule tripped.
    RuleTripped {
        /// The rule's name.
        rule: String,
        /// What it saw.
        reason: String,
        /// What is left to the user, where the circuit stays closed for that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        undecided: Option<Undecided>,
    },
    /// Somebody asked the loop to stop.
    StopRequested {
        /// `after_iteration`, `end` or `kill`.
        level: String,
        /// Who asked.
        by: String,
    },
    /// The circuit was closed again and the rules' counts were zeroed.
    CircuitReset,
    /// The work tree was put back to how an iteration had left it.
    RolledBack {
        /// The iteration; 0 is the start.
        iteration: u32,
        /// The tree that was there before, so that it can be found again.
        from: String,
        /// The tree that it was put back to.
        to: String,
        /// The tree that is there now, with what the user has changed; earlier versions did not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<String>,
    },
    /// What sessions left behind in the repository changed: what could run code or hide work.
    LeftBehind(LeftBehindFound),
    /// Something that people should know, which changes nothing.
    Noted {
        /// The sentence.
        text: String,
    },
    /// Time went by. Shown, never stored.
    Ticked {
        /// The session that runs.
        place: Place,
        /// Bytes that came out of it so far.
        bytes: u64,
        /// The last line that it printed.
        last_line: String,
    },
    /// A loop ended.
    LoopFinished {
        /// Why.
        ending: Ending,
    },
    /// An event of a newer windlass; it is kept and passed over.
    #[serde(other)]
    Unknown,
}

impl EventKind {
    /// The word that it is serialised with; the `type` column of `events`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::LoopStarted { .. } => "loop_started",
            Self::LoopResumed { .. } => "loop_resumed",
            Self::OptionChanged(_) => "option_changed",
            Self::AgentConfigFound(_) => "agent_config_found",
            Self::IterationStarted { .. } => "iteration_started",
            Self::Phase(_) => "phase",
            Self::StepStarted { .. } => "step_started",
            Self::AgentSaid { .. } => "agent_said",
            Self::StepFinished { .. } => "step_finished",
            Self::Claimed { .. } => "claimed",
            Self::NearMiss { .. } => "near_miss",
            Self::ClaimRejected { .. } => "claim_rejected",
            Self::ClaimAccepted { .. } => "claim_accepted",
            Self::Baseline(_) => "baseline",
            Self::Guarded(_) => "guarded",
            Self::Tests(_) => "tests",
            Self::Originals(_) => "originals",
            Self::Proof(_) => "proof",
            Self::TasksMoved(_) => "tasks_moved",
            Self::FindingsSeen(_) => "findings_seen",
            Self::FixTried(_) => "fix_tried",
            Self::AuditLogged(_) => "audit_logged",
            Self::PullRead(_) => "pull_read",
            Self::IterationFinished(_) => "iteration_finished",
            Self::RuleWarned { .. } => "rule_warned",
            Self::RuleTripped { .. } => "rule_tripped",
            Self::StopRequested { .. } => "stop_requested",
            Self::CircuitReset => "circuit_reset",
            Self::RolledBack { .. } => "rolled_back",
            Self::LeftBehind(_) => "left_behind",
            Self::Noted { .. } => "noted",
            Self::Ticked { .. } => "ticked",
            Self::LoopFinished { .. } => "loop_finished",
            Self::Unknown => "unknown",
        }
    }

    /// What a loop starts or goes on with, where this event says so.
    pub fn start(&self) -> Option<&StartReport> {
        match self {
            Self::LoopStarted { start, .. } | Self::LoopResumed { start, .. } => start.as_deref(),
            _ => None,
        }
    }

    /// Whether it is kept in the store.
    pub fn is_stored(&self) -> bool {
        !matches!(self, Self::Ticked { .. })
    }
}

fn is_false(value: &bool) -> bool {
    !value
}
