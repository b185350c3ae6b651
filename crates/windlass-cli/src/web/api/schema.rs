//! What the answers of the API look like, for its description. A test holds real answers to it.

mod proof;
mod untrusted;

use serde::Serialize;
use utoipa::ToSchema;

use self::proof::{Proof, TestCounts};
pub(crate) use self::untrusted::Conflict;

/// One loop in short, as `list --json` has it.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Brief {
    /// Its id.
    id: String,
    /// The name that people type.
    name: String,
    /// `iterate`, `tasks`, `develop`, `heal` or `pr`.
    kind: String,
    /// Where it was started.
    directory: String,
    /// The agent's name.
    agent: String,
    /// What it is for, in a line.
    task: Option<String>,
    ending: Ending,
    /// Whether a check proved it.
    verified: bool,
    /// How many iterations were begun.
    iterations: u32,
    /// The allowed iterations; 0 for no limit.
    max_iterations: u32,
    /// What it does right now.
    phase: String,
    sessions: u32,
    /// How many files differ from the loop's start.
    files_modified: u32,
    tasks: Option<TaskCounts>,
    usage: Usage,
    /// `closed`, `half_open` or `open`.
    circuit: String,
    circuit_reason: Option<String>,
    started_at: String,
    /// Nothing while it runs or was cut off.
    ended_at: Option<String>,
    updated_at: String,
    duration_ms: u64,
}

/// Why a loop ended; or `running` or `interrupted`.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ending {
    /// Such as `done`, `max_iterations`, `rule`, `cancelled`, `running`.
    r#type: String,
}

/// How many tasks of a task file there are.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TaskCounts {
    open: u32,
    done: u32,
}

/// Tokens and money.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Usage {
    input_tokens: u64,
    output_tokens: u64,
    cost_usd: Option<f64>,
}

/// What a loop did, as `show LOOP --json` has it, a page of iterations at a time.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shown {
    result: LoopResult,
    iterations: Vec<Iteration>,
    sessions: Vec<Session>,
    tasks: Vec<Task>,
    /// What to ask for next with `?after=`; nothing on the last page.
    next_after: Option<u32>,
}

/// A page of iterations and their sessions.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Iterations {
    iterations: Vec<Iteration>,
    sessions: Vec<Session>,
    /// What to ask for next with `?after=`; nothing on the last page.
    next_after: Option<u32>,
}

/// The result object, as `--json` prints it.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LoopResult {
    schema: u32,
    id: String,
    name: String,
    kind: String,
    directory: String,
    worktree: Option<String>,
    agent: String,
    ending: Ending,
    success: bool,
    verified: bool,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    doubts: Vec<String>,
    /// The evidence for and against the last claim; nothing before one.
    proof: Option<Proof>,
    loop_mode: bool,
    task: Option<String>,
    iterations: u32,
    sessions: u32,
    findings: Counts,
    fixes: u32,
    tasks_completed: u32,
    files_modified: u32,
    usage: Usage,
    posted: Option<PostedReview>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    left_behind: Vec<LeftBehind>,
    completion_text: Option<String>,
    final_text: String,
    #[schema(value_type = Option<Object>)]
    final_status: Option<()>,
    rate_limit_hit: bool,
    task_list: Option<String>,
    duration_ms: u64,
    exit_code: Option<u8>,
    error: Option<String>,
}

/// A review that was posted.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PostedReview {
    /// `APPROVE`, `COMMENT` or `REQUEST_CHANGES`.
    event: String,
    /// The commit that was audited.
    commit: String,
    url: String,
    /// Why it is no approval.
    why: Option<String>,
}

/// Something that a session left behind in the repository, and what it could do.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LeftBehind {
    /// `config`, `hook`, `ref`, …
    what: String,
    path: String,
    could: String,
}

/// How many findings there are.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Counts {
    total: u32,
    open: u32,
    fixed: u32,
    skipped: u32,
}

/// One iteration.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Iteration {
    number: u32,
    tree: Option<String>,
    head: Option<String>,
    /// `none`, `rejected` or `accepted`; nothing while it runs.
    claim: Option<String>,
    rejected_because: Vec<String>,
    files_changed: u32,
    /// The checks that ran in it, but for those on the original tests.
    checks: Vec<Check>,
    /// The checks that ran on the original tests.
    originals: Vec<Check>,
    started_at: String,
    duration_ms: Option<u64>,
    exit_code: Option<i32>,
    preview: String,
}

/// One run of a check.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Check {
    command: String,
    passed: Option<bool>,
    exit_code: Option<i32>,
    duration_ms: Option<u64>,
    output_hash: Option<String>,
    /// The end of its output.
    tail: String,
    tree: Option<String>,
    /// The tests that it ran, where its output could be read.
    tests: Option<TestCounts>,
    /// `originals`, or `originals_alone` where new tests were set aside, too; nothing for a claim's.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    part: Option<String>,
    started_at: String,
}

/// One session of an agent.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Session {
    id: i64,
    iteration: u32,
    task: Option<String>,
    place: String,
    role: String,
    agent: String,
    model: Option<String>,
    prompt: String,
    lesson: Option<String>,
    status: String,
    #[schema(value_type = Option<Object>)]
    outcome: Option<()>,
    problem: Option<String>,
    text: String,
    tools: u32,
    denied: u32,
    session_id: Option<String>,
    usage: Usage,
    exit_code: Option<i32>,
    started_at: String,
    duration_ms: Option<u64>,
}

/// One task of a task file.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Task {
    task: String,
    status: String,
    attempts: u32,
}

/// One event, as `log --json` prints it. What else it has depends on its type; docs/events.md has
/// them all.
#[derive(Serialize, ToSchema)]
pub(crate) struct Event {
    /// Its number in its loop, from 1, without gaps.
    seq: u64,
    at: String,
    r#loop: String,
    r#type: String,
}

/// A page of events, oldest first.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Messages {
    messages: Vec<Event>,
    /// What to ask for next with `?before=`; nothing where these are the first.
    next_before: Option<u64>,
}

/// What reviews found, and what became of it.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Findings {
    counts: Counts,
    /// How many findings each review had.
    trajectory: Vec<u32>,
    findings: Vec<Entry>,
}

/// A finding that keeps its number over all iterations.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    number: u32,
    /// `open`, `fixed` or `skipped`.
    status: String,
    /// `new`, `open` or `back`, in the last review that has it.
    standing: String,
    first_iteration: u32,
    last_iteration: u32,
    times_back: u32,
    reason: Option<String>,
    finding: Finding,
}

/// What a reviewer wants changed. It may say more of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Finding {
    severity: String,
    file: Option<String>,
    line: Option<u32>,
    end_line: Option<u32>,
    title: String,
    description: String,
    suggestion: Option<String>,
}

/// A unified diff.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Diff {
    /// The iteration; nothing where it is the whole loop.
    iteration: Option<u32>,
    diff: String,
    /// Whether its end is left out, for it is longer than 4 MiB.
    truncated: bool,
}

/// Where loops may be started from the web.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Directories {
    directories: Vec<String>,
    kinds: Vec<String>,
}

/// A loop to be started.
#[derive(Serialize, ToSchema)]
pub(crate) struct Start {
    /// `iterate`, `tasks`, `develop`, `heal` or `pr`.
    kind: String,
    /// One of the directories that the server was started with.
    directory: String,
    /// Named like the flags of the loop's command, with `-` or `_`: texts, numbers, switches, lists.
    #[schema(value_type = Option<Object>)]
    options: Option<()>,
}

/// How a loop is cancelled.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cancel {
    /// Let the iteration that is under way come to its end first.
    after_iteration: Option<bool>,
}

/// How a loop's work is accepted.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Accept {
    /// Accept the files as they are now, also where they changed since the claim.
    this_tree: Option<bool>,
}

/// How a loop is resumed: everything is as it was unless it is given here.
#[derive(Serialize, ToSchema)]
pub(crate) struct Resume {
    /// How many iterations are allowed, in all.
    max_iterations: Option<u32>,
    /// The budget in dollars.
    max_cost: Option<f64>,
    /// The budget in tokens.
    max_tokens: Option<u64>,
    /// The time limit, such as `8h`.
    max_duration: Option<String>,
    /// Another agent.
    agent: Option<String>,
    /// Another prompt.
    prompt: Option<String>,
    /// Clear the rule that stopped the loop, and reset all counts.
    reset_circuit: Option<bool>,
    /// These and all others, named like the flags of `windlass resume`, with `-` or `_`.
    #[schema(value_type = Option<Object>)]
    options: Option<()>,
}

/// It is under way, and nothing more can be said yet.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnderWay {
    message: String,
}

/// Why a request was not done.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Problem {
    error: Words,
}

/// Why, in plain words.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    message: String,
    /// What to do next.
    hint: Option<String>,
    /// The exit code of the process that could not do it.
    exit_code: Option<u8>,
}
