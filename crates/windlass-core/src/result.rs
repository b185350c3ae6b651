//! The result object: what a loop came to, for `--json`, `-q`, `--format`, `show` and embedders.

use serde::Serialize;

use crate::{
    event::LeftBehind, findings::Counts, forge::PostedReview, proof_record::ProofRecord,
    said::Usage, status::StatusBlock,
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
    /// What is to be said about that proof all the same, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
    /// The evidence for and against the last claim; `None` before one.
    pub proof: Option<ProofRecord>,
    /// Whether it goes round until it is done; false for a single pass of `heal` or `pr`, and a merge.
    pub loop_mode: bool,
    /// What it is for, in a line: that of its prompt, its task file or its pull request.
    pub task: Option<String>,
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
    /// The review that was posted; `None` where none was.
    pub posted: Option<PostedReview>,
    /// What sessions left behind in the repository that could run code or hide work.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_behind: Vec<LeftBehind>,
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
