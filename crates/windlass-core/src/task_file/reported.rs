//! Which task an agent's report of being blocked is about.

use super::{Task, TaskList, key};
use crate::text::words::has_words;

impl TaskList {
    /// The task that a report counts for: the one that can be worked on whose words it holds, the first
    /// of them where there are several; else the first that is not blocked yet. `None` where nothing can
    /// be worked on.
    pub fn reported(&self, words: &str, is_blocked: impl Fn(&Task) -> bool) -> Option<&Task> {
        let said = key(words);
        let at = |task: &Task| {
            let asked = text_of(task);
            let is_held = !asked.is_empty() && has_words(&said, &asked);
            // Of two that begin at the same place the longer one is meant.
            is_held.then(|| (said.find(&asked), usize::MAX - asked.len()))
        };
        let held = self.ready().filter_map(|task| Some((at(task)?, task)));
        let named = held.min_by_key(|(at, _)| *at).map(|(_, task)| task);
        let first_free = || self.ready().find(|task| !is_blocked(task));
        named.or_else(first_free).or_else(|| self.ready().next())
    }
}

/// The words of a task as they are compared.
fn text_of(task: &Task) -> String {
    key(task.text.lines().next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{super::Format, *};

    fn reported(file: &str, words: &str, blocked: &[&str]) -> Option<String> {
        let list = Format::CheckList.read(file).unwrap();
        let is_blocked = |task: &Task| blocked.contains(&task.name.as_str());
        list.reported(words, is_blocked).map(|task| task.name.clone())
    }

    const FILE: &str = "- [x] write\n- [ ] write a\n- [ ] Write **a** test.\n- [ ] deploy\n";

    #[test]
    fn a_report_counts_for_the_task_whose_words_it_holds() {
        for (words, task) in [
            ("Deploy: no key", "deploy"),
            ("write a: it needs what `deploy` gives", "write a"),
            ("write a test: no runner is installed", "Write **a** test."),
            ("I cannot do \"write `a`\", for there is no disk", "write a"),
        ] {
            assert_eq!(reported(FILE, words, &[]).as_deref(), Some(task), "{words}");
        }
    }

    #[test]
    fn a_report_without_the_words_of_a_task_counts_for_the_first_that_is_not_blocked_yet() {
        let words = "no network, redeployment is impossible";
        assert_eq!(reported(FILE, words, &[]).as_deref(), Some("write a"));
        assert_eq!(reported(FILE, words, &["write a"]).as_deref(), Some("Write **a** test."));
        assert_eq!(reported("- [x] a\n", words, &[]), None);
    }

    #[test]
    fn a_task_that_waits_for_others_is_not_meant() {
        let file = "- [ ] release\n  - [ ] build\n  - [ ] sign\n";
        assert_eq!(reported(file, "release: no key", &["build"]).as_deref(), Some("sign"));
    }
}
