//! The tasks that Claude Code runs for a session: which were started, and which had not ended when
//! the session did. What takes a while in the foreground is told as a task, too.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::Deserialize;

use crate::summary::{Words, one_line};

/// How many uses of tools are remembered, to tell what a task does.
const USES: usize = 64;

/// How many tasks are watched at the most.
const TASKS: usize = 1000;

/// How a task's id stands in the answer of a tool that was moved to the background.
const MOVED: &[u8] = br#""backgroundTaskId":""#;

/// What Claude Code says of a task.
#[derive(Debug, Deserialize)]
pub(super) struct Task {
    subtype: String,
    task_id: String,
    tool_use_id: Option<String>,
    #[serde(default)]
    description: Words,
    status: Option<String>,
    patch: Option<Patch>,
}

#[derive(Debug, Deserialize)]
struct Patch {
    status: Option<String>,
}

impl Task {
    fn status(&self) -> Option<&str> {
        let patched = self.patch.as_ref().and_then(|patch| patch.status.as_deref());
        patched.or(self.status.as_deref())
    }

    /// Whether it has come to an end, of whatever kind.
    fn is_over(&self) -> bool {
        let goes_on = ["pending", "queued", "running", "in_progress", "paused"];
        self.status().is_some_and(|status| !goes_on.contains(&status))
    }
}

/// The tasks of one session.
#[derive(Debug, Default)]
pub(super) struct Background {
    /// What the last tools were used for, by the ids of these uses.
    uses: VecDeque<(String, String)>,
    /// What runs, by the tasks' ids.
    running: BTreeMap<String, String>,
    /// What has ended.
    over: BTreeSet<String>,
    /// What ran at the last result.
    at_result: BTreeMap<String, String>,
}

impl Background {
    /// A tool is used for that.
    pub(super) fn used(&mut self, id: Option<&str>, what: &str) {
        if let Some(id) = id {
            self.uses.push_back((id.to_owned(), what.to_owned()));
            if self.uses.len() > USES {
                self.uses.pop_front();
            }
        }
    }

    /// Something is told of a task.
    pub(super) fn take(&mut self, task: Task) {
        let what = self.what(task.tool_use_id.as_deref(), &task.description.0);
        if task.subtype == "task_started" {
            self.start(task.task_id, what);
        } else if task.is_over() {
            // One that nobody had told of, and that is ended with the session.
            let is_ended = matches!(task.status(), Some("killed" | "stopped"));
            let is_new =
                !self.running.contains_key(&task.task_id) && !self.over.contains(&task.task_id);
            if is_ended && is_new {
                self.at_result.entry(task.task_id.clone()).or_insert(what);
            }
            self.running.remove(&task.task_id);
            if self.over.len() < TASKS {
                self.over.insert(task.task_id);
            }
        }
    }

    /// A line with the answers of tools: one of them may have been moved to the background.
    pub(super) fn answered(&mut self, line: &[u8]) {
        let Some(at) = memchr::memmem::find(line, MOVED) else { return };
        let rest = &line[at + MOVED.len()..];
        let id = rest.split(|&byte| byte == b'"').next().unwrap_or_default();
        let Ok(id) = std::str::from_utf8(id) else { return };
        let is_known = self.running.contains_key(id) || self.over.contains(id);
        if !id.is_empty() && id.len() < rest.len() && !is_known {
            let last = self.uses.back().map(|(_, what)| what.clone()).unwrap_or_default();
            self.start(id.to_owned(), last);
        }
    }

    /// The session has a result. It may go on after it, and have another.
    pub(super) fn result(&mut self) {
        self.at_result.clone_from(&self.running);
    }

    /// What had not ended when the session did.
    pub(super) fn lost(self) -> Vec<String> {
        self.at_result.into_values().collect()
    }

    fn start(&mut self, id: String, what: String) {
        if self.running.len() < TASKS && !self.over.contains(&id) {
            self.running.insert(id, what);
        }
    }

    fn what(&self, tool_use: Option<&str>, description: &str) -> String {
        let used = self.uses.iter().rev().find(|(id, _)| Some(id.as_str()) == tool_use);
        let what = used.map(|(_, what)| what.as_str()).filter(|what| !what.is_empty());
        match what.unwrap_or(description).trim() {
            "" => "a task".to_owned(),
            what => one_line(what),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(lines: &[&str]) -> Background {
        let mut background = Background::default();
        background.used(Some("t1"), "sleep 9");
        for line in lines {
            match serde_json::from_str(line) {
                Ok(task) => background.take(task),
                Err(_) if line.is_empty() => background.result(),
                Err(_) => background.answered(line.as_bytes()),
            }
        }
        background
    }

    const STARTED: &str =
        r#"{"subtype":"task_started","task_id":"b1","tool_use_id":"t1","description":"d"}"#;

    #[test]
    fn what_runs_at_the_last_result_is_lost_and_told_by_its_command() {
        assert_eq!(told(&[STARTED, ""]).lost(), ["sleep 9"]);
        let killed = r#"{"subtype":"task_updated","task_id":"b1","patch":{"status":"killed"}}"#;
        assert_eq!(told(&[STARTED, "", killed]).lost(), ["sleep 9"]);
        let done = r#"{"subtype":"task_updated","task_id":"b1","patch":{"status":"completed"}}"#;
        assert!(told(&[STARTED, "", done, ""]).lost().is_empty(), "the last result counts");
    }

    #[test]
    fn what_was_stopped_or_has_failed_before_the_result_is_not_lost() {
        for status in ["completed", "failed", "killed", "stopped"] {
            let over =
                format!(r#"{{"subtype":"task_notification","task_id":"b1","status":"{status}"}}"#);
            assert!(told(&[STARTED, &over, "", &over]).lost().is_empty(), "{status}");
        }
        let runs = r#"{"subtype":"task_updated","task_id":"b1","patch":{"status":"running"}}"#;
        assert_eq!(told(&[STARTED, runs, ""]).lost(), ["sleep 9"]);
    }

    #[test]
    fn a_task_is_also_known_by_the_answer_of_its_tool_and_by_its_end() {
        let moved = r#"x"tool_use_result":{"backgroundTaskId":"b2"}"#;
        assert_eq!(told(&[moved, ""]).lost(), ["sleep 9"]);
        let quoted = r#"x"content":"a \"backgroundTaskId\":\"b2\""}"#;
        assert!(told(&[quoted, ""]).lost().is_empty());
        let stopped = r#"{"subtype":"task_notification","task_id":"b3","status":"stopped"}"#;
        assert_eq!(told(&["", stopped]).lost(), ["a task"]);
    }
}
