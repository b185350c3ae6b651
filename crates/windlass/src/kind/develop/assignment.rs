//! What is to be developed: one task of the user's, or those of a file, one after the other.

use super::Options;
use crate::{
    event::{EventKind, TasksMoved},
    evidence::TaskMark,
    halt::Halt,
    ids::Place,
    run::Run,
    task_file::{Format, Moves, TaskList},
};

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

struct File<'a> {
    path: &'a str,
    list: TaskList,
    done_before: u32,
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
        let assignment = Self { run, task: None, file: Some(File { path, list, done_before }) };
        assignment.tell(0, &Moves::default());
        Ok(assignment)
    }

    /// The task whose turn it is; `None` where all is done.
    pub(super) fn next(&self) -> Option<Task> {
        let Some(file) = &self.file else { return self.task.clone() };
        let task = file.list.next()?;
        let text = format!(
            "{}\n\n(This is one task of `{}`. Do this one only, and leave the file \
                            as it is: windlass marks the task as done.)",
            task.text, file.path
        );
        Some(Task { name: Some(task.name.clone()), text, key: task.key.clone() })
    }

    /// Reads the file again: people may have changed it.
    pub(super) async fn read_before(&mut self, iteration: u32) -> Result<(), Halt> {
        self.read(iteration, "tasks/before").await
    }

    /// Marks a task as done that was approved.
    pub(super) async fn tick(&mut self, iteration: u32, task: &Task) -> Result<(), Halt> {
        let Some(file) = &self.file else {
            self.task = None;
            return Ok(());
        };
        let place = Place::new(iteration, "tick");
        let found = self.run.tick(place, file.path, &task.key).await?;
        if !found {
            let name = task.name.as_deref().unwrap_or_default();
            let text = format!("the task \"{name}\" is done or gone in `{}` already", file.path);
            self.run.note(iteration, EventKind::Noted { text });
        }
        self.read(iteration, "tasks/after").await?;
        // Whatever the file says by now, what was approved is not given out again.
        if let Some(file) = &mut self.file {
            let same = file.list.tasks.iter_mut().filter(|found| found.key == task.key);
            same.for_each(|found| found.done = true);
        }
        Ok(())
    }

    /// How the tasks stand.
    pub(super) fn mark(&self) -> Option<TaskMark> {
        let list = &self.file.as_ref()?.list;
        Some(TaskMark { open: list.open(), done: list.done(), ..TaskMark::default() })
    }

    async fn read(&mut self, iteration: u32, when: &str) -> Result<(), Halt> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let (text, _) = self.run.read(Place::new(iteration, when), file.path).await?;
        let list = file.list.format.read(&text).map_err(|error| Halt::Failed {
            message: format!("the task file `{}` cannot be used any more: {error}", file.path),
            code: 4,
        })?;
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
