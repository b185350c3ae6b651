//! The result object of a loop, from what the store knows of it.

use std::path::Path;

use serde_json::json;
use windlass_core::{
    ending::Ending,
    result::{LoopResult, SCHEMA},
};

use windlass_system::clock::now;

use super::{LoopRecord, Store, StoreError};

impl Store {
    /// What the store knows of a loop.
    pub fn result(&self, record: &LoopRecord) -> Result<LoopResult, StoreError> {
        let ending = record.ending.as_ref();
        let runs = ending.is_none() && record.owner.is_alive();
        Ok(LoopResult {
            schema: SCHEMA,
            id: record.id.to_string(),
            name: record.name.clone(),
            kind: record.kind.clone(),
            directory: record.directory.display().to_string(),
            worktree: record
                .worktree
                .as_ref()
                .filter(|path| !goes_with_its_loop(record, path))
                .map(|tree| tree.display().to_string()),
            agent: record.agent.clone(),
            ending: ending_of(record),
            success: ending.is_some_and(Ending::is_success),
            verified: record.verified,
            doubts: self.doubts(&record.id)?,
            proof: self.proof(&record.id)?,
            iterations: record.iteration,
            loop_mode: record.is_looped(),
            task: record.task.clone(),
            sessions: record.sessions,
            findings: self.finding_counts(&record.id)?,
            fixes: record.fixes,
            tasks_completed: record.tasks_completed,
            files_modified: record.files_modified,
            usage: record.usage,
            posted: self.posted(&record.id)?,
            left_behind: self.left_behind(&record.id)?.listed(),
            completion_text: record.completion_text.clone(),
            final_text: self.last_session(&record.id)?.map(|last| last.text).unwrap_or_default(),
            final_status: record.final_status.clone(),
            rate_limit_hit: self.met_limit(&record.id)?,
            task_list: record.task_list.clone(),
            duration_ms: record.ran_ms(runs.then(now)),
            exit_code: ending.map(Ending::exit_code),
            error: ending.and_then(Ending::error),
        })
    }
}

/// Whether a worktree is there only while its loop runs: that of a merge, or one in which the head of
/// a pull request is audited.
fn goes_with_its_loop(record: &LoopRecord, worktree: &Path) -> bool {
    record.kind == "merge" || (record.kind == "pr" && worktree.iter().any(|part| part == "heads"))
}

/// The ending as it is shown; a loop without one runs, or was cut off.
fn ending_of(record: &LoopRecord) -> serde_json::Value {
    match &record.ending {
        Some(ending) => serde_json::to_value(ending).expect("an ending is plain data"),
        None if record.owner.is_alive() => json!({ "type": "running" }),
        None => json!({ "type": "interrupted" }),
    }
}
