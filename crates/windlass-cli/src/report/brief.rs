//! One loop in short, as `list`, `status` and `why` give it to programs and to people.

use serde::Serialize;
use serde_json::{Value, json};
use windlass_core::{said::Usage, text::sanitise, time::Timestamp};
use windlass_store::store::{LoopRecord, TaskCounts};

use crate::report::{
    ending::{Standing, State},
    paint::Paint,
};

/// One loop in short.
#[derive(Debug, Serialize)]
pub(crate) struct Brief<'a> {
    id: &'a str,
    name: &'a str,
    kind: &'a str,
    directory: String,
    agent: &'a str,
    /// What it is for, in a line.
    task: Option<&'a str>,
    /// As in the result object: an ending, or `running` or `interrupted`.
    ending: Value,
    verified: bool,
    iterations: u32,
    max_iterations: u32,
    phase: &'a str,
    sessions: u32,
    files_modified: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    tasks: Option<TaskCounts>,
    usage: Usage,
    circuit: &'a str,
    circuit_reason: Option<&'a str>,
    started_at: Timestamp,
    /// Nothing while it runs or was cut off.
    ended_at: Option<Timestamp>,
    updated_at: Timestamp,
    duration_ms: u64,
}

impl<'a> Brief<'a> {
    /// The loop of that record, which stands so.
    pub(crate) fn new(record: &'a LoopRecord, standing: &Standing) -> Self {
        let runs = standing.state == State::Running;
        Self {
            id: record.id.as_str(),
            name: &record.name,
            kind: &record.kind,
            directory: record.directory.display().to_string(),
            agent: &record.agent,
            task: record.task.as_deref(),
            ending: ending(standing),
            verified: record.verified,
            iterations: record.iteration,
            max_iterations: record.max_iterations,
            phase: &record.phase,
            sessions: record.sessions,
            files_modified: record.files_modified,
            tasks: record.tasks,
            usage: record.usage,
            circuit: &record.circuit,
            circuit_reason: record.circuit_reason.as_deref(),
            started_at: record.started_at,
            ended_at: record.ended_at,
            updated_at: record.updated_at,
            duration_ms: record.ran_ms(runs.then(windlass::now)),
        }
    }
}

/// The ending as the result object has it.
fn ending(standing: &Standing) -> Value {
    match &standing.state {
        State::Ended(ending) => serde_json::to_value(ending).unwrap_or_default(),
        State::Running | State::Interrupted | State::Other(_) => json!({"type": standing.word()}),
    }
}

/// The line that says which loop it is.
pub(crate) fn title(record: &LoopRecord, paint: Paint) -> String {
    let directory = record.worktree.as_ref().unwrap_or(&record.directory).display().to_string();
    format!(
        "{}  {} with {} in {}",
        paint.strong(&sanitise::line(&record.name)),
        sanitise::line(&record.kind),
        sanitise::line(&record.agent),
        sanitise::line(&directory)
    )
}
