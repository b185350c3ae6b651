//! The tasks that the agent cannot go on with, and what it says to be missing.

use std::collections::HashMap;

use windlass_core::{
    task_file::{Task, TaskList},
    text::sanitise,
};

/// How much of a report the next prompts repeat.
const MOST_WORDS: usize = 300;

/// How many tasks they name.
const MOST_NAMED: usize = 20;

/// The tasks that are blocked, by their keys, each with what is missing.
#[derive(Debug, Default)]
pub(super) struct Blocked(HashMap<String, String>);

impl Blocked {
    /// Takes a report in; gives the name of the task that it counts for.
    pub(super) fn add(&mut self, list: &TaskList, words: &str) -> Option<String> {
        let task = list.reported(words, |task| self.has(task))?;
        let (name, key) = (task.name.clone(), task.key.clone());
        self.0.insert(key, words.to_owned());
        Some(name)
    }

    /// Whether nothing can go on.
    pub(super) fn is_everything(&self, list: &TaskList) -> bool {
        list.ready().all(|task| self.has(task))
    }

    /// What the next prompt says about them; nothing where there are none.
    pub(super) fn told(&self, list: &TaskList) -> String {
        let line = |task: &Task| {
            let words = sanitise::line(self.0.get(&task.key)?).into_owned();
            let words: String = words.chars().take(MOST_WORDS).collect();
            Some(format!("\n- {}: {words}", task.name))
        };
        let lines: Vec<String> = list.ready().filter_map(line).take(MOST_NAMED).collect();
        if lines.is_empty() {
            return String::new();
        }
        format!(
            "\n\nThese open tasks were reported as blocked. Leave them open and work on the others:{}",
            lines.concat()
        )
    }

    fn has(&self, task: &Task) -> bool {
        self.0.contains_key(&task.key)
    }
}

#[cfg(test)]
mod tests {
    use windlass_core::task_file::Format;

    use super::*;

    #[test]
    fn tasks_are_blocked_one_by_one_until_nothing_can_go_on() {
        let list = Format::CheckList.read("- [ ] write a\n- [ ] deploy\n").unwrap();
        let mut blocked = Blocked::default();
        assert_eq!(blocked.told(&list), "");
        assert_eq!(blocked.add(&list, "deploy: no key").as_deref(), Some("deploy"));
        assert!(!blocked.is_everything(&list));
        insta::assert_snapshot!(blocked.told(&list).trim(), @"
        These open tasks were reported as blocked. Leave them open and work on the others:
        - deploy: deploy: no key
        ");
        assert_eq!(blocked.add(&list, "no disk").as_deref(), Some("write a"));
        assert!(blocked.is_everything(&list));
    }

    #[test]
    fn a_blocked_task_that_is_done_is_not_told_any_more() {
        let list = Format::CheckList.read("- [ ] write a\n- [ ] deploy\n").unwrap();
        let mut blocked = Blocked::default();
        blocked.add(&list, "deploy: no key");
        let later = Format::CheckList.read("- [ ] write a\n- [x] deploy\n").unwrap();
        assert_eq!(blocked.told(&later), "");
        assert!(!blocked.is_everything(&later));
    }
}
