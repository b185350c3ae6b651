//! What became of the tasks between two looks at their file.

use std::collections::{HashMap, HashSet};

use super::{Task, TaskList};

/// Among more tasks than this that are gone, none is looked for under other words.
const MOST_GONE: usize = 500;

/// What became of the tasks between two looks, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// Tasks that were open and are done.
    pub completed: Vec<String>,
    /// Tasks that were done and are open.
    pub reopened: Vec<String>,
    /// Tasks that were not there.
    pub added: Vec<String>,
    /// Tasks that were open, must be done, and are not there any more.
    pub removed: Vec<String>,
}

impl Moves {
    /// What changed from one list to the next. A task whose text was added to while it was ticked
    /// is known again.
    pub fn between(before: &TaskList, after: &TaskList) -> Self {
        let mut moves = Self::default();
        let then: HashMap<&str, &Task> =
            before.tasks.iter().map(|task| (task.key.as_str(), task)).collect();
        let now: HashSet<&str> = after.tasks.iter().map(|task| task.key.as_str()).collect();
        let mut gone: Vec<&Task> = before
            .tasks
            .iter()
            .filter(|task| !task.done && !now.contains(task.key.as_str()))
            .collect();
        for task in &after.tasks {
            match then.get(task.key.as_str()) {
                Some(old) if !old.done && task.done => moves.completed.push(task.name.clone()),
                Some(old) if old.done && !task.done => moves.reopened.push(task.name.clone()),
                Some(_) => {}
                None => match old_words(&gone, task) {
                    Some(old) => {
                        gone.remove(old);
                        moves.completed.extend(task.done.then(|| task.name.clone()));
                    }
                    None => moves.added.push(task.name.clone()),
                },
            }
        }
        let gone = gone.into_iter().filter(|task| !task.optional);
        moves.removed = gone.map(|task| task.name.clone()).collect();
        moves
    }

    /// Whether nothing became of any.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Which of those that are gone has a text that only goes on in the new one, or the other way.
fn old_words(gone: &[&Task], new: &Task) -> Option<usize> {
    let goes_on = |old: &&Task| {
        let (old, new) = (old.key.as_str(), new.key.as_str());
        !old.is_empty() && !new.is_empty() && (new.starts_with(old) || old.starts_with(new))
    };
    if gone.len() > MOST_GONE { None } else { gone.iter().position(goes_on) }
}
