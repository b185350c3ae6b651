//! The task file over a loop's life: what moved in it, what of that is in doubt, and what it claims.
//!
//! It acts only through the steps of its run, and what cannot be understood never counts as done.

use std::collections::HashSet;

use windlass_core::{
    ending::ClaimedBy,
    event::{EventKind, TasksMoved},
    evidence::TaskMark,
    ids::Place,
    step::SessionReport,
    task_file::{Format, Moves, Task, TaskList, without_mark},
};

use super::{Options, blocked::Blocked};
use crate::{
    halt::Halt,
    identity::LoopIdentity,
    run::{Run, Seen},
};

/// How many names of tasks an event carries.
const MOST_NAMES: usize = 50;
/// How many of the open tasks it names.
const MOST_LEFT: usize = 10;

/// A task file and what is known of it.
pub(super) struct Book<'a> {
    run: &'a Run<'a>,
    path: &'a str,
    text: String,
    /// What snapshots call it.
    in_tree: Option<String>,
    /// The tasks as they were when they could last be understood.
    list: TaskList,
    /// Why they cannot be understood now.
    problem: Option<String>,
    /// The tasks that were done before the loop.
    done_before: HashSet<String>,
    /// Tasks that were ticked while nothing else changed, or are gone: a check or a claim of
    /// another session must confirm them.
    doubted: Vec<String>,
    /// Whether the last session gave rise to that doubt.
    is_doubt_new: bool,
    /// What the agent says to be missing for tasks that it cannot go on with.
    blocked: Blocked,
}

impl<'a> Book<'a> {
    /// Reads the file for the first time.
    pub(super) async fn open(run: &'a Run<'a>, path: &'a str) -> Result<Self, Halt> {
        let (text, in_tree) = run.read(Place::new(0, "tasks"), path).await?;
        let list = Format::of(path.as_ref(), &text).read(&text).map_err(|error| Halt::Failed {
            message: format!("the task file `{path}` cannot be used: {error}"),
            code: 2,
        })?;
        let done = list.tasks.iter().filter(|task| task.done);
        let done_before = done.map(|task| task.key.clone()).collect();
        let book = Self {
            run,
            path,
            text,
            in_tree,
            list,
            problem: None,
            done_before,
            doubted: Vec::new(),
            is_doubt_new: false,
            blocked: Blocked::default(),
        };
        book.tell(0, &Moves::default());
        if let Some(text) = book.list.half_done() {
            run.note(0, EventKind::Noted { text });
        }
        Ok(book)
    }

    /// Whether no task is open.
    pub(super) fn is_worked_off(&self) -> bool {
        self.problem.is_none() && self.list.open() == 0
    }

    /// How many tasks are done.
    pub(super) fn done(&self) -> u32 {
        self.list.done()
    }

    /// Reads the file again before an iteration: people may have changed it.
    pub(super) async fn read_before(&mut self, iteration: u32) -> Result<(), Halt> {
        self.read(iteration, "tasks/before").await.map(drop)
    }

    /// Reads the file again after a session that left `seen`; says how the tasks stand.
    pub(super) async fn read_after(
        &mut self,
        iteration: u32,
        seen: &Seen,
    ) -> Result<TaskMark, Halt> {
        let before = self.text.clone();
        let moves = self.read(iteration, "tasks/after").await?;
        let only_file = before != self.text && self.nothing_else_changed(seen);
        let unworked: &[String] = if only_file { &moves.completed } else { &[] };
        self.is_doubt_new = !unworked.is_empty() || !moves.removed.is_empty();
        if self.is_doubt_new {
            self.doubted = [unworked, &moves.removed].concat();
        } else if !moves.completed.is_empty() {
            self.doubted.clear();
        }
        self.note(iteration, "marked as done while nothing but the task file changed", unworked);
        self.note(iteration, "taken out of the task file while open", &moves.removed);
        let unworked = u32::try_from(unworked.len()).unwrap_or(u32::MAX);
        Ok(TaskMark { open: self.list.open(), done: self.list.done(), unworked, only_file })
    }

    async fn read(&mut self, iteration: u32, when: &str) -> Result<Moves, Halt> {
        let (text, in_tree) = self.run.read(Place::new(iteration, when), self.path).await?;
        self.in_tree = in_tree.or(self.in_tree.take());
        let moves = match self.list.format.read(&text) {
            Ok(list) => {
                let moves = Moves::between(&self.list, &list);
                self.list = list;
                self.problem = None;
                if !moves.is_empty() {
                    self.tell(iteration, &moves);
                }
                moves
            }
            Err(error) => {
                let problem = error.to_string();
                if self.problem.as_ref() != Some(&problem) {
                    let text = format!("the task file `{}` cannot be used: {problem}", self.path);
                    self.run.note(iteration, EventKind::Noted { text });
                }
                self.problem = Some(problem);
                Moves::default()
            }
        };
        self.text = text;
        Ok(moves)
    }

    /// Outside a repository nobody knows, and then nothing is held against the agent.
    fn nothing_else_changed(&self, seen: &Seen) -> bool {
        let are_all_named = usize::try_from(seen.changed) == Ok(seen.paths.len());
        let is_file = |path: &String| self.in_tree.as_ref() == Some(path);
        seen.snapshot.is_some() && are_all_named && seen.paths.iter().all(is_file)
    }

    /// What the agent is asked.
    pub(super) fn prompt(&self, options: &Options, named: &LoopIdentity) -> Result<String, Halt> {
        let mut prompt =
            options.prompt(without_mark(&self.text), self.list.format, self.list.open());
        if let Some(problem) = &self.problem {
            prompt.push_str(&format!(
                "\n\nBefore anything else: `{}` cannot be used as a task file any more, for \
                 {problem}. Put it right, with all its tasks.",
                self.path
            ));
        }
        prompt.push_str(&self.blocked.told(&self.list));
        match named.prompt_limit.filter(|limit| prompt.len() > *limit) {
            None => Ok(prompt),
            Some(limit) => Err(Halt::Failed {
                message: format!(
                    "the prompt with `{}` in it has {} bytes by now, and the agent takes {limit} \
                     at the most this way",
                    self.path,
                    prompt.len()
                ),
                code: 2,
            }),
        }
    }

    /// Takes in that the agent reports being blocked; gives the task that this counts for, where there
    /// are others that can go on. What was reported before the loop was resumed is open again.
    pub(super) fn block(&mut self, iteration: u32, session: &SessionReport) -> Option<String> {
        let words = session.claim.blocked.as_ref().filter(|_| !self.run.is_past(iteration))?;
        let task = self.blocked.add(&self.list, words)?;
        (!self.blocked.is_everything(&self.list)).then_some(task)
    }

    /// What claims after a session: its own words, or that no task is open. A session that failed
    /// leaves that to the checks, or to the next one.
    pub(super) fn claim(&self, session: &SessionReport, has_checks: bool) -> Option<ClaimedBy> {
        if session.claim.blocked.is_some() {
            return None;
        }
        let counts = has_checks || session.outcome.is_finished();
        let by_tasks = (self.is_worked_off() && counts).then_some(ClaimedBy::Tasks);
        // A clean exit says nothing about the tasks that are open.
        let is_said = |by: &ClaimedBy| *by != ClaimedBy::Exit || self.is_worked_off();
        let by_words = session.claim.by.filter(is_said);
        by_words.or(by_tasks)
    }

    /// What speaks against the claim, before any check runs.
    pub(super) fn objections(&self, by: ClaimedBy, has_checks: bool) -> Vec<String> {
        if let Some(problem) = &self.problem {
            return vec![format!("the task file `{}` cannot be used: {problem}", self.path)];
        }
        let open: Vec<String> = self.open_tasks().map(|task| task.name.clone()).collect();
        if !open.is_empty() {
            return vec![format!(
                "{} still open in `{}`: {}; do them, mark each as done in the file, and claim only \
                 when none is open",
                if open.len() == 1 { "a task is" } else { "tasks are" },
                self.path,
                listed(&open)
            )];
        }
        let is_confirmed = by != ClaimedBy::Tasks && !self.is_doubt_new;
        if self.doubted.is_empty() || has_checks || is_confirmed {
            return Vec::new();
        }
        vec![format!(
            "no check can prove it, and these tasks were marked as done or taken out of `{}` \
             without any other work: {}; look whether they are really done, and claim it in a \
             session of its own, or do them",
            self.path,
            listed(&self.doubted)
        )]
    }

    /// The tasks that are open, but for those that do not block.
    fn open_tasks(&self) -> impl Iterator<Item = &Task> {
        self.list.blocking().filter(|task| !task.done)
    }

    /// Reports tasks that people should know of.
    fn note(&self, iteration: u32, what: &str, names: &[String]) {
        if !names.is_empty() {
            let text = format!("{what}: {}", listed(names));
            self.run.note(iteration, EventKind::Noted { text });
        }
    }

    /// Takes down what became of the tasks, and how they stand.
    fn tell(&self, iteration: u32, moves: &Moves) {
        let some = |names: &[String]| names.iter().take(MOST_NAMES).cloned().collect();
        let is_new = |task: &&Task| task.done && !self.done_before.contains(&task.key);
        let completed = self.list.tasks.iter().filter(is_new).count();
        let left = self.open_tasks().take(MOST_LEFT);
        let fact = TasksMoved {
            iteration,
            completed: some(&moves.completed),
            reopened: some(&moves.reopened),
            added: some(&moves.added),
            removed: some(&moves.removed),
            open: self.list.open(),
            done: self.list.done(),
            completed_so_far: u32::try_from(completed).unwrap_or(u32::MAX),
            left: left.map(|task| task.name.clone()).collect(),
        };
        self.run.note(iteration, EventKind::TasksMoved(fact));
    }
}

/// Names in one line; of many only the first.
fn listed(names: &[String]) -> String {
    let mut shown =
        names.iter().take(MOST_LEFT).map(|name| format!("`{name}`")).collect::<Vec<_>>();
    if names.len() > MOST_LEFT {
        shown.push(format!("and {} more", names.len() - MOST_LEFT));
    }
    shown.join(", ")
}
