//! Rows of the store as values: what `status`, `list`, `show` and the screens read.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use windlass_core::{
    ending::Ending, ids::LoopId, outcome::Outcome, said::Usage, status::StatusBlock, step::WaitFor,
    test_counts::TestCounts, time::Timestamp,
};
use windlass_system::ownership::Owner;

/// What a loop waits for, and until when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Until when.
    pub until: Timestamp,
    /// What kind of wait it is.
    pub what: WaitFor,
    /// What for, in words for people.
    pub reason: String,
}

/// Which sessions count as calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// All.
    All,
    /// Those of agents that ask a provider.
    Paid,
}

/// A loop to be created.
#[derive(Clone, Debug)]
pub struct NewLoop {
    /// Its id.
    pub id: LoopId,
    /// The name that people type; unique in the store.
    pub name: String,
    /// The loop kind.
    pub kind: String,
    /// Where the user started it.
    pub directory: PathBuf,
    /// Where the agent works when that is a worktree of the loop's own.
    pub worktree: Option<PathBuf>,
    /// The agent's name.
    pub agent: String,
    /// The options, frozen.
    pub options: serde_json::Value,
    /// Who runs it.
    pub owner: Owner,
}

/// One loop, as its events have made it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LoopRecord {
    /// Its id.
    pub id: LoopId,
    /// The name that people type.
    pub name: String,
    /// The loop kind.
    pub kind: String,
    /// Where the user started it.
    pub directory: PathBuf,
    /// Where the agent works when that is a worktree of the loop's own.
    pub worktree: Option<PathBuf>,
    /// The agent's name.
    pub agent: String,
    /// What it is for, in a line: that of its prompt, its task file or its pull request.
    pub task: Option<String>,
    /// The options, frozen; null in the records of [`crate::store::Store::loops`].
    pub options: serde_json::Value,
    /// The owner's epoch: one more with each resume.
    pub epoch: u64,
    /// Who runs it, or ran it last.
    pub owner: Owner,
    /// The iteration that it is in, or was in last; 0 before the first.
    pub iteration: u32,
    /// The allowed iterations; 0 for no limit.
    pub max_iterations: u32,
    /// What it does right now, in words for people: `agent running`, `check cargo test`, `waits`.
    pub phase: String,
    /// What it waits for right now, and until when.
    pub waiting: Option<Waiting>,
    /// How many sessions were started.
    pub sessions: u32,
    /// Tokens and money so far.
    pub usage: Usage,
    /// How many files differ from the loop's start.
    pub files_modified: u32,
    /// `closed`, `half_open` or `open`.
    pub circuit: String,
    /// The words of the last rule that warned or tripped.
    pub circuit_reason: Option<String>,
    /// How it ended; `None` while it runs or when it was cut off.
    pub ending: Option<Ending>,
    /// Whether an accepted claim was proven by at least one check.
    pub verified: bool,
    /// The words that made the accepted claim.
    pub completion_text: Option<String>,
    /// The last status block.
    pub final_status: Option<StatusBlock>,
    /// How many tasks were completed.
    pub tasks_completed: u32,
    /// How the tasks stand, in a loop with a task file.
    pub tasks: Option<TaskCounts>,
    /// How many fixes were applied, over all iterations.
    pub fixes: u32,
    /// How many findings each review had.
    pub trajectory: Vec<u32>,
    /// The file with what remains to be done, where one was written.
    pub task_list: Option<String>,
    /// The number of the last event.
    pub last_seq: u64,
    /// When it was started.
    pub started_at: Timestamp,
    /// When it ended; `None` while it runs or when it was cut off.
    pub ended_at: Option<Timestamp>,
    /// When its last event came.
    pub updated_at: Timestamp,
    /// How long it ran, over all its owners.
    pub active_ms: u64,
}

impl LoopRecord {
    /// How long it ran, over all its owners. While it runs, at `runs_at`, time goes on after its last
    /// event.
    pub fn ran_ms(&self, runs_at: Option<Timestamp>) -> u64 {
        let since = runs_at.map(|now| now.since(self.updated_at)).unwrap_or_default();
        self.active_ms.saturating_add(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    /// Whether it goes round until it is done, or is one pass.
    pub(super) fn is_looped(&self) -> bool {
        self.options["loop"].as_bool().unwrap_or(self.kind != "merge")
    }
}

/// How many tasks of a task file there are, of those that must be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TaskCounts {
    /// Those that are open.
    pub open: u32,
    /// Those that are done.
    pub done: u32,
}

/// One iteration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IterationRecord {
    /// Its number, from 1.
    pub number: u32,
    /// The tree that it left.
    pub tree: Option<String>,
    /// The commit that HEAD was at.
    pub head: Option<String>,
    /// `none`, `rejected`, `accepted` or `cut_off`; `None` while it runs.
    pub claim: Option<String>,
    /// Why the claim was rejected.
    pub rejected_because: Vec<String>,
    /// How many files it changed.
    pub files_changed: u32,
    /// The checks that ran in it, but for those on the original tests.
    pub checks: Vec<CheckRecord>,
    /// The checks that ran on the original tests.
    pub originals: Vec<CheckRecord>,
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took; `None` while it runs.
    pub duration_ms: Option<u64>,
    /// The exit code of its last session.
    pub exit_code: Option<i32>,
    /// The beginning of what its last session said at the end.
    pub preview: String,
}

/// One session.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SessionRecord {
    /// Its number in the store.
    pub id: i64,
    /// The iteration that it belongs to.
    pub iteration: u32,
    /// The task that it worked on, in loops that have tasks.
    pub task: Option<String>,
    /// Its place in the loop.
    pub place: String,
    /// Whose part the agent played.
    pub role: String,
    /// The agent's name.
    pub agent: String,
    /// The model, where it was told.
    pub model: Option<String>,
    /// The prompt, whole.
    pub prompt: String,
    /// What windlass added to the agent's system prompt.
    pub lesson: Option<String>,
    /// `running`, `finished`, `failed`, `cancelled` or `interrupted`.
    pub status: String,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// The error in one line.
    pub problem: Option<String>,
    /// What it said last.
    pub text: String,
    /// How many tools it used.
    pub tools: u32,
    /// How many tools were denied to it.
    pub denied: u32,
    /// The agent's own name for the session, where it told.
    pub session_id: Option<String>,
    /// Tokens and money.
    pub usage: Usage,
    /// The exit code.
    pub exit_code: Option<i32>,
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took; `None` while it runs.
    pub duration_ms: Option<u64>,
}

/// One task of a file whose tasks a loop gives out one at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskRecord {
    /// What it is called.
    pub task: String,
    /// `open`, `approved` or `escalated`.
    pub status: String,
    /// How many iterations it has had so far.
    pub attempts: u32,
}

/// One run of a check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckRecord {
    /// The iteration that it belongs to.
    #[serde(skip)]
    pub iteration: u32,
    /// The command.
    pub command: String,
    /// Whether it passed; `None` while it runs, or where it was cut off.
    pub passed: Option<bool>,
    /// Whether its loop stopped while it ran.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut_off: bool,
    /// The exit code.
    pub exit_code: Option<i32>,
    /// How long it took.
    pub duration_ms: Option<u64>,
    /// SHA-256 of its output.
    pub output_hash: Option<String>,
    /// The end of its output.
    pub tail: String,
    /// The tree that it ran on.
    pub tree: Option<String>,
    /// The tests that it ran, where its output could be read.
    pub tests: Option<TestCounts>,
    /// What it was run for, where that is not a claim: `baseline`, `originals`, or `originals_alone`
    /// where new tests were set aside, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// When it began.
    pub started_at: Timestamp,
}

/// One message of a session.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MessageRecord {
    /// The session.
    pub session: i64,
    /// Its number in the session, from 1.
    pub sequence: u64,
    /// `text`, `tool_use`, `tool_result`, `hook`, `usage`, `limit`, `problem`, `raw` or `stderr`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What a person would read.
    pub content: String,
    /// When it came.
    pub at: Timestamp,
}
