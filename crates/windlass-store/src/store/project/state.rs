//! The row of a loop while events are folded into it.

use rusqlite::{Connection, OptionalExtension, Result, Row, named_params, params};
use windlass_core::{
    event::{Event, Ran},
    ids::LoopId,
    said::Usage,
    time::Timestamp,
};

use crate::store::columns::{TimeColumn, from_int, from_json_or_null, int, json};

/// What events change in the row of a loop.
pub(super) struct LoopState {
    pub last_seq: u64,
    pub started_at: Timestamp,
    pub updated_at: Timestamp,
    pub ran: Ran,
    pub iteration: u32,
    pub max_iterations: u32,
    pub phase: String,
    pub sessions: u32,
    pub usage: Usage,
    pub files_modified: u32,
    pub circuit: String,
    pub circuit_reason: Option<String>,
    pub ending: Option<String>,
    pub ended_at: Option<Timestamp>,
    pub verified: bool,
    pub completion_text: Option<String>,
    pub final_status: Option<String>,
    pub tasks_completed: u32,
    pub waiting: Option<String>,
    pub tasks_open: Option<u32>,
    pub tasks_done: Option<u32>,
    pub fixes: u32,
    pub trajectory: Vec<u32>,
    pub task_list: Option<String>,
}

impl LoopState {
    /// Reads the row, if it is of that epoch.
    pub(super) fn load(connection: &Connection, id: &LoopId, epoch: u64) -> Result<Option<Self>> {
        connection
            .prepare_cached(
                "SELECT last_seq, started_at, updated_at, active_ms, iteration, max_iterations,
                        phase, sessions, input_tokens, output_tokens, cost_usd, files_modified,
                        circuit, circuit_reason, ending, verified, completion_text,
                        final_status, tasks_completed, tasks_open, tasks_done, waiting,
                        fixes, trajectory, task_list, ended_at
                 FROM loops WHERE id = ? AND epoch = ?",
            )?
            .query_row(params![id.as_str(), int(epoch)], |row| {
                Ok(Self {
                    last_seq: from_int(row, 0)?,
                    started_at: row.get::<_, TimeColumn>(1)?.0,
                    updated_at: row.get::<_, TimeColumn>(2)?.0,
                    ran: ran(row)?,
                    iteration: row.get(4)?,
                    max_iterations: row.get(5)?,
                    phase: row.get(6)?,
                    sessions: row.get(7)?,
                    usage: Usage {
                        input_tokens: from_int(row, 8)?,
                        output_tokens: from_int(row, 9)?,
                        cost_usd: row.get(10)?,
                    },
                    files_modified: row.get(11)?,
                    circuit: row.get(12)?,
                    circuit_reason: row.get(13)?,
                    ending: row.get(14)?,
                    verified: row.get(15)?,
                    completion_text: row.get(16)?,
                    final_status: row.get(17)?,
                    tasks_completed: row.get(18)?,
                    tasks_open: row.get(19)?,
                    tasks_done: row.get(20)?,
                    waiting: row.get(21)?,
                    fixes: row.get(22)?,
                    trajectory: from_json_or_null(row, 23)?.unwrap_or_default(),
                    task_list: row.get(24)?,
                    ended_at: row.get::<_, Option<TimeColumn>>(25)?.map(|TimeColumn(at)| at),
                })
            })
            .optional()
    }

    /// Writes the row, fenced by the epoch; says whether it was written.
    pub(super) fn save(self, connection: &Connection, id: &LoopId, epoch: u64) -> Result<bool> {
        let trajectory =
            if self.trajectory.is_empty() { None } else { Some(json(&self.trajectory)?) };
        let changed = connection
            .prepare_cached(
                "UPDATE loops SET last_seq = :last_seq, started_at = :started_at,
                     updated_at = :updated_at, active_ms = :active_ms, iteration = :iteration,
                     max_iterations = :max_iterations, phase = :phase, sessions = :sessions,
                     input_tokens = :input_tokens, output_tokens = :output_tokens,
                     cost_usd = :cost_usd, files_modified = :files_modified, circuit = :circuit,
                     circuit_reason = :circuit_reason, ending = :ending, verified = :verified,
                     completion_text = :completion_text, final_status = :final_status,
                     tasks_completed = :tasks_completed, tasks_open = :tasks_open,
                     tasks_done = :tasks_done, waiting = :waiting, fixes = :fixes,
                     trajectory = :trajectory, task_list = :task_list, ended_at = :ended_at
                 WHERE id = :id AND epoch = :epoch",
            )?
            .execute(named_params! {
                ":last_seq": int(self.last_seq),
                ":started_at": TimeColumn(self.started_at),
                ":updated_at": TimeColumn(self.updated_at),
                ":active_ms": int(self.ran.ms()),
                ":iteration": self.iteration,
                ":max_iterations": self.max_iterations,
                ":phase": self.phase,
                ":sessions": self.sessions,
                ":input_tokens": int(self.usage.input_tokens),
                ":output_tokens": int(self.usage.output_tokens),
                ":cost_usd": self.usage.cost_usd,
                ":files_modified": self.files_modified,
                ":circuit": self.circuit,
                ":circuit_reason": self.circuit_reason,
                ":ending": self.ending,
                ":verified": self.verified,
                ":completion_text": self.completion_text,
                ":final_status": self.final_status,
                ":tasks_completed": self.tasks_completed,
                ":waiting": self.waiting,
                ":tasks_open": self.tasks_open,
                ":tasks_done": self.tasks_done,
                ":fixes": self.fixes,
                ":trajectory": trajectory,
                ":task_list": self.task_list,
                ":ended_at": self.ended_at.map(TimeColumn),
                ":id": id.as_str(),
                ":epoch": int(epoch),
            })?;
        Ok(changed == 1)
    }

    /// Counts the time that the loop was run.
    pub(super) fn pass_time(&mut self, event: &Event) {
        self.ran.pass(event);
        self.updated_at = event.at;
    }

    /// Says that a rule has warned. The first to speak is the one that ties go to.
    pub(super) fn half_open_circuit(&mut self, reason: &str) {
        if self.circuit == "closed" {
            self.set_circuit("half_open", reason);
        }
    }

    /// Says that a rule has tripped. The first to speak is the one that ties go to.
    pub(super) fn open_circuit(&mut self, reason: &str) {
        if self.circuit != "open" {
            self.set_circuit("open", reason);
        }
    }

    /// Says that the loop ended, and not by a rule: a trip beside that is no more than a warning to
    /// whoever takes it up again.
    pub(super) fn ease_circuit(&mut self) {
        if self.circuit == "open" {
            "half_open".clone_into(&mut self.circuit);
        }
    }

    fn set_circuit(&mut self, circuit: &str, reason: &str) {
        circuit.clone_into(&mut self.circuit);
        self.circuit_reason = Some(reason.to_owned());
    }

    /// Says that the circuit is closed.
    pub(super) fn close_circuit(&mut self) {
        "closed".clone_into(&mut self.circuit);
        self.circuit_reason = None;
    }

    /// A warning holds for one iteration; a rule that still has something to say says it again.
    pub(super) fn calm_circuit(&mut self) {
        if self.circuit == "half_open" {
            self.close_circuit();
        }
    }
}

/// How long the loop was run, by its row.
fn ran(row: &Row<'_>) -> Result<Ran> {
    let (seq, ending): (u64, Option<String>) = (from_int(row, 0)?, row.get(14)?);
    let last = row.get::<_, TimeColumn>(2)?.0;
    Ok(Ran::so_far(from_int(row, 3)?, (seq > 0 && ending.is_none()).then_some(last)))
}
