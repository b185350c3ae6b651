//! The result object: what a loop came to, for `--json`, `-q`, `--format`, `show` and embedders.

use serde::Serialize;
use serde_json::json;

use crate::{
    ending::Ending,
    findings::Counts,
    said::Usage,
    status::StatusBlock,
    store::{LoopRecord, Store, StoreError},
};

/// The version of the result object's form.
pub const SCHEMA: u32 = 1;

/// What a loop came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LoopResult {
    /// The version of this object's form.
    pub schema: u32,
    /// The loop's id.
    pub id: String,
    /// The name that people type.
    pub name: String,
    /// The loop kind.
    pub kind: String,
    /// Where the user started it.
    pub directory: String,
    /// Where the agent worked when that is a worktree of the loop's own.
    pub worktree: Option<String>,
    /// The agent's name.
    pub agent: String,
    /// Why it ended: [`crate::ending::Ending`] as it is, or `running` or `interrupted`.
    pub ending: serde_json::Value,
    /// Whether it reached what it was started for.
    pub success: bool,
    /// Whether a check proved it.
    pub verified: bool,
    /// How many iterations were begun.
    pub iterations: u32,
    /// How many sessions were begun.
    pub sessions: u32,
    /// The ledger's sums.
    pub findings: Counts,
    /// How many findings were fixed, over all iterations.
    pub fixes: u32,
    /// How many tasks were completed.
    pub tasks_completed: u32,
    /// How many files differ from the loop's start.
    pub files_modified: u32,
    /// Tokens and money.
    pub usage: Usage,
    /// The words that made the accepted claim.
    pub completion_text: Option<String>,
    /// What the last session said at the end.
    pub final_text: String,
    /// The last status block.
    pub final_status: Option<StatusBlock>,
    /// Whether the provider's limit was met.
    pub rate_limit_hit: bool,
    /// The file with what is left to do, where one was written.
    pub task_list: Option<String>,
    /// How long it ran.
    pub duration_ms: u64,
    /// The exit code of the process that ran it; `None` while it runs or when it was cut off.
    pub exit_code: Option<u8>,
    /// What went wrong, in a sentence.
    pub error: Option<String>,
}

impl LoopResult {
    /// What the store knows of a loop.
    pub fn of(store: &Store, record: &LoopRecord) -> Result<Self, StoreError> {
        let ending = record.ending.as_ref();
        Ok(Self {
            schema: SCHEMA,
            id: record.id.to_string(),
            name: record.name.clone(),
            kind: record.kind.clone(),
            directory: record.directory.display().to_string(),
            // That of a merge goes with it.
            worktree: record
                .worktree
                .as_ref()
                .filter(|_| record.kind != "merge")
                .map(|tree| tree.display().to_string()),
            agent: record.agent.clone(),
            ending: ending_of(record),
            success: ending.is_some_and(Ending::is_success),
            verified: record.verified,
            iterations: record.iteration,
            sessions: record.sessions,
            findings: store.finding_counts(&record.id)?,
            fixes: record.fixes,
            tasks_completed: record.tasks_completed,
            files_modified: record.files_modified,
            usage: record.usage,
            completion_text: record.completion_text.clone(),
            final_text: store.last_session(&record.id)?.map(|last| last.text).unwrap_or_default(),
            final_status: record.final_status.clone(),
            rate_limit_hit: store.met_limit(&record.id)?,
            task_list: record.task_list.clone(),
            duration_ms: record.active_ms,
            exit_code: ending.map(Ending::exit_code),
            error: ending.and_then(error_of),
        })
    }
}

/// The ending as it is shown; a loop without one runs, or was cut off.
fn ending_of(record: &LoopRecord) -> serde_json::Value {
    match &record.ending {
        Some(ending) => serde_json::to_value(ending).expect("an ending is plain data"),
        None if record.owner.is_alive() => json!({ "type": "running" }),
        None => json!({ "type": "interrupted" }),
    }
}

fn error_of(ending: &Ending) -> Option<String> {
    match ending {
        Ending::Rule { rule, reason } => Some(format!("the rule {rule} tripped: {reason}")),
        Ending::AgentFailed { reason } => Some(reason.clone()),
        Ending::Budget { reason, .. } => Some(reason.clone()),
        Ending::Limited { agent, until } => Some(match until {
            Some(until) => format!("the limit of {agent} is used up until {until}"),
            None => format!("the limit of {agent} is used up"),
        }),
        Ending::Error { message, .. } => Some(message.clone()),
        Ending::TestsFailed { reason, .. } => Some(reason.clone()),
        Ending::Escalated { .. } => Some("no approval that stood".to_owned()),
        Ending::Done { .. }
        | Ending::Approved { .. }
        | Ending::Clean { .. }
        | Ending::MaxIterations { .. }
        | Ending::FindingsLeft { .. }
        | Ending::Stalled { .. }
        | Ending::Cancelled { .. } => None,
    }
}
