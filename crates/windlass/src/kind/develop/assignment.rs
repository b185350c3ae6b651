//! What is to be developed: one task of the user's, or those of a file, one after the other. A task
//! of a file is done when it was approved, whoever else marks it.

use std::collections::HashSet;

use windlass_core::{
    event::{EventKind, TasksMoved},
    evidence::TaskMark,
    ids::Place,
    task_file::{Format, Moves, TaskList},
};

use super::Options;
use crate::{halt::Halt, run::Run};

/// How much of a task without a name stands for it.
const LONGEST_LABEL: usize = 200;

/// How many of the open tasks an event names.
const MOST_LEFT: usize = 10;

/// What is to be developed.
pub(super) struct Assignment<'a> {
    run: &'a Run<'a>,
    task: Option<Task>,
    file: Option<File<'a>>,
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// What it is called; `None` for the one task of a loop without a file.
    pub(super) name: Option<String>,
    /// What is to be done.
    pub(super) text: String,
    key: String,
}

impl Task {
    /// Whether it is the same task, whatever has become of its words.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Task {
    /// What it is called in a line: its name, or the beginning of what is to be done.
    pub(super) fn label(&self) -> String {
        match &self.name {
            Some(name) => name.clone(),
            None => {
                self.text.lines().next().unwrap_or_default().chars().take(LONGEST_LABEL).collect()
            }
        }
    }
}

struct File<'a> {
    path: &'a str,
    list: TaskList,
    done_before: u32,
    /// The tasks that were approved, by their keys.
    approved: HashSet<String>,
}

impl<'a> Assignment<'a> {
    /// Reads what is to be done.
    pub(super) async fn open(run: &'a Run<'a>, options: &'a Options) -> Result<Self, Halt> {
        let Some(path) = options.tasks.as_deref() else {
            let text = options.task.trim().to_owned();
            let task = Task { name: None, text, key: String::new() };
            return Ok(Self { run, task: Some(task), file: None });
        };
        let (text, _) = run.read(Place::new(0, "tasks"), path).await?;
        let list = Format::of(path.as_ref(), &text).read(&text).map_err(|error| Halt::Failed {
            message: format!("the task file `{path}` cannot be used: {error}"),
            code: 2,
        })?;
        let done_before = list.done();
        let file = File { path, list, done_before, approved: HashSet::new() };
        let half_done = file.list.half_done();
        let assignment = Self { run, task: None, file: Some(file) };
        assignment.tell(0, &Moves::default());
        if let Some(text) = half_done {
            run.note(0, EventKind::Noted { text });
        }
        Ok(assignment)
    }

    /// The tasks that can be worked on, in their order.
    pub(super) fn ready(&self) -> Vec<Task> {
        let Some(file) = &self.file else { return self.task.clone().into_iter().collect() };
        let told = |task: &windlass_core::task_file::Task| {
            let text = format!(
                "{}\n\n(This is one task of `{}`. Do this one only, and leave the file \
                                as it is: windlass marks the task as done.)",
                task.text, file.path
            );
            Task { name: Some(task.name.clone()), text, key: task.key.clone() }
        };
        file.list.ready().map(told).collect()
    }

    /// Reads the file again: people may have changed it.
    pub(super) async fn read_before(&mut self, iteration: u32) -> Result<(), Halt> {
        self.read(iteration, "tasks/before").await
    }

    /// Marks a task as done that was approved.
    pub(super) async fn tick(&mut self, iteration: u32, task: &Task) -> Result<(), Halt> {
        // A file that cannot be used is put right by people first, and the tick is not lost.
        self.read(iteration, "tasks/reviewed").await?;
        let Some(file) = &mut self.file else {
            self.task = None;
            return Ok(());
        };
        file.approved.insert(task.key.clone());
        let place = Place::new(iteration, "tick");
        let found = self.run.tick(place, file.path, &task.key).await?;
        if !found {
            let name = task.name.as_deref().unwrap_or_default();
            let text = format!("the task \"{name}\" is done or gone in `{}` already", file.path);
            self.run.note(iteration, EventKind::Noted { text });
        }
        self.read(iteration, "tasks/after").await
    }

    /// How the tasks stand.
    pub(super) fn mark(&self) -> Option<TaskMark> {
        let list = &self.file.as_ref()?.list;
        Some(TaskMark { open: list.open(), done: list.done(), ..TaskMark::default() })
    }

    async fn read(&mut self, iteration: u32, when: &str) -> Result<(), Halt> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let mut list = file.read(self.run, Place::new(iteration, when)).await?;
        for name in file.correct(&mut list) {
            let text = format!(
                "`{name}` was marked as done in `{}`, but not by windlass: it is developed and \
                 reviewed all the same",
                file.path
            );
            self.run.note(iteration, EventKind::Noted { text });
        }
        let moves = Moves::between(&file.list, &list);
        file.list = list;
        if !moves.is_empty() {
            self.tell(iteration, &moves);
        }
        Ok(())
    }

    fn tell(&self, iteration: u32, moves: &Moves) {
        let Some(file) = &self.file else { return };
        let open = file.list.blocking().filter(|task| !task.done);
        let moved = TasksMoved {
            iteration,
            completed: moves.completed.clone(),
            reopened: moves.reopened.clone(),
            added: moves.added.clone(),
            removed: moves.removed.clone(),
            open: file.list.open(),
            done: file.list.done(),
            completed_so_far: file.list.done().saturating_sub(file.done_before),
            left: open.take(MOST_LEFT).map(|task| task.name.clone()).collect(),
        };
        self.run.note(iteration, EventKind::TasksMoved(moved));
    }
}

impl File<'_> {
    /// Reads the file. Where it could not be used when an earlier owner read it, somebody may have
    /// put it right since, and so it is read once more.
    async fn read(&self, run: &Run<'_>, mut place: Place) -> Result<TaskList, Halt> {
        loop {
            let was_read = run.is_done(&place);
            let (text, _) = run.read(place.clone(), self.path).await?;
            match self.list.format.read(&text) {
                Ok(list) => return Ok(list),
                Err(_) if was_read => place = place.inner("again"),
                Err(error) => {
                    let path = self.path;
                    let message =
                        format!("the task file `{path}` cannot be used any more: {error}");
                    return Err(Halt::Failed { message, code: 4 });
                }
            }
        }
    }

    /// Puts right what the file says of tasks: what was approved is not given out again, and what
    /// was open is not done before it was approved. Gives the names of those that somebody else
    /// has marked.
    fn correct(&self, list: &mut TaskList) -> Vec<String> {
        // A task with open ones below it may be marked already, and is done when they are.
        let was_open = |key: &String| {
            let mut known = self.list.tasks.iter();
            known.any(|task| task.key == *key && !task.done && !task.waits && !task.optional)
        };
        let mut marked = Vec::new();
        for task in &mut list.tasks {
            if self.approved.contains(&task.key) {
                task.done = true;
            } else if task.done && was_open(&task.key) {
                task.done = false;
                marked.push(task.name.clone());
            }
        }
        marked
    }
}
