//! Task files: which tasks there are, and which of them are open. Reading is pure; whoever has the
//! text hands it in.
//!
//! Three formats are understood. A **check list** in Markdown has its tasks in lines such as
//! `- [ ] do this`; they may be nested, and what stands below a heading such as "Later" does not
//! block. A **`prd.json`** has them in `userStories`, done where `passes` is true. In **plain
//! text** every line is a task. What is in doubt is open: a loop must not end too early.

mod heading;
mod list;
mod moves;
mod plain;
mod prd;
mod reported;
mod tick;

pub use moves::Moves;

use std::{collections::HashMap, path::Path};

/// The largest task file that is read.
pub const LARGEST: u64 = 1 << 20;

/// How many characters of a task's name are shown.
const LONGEST_NAME: usize = 120;

/// How many tasks with other marks are named.
const MOST_HALF: usize = 10;

/// How a task file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A check list in Markdown.
    CheckList,
    /// A `prd.json`.
    Prd,
    /// Plain text, a task a line.
    Plain,
}

/// The tasks of a file, as they stand at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskList {
    /// How the file is written.
    pub format: Format,
    /// The tasks, in the order of the file.
    pub tasks: Vec<Task>,
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// What it is called on screens, in one line.
    pub name: String,
    /// What it is known again by: its text, without case, marks and spacing.
    pub key: String,
    /// Whether it is marked as done, and so is everything below it.
    pub done: bool,
    /// Whether the work is done without it.
    pub optional: bool,
    /// Whether something below it is open, so that it is not its turn yet.
    pub waits: bool,
    /// All that the file says of it.
    pub text: String,
    /// A mark in its box that is neither empty nor a tick, such as `~`: the task counts as open.
    pub half: Option<char>,
}

/// Why no tasks can be read from a file's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskFileError {
    /// There is nothing in it.
    #[error("it is empty")]
    Empty,
    /// It is no JSON.
    #[error("it is no JSON: line {line}, column {column}: {why}")]
    BrokenJson {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        why: String,
    },
    /// It is JSON, and no `prd.json`.
    #[error("it has no list `userStories`, which is where a `prd.json` has its tasks")]
    NoStories,
    /// It has none.
    #[error("it has no tasks; {}", teaching(*.format))]
    NoTasks {
        /// How it is written.
        format: Format,
    },
}

fn teaching(format: Format) -> &'static str {
    match format {
        Format::CheckList => "in Markdown a task is a line such as `- [ ] do this`",
        Format::Prd => "its list `userStories` is empty",
        Format::Plain => "in plain text each line is a task, but for headings and comments",
    }
}

impl Format {
    /// How a file of that name and text is written: the ending decides, then the text.
    pub fn of(path: &Path, text: &str) -> Self {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let text = without_mark(text);
        match ending.to_ascii_lowercase().as_str() {
            "json" => Self::Prd,
            _ if list::is_check_list(text) => Self::CheckList,
            // What has no tasks at all is told how Markdown has them.
            "md" | "markdown" | "mdx" if plain::tasks(text).is_empty() => Self::CheckList,
            "md" | "markdown" | "mdx" => Self::Plain,
            _ if text.trim_start().starts_with('{') => Self::Prd,
            _ => Self::Plain,
        }
    }

    /// How a task is marked as done, for whoever is to do it.
    pub fn how_to_mark(self) -> &'static str {
        match self {
            Self::CheckList => "turn its `[ ]` into `[x]`",
            Self::Prd => "set its `passes` to `true`",
            Self::Plain => "put `[x]` at the beginning of its line",
        }
    }

    /// Reads the tasks of a text.
    pub fn read(self, text: &str) -> Result<TaskList, TaskFileError> {
        let text = without_mark(text);
        if text.trim().is_empty() {
            return Err(TaskFileError::Empty);
        }
        let found = match self {
            Self::CheckList => list::tasks(text),
            Self::Prd => prd::tasks(text)?,
            Self::Plain => plain::tasks(text),
        };
        if found.is_empty() {
            return Err(TaskFileError::NoTasks { format: self });
        }
        Ok(TaskList { format: self, tasks: told_apart(found) })
    }
}

impl TaskList {
    /// How many tasks are open that must be done.
    pub fn open(&self) -> u32 {
        count(self.blocking().filter(|task| !task.done).count())
    }

    /// How many of the tasks that must be done are.
    pub fn done(&self) -> u32 {
        count(self.blocking().filter(|task| task.done).count())
    }

    /// The tasks that can be worked on: the open ones with nothing open below them.
    pub fn ready(&self) -> impl Iterator<Item = &Task> {
        self.blocking().filter(|task| !task.done && !task.waits)
    }

    /// What is to be said about boxes that are neither empty nor ticked.
    pub fn half_done(&self) -> Option<String> {
        let half = |task: &Task| task.half.map(|mark| format!("`[{mark}] {}`", task.name));
        let marked: Vec<String> = self.tasks.iter().filter_map(half).collect();
        let more = marked.len().saturating_sub(MOST_HALF);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let shown = marked[..marked.len().min(MOST_HALF)].join(", ");
        (!marked.is_empty()).then(|| {
            format!("only `[x]` says that a task is done; these count as open: {shown}{more}")
        })
    }

    /// The tasks that must be done.
    pub fn blocking(&self) -> impl Iterator<Item = &Task> {
        self.tasks.iter().filter(|task| !task.optional)
    }
}

impl Task {
    /// A task with this text, from which its name and its key are made.
    fn new(text: &str, done: bool, optional: bool) -> Self {
        let name: String =
            crate::text::sanitise::line(text.trim()).chars().take(LONGEST_NAME).collect();
        let text = text.trim();
        let text = text.to_owned();
        Self { name, key: key(&text), done, optional, waits: false, text, half: None }
    }
}

/// A text without the mark of its byte order, which some editors put before it.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The text of a task without what may change when it is worked on or ticked.
fn key(text: &str) -> String {
    // Some editors add a mark and the day after the text of a task that is done.
    let marked = text.char_indices().skip(1).find(|(_, c)| CHECKS.contains(c));
    let text = marked.map_or(text, |(at, _)| &text[..at]);
    let plain: String =
        text.chars().filter(|c| !"*_`~".contains(*c)).flat_map(char::to_lowercase).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.join(" ").trim_end_matches(['.', ':', ';', '!']).to_owned()
}

/// Marks that say that something is done.
const CHECKS: &[char] = &['✓', '✔', '✅', '☑'];

/// Tasks with the same text are told apart by their order.
fn told_apart(mut tasks: Vec<Task>) -> Vec<Task> {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for task in &mut tasks {
        let times = seen.entry(task.key.clone()).or_insert(0);
        *times += 1;
        if *times > 1 {
            task.key = format!("{}#{times}", task.key);
        }
    }
    tasks
}

/// A number of tasks; more than this does not fit into a file.
fn count(tasks: usize) -> u32 {
    u32::try_from(tasks).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
