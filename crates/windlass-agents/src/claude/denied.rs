//! The tools that Claude Code denied to the agent. Its result lists them; a session that is killed, and one of an
//! older version, has only what it told as it went: the event, and the tool's answer.

use std::collections::VecDeque;

use serde::Deserialize;

use super::user::Answer;

/// How many uses of tools are remembered, to tell which tool an answer is from.
const USES: usize = 256;

/// A use of a tool that was denied.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Denial {
    pub tool_use_id: Option<String>,
    pub tool_name: Option<String>,
}

/// The denials of a session.
#[derive(Debug, Default)]
pub(super) struct Denials {
    /// The last uses of tools, by their ids.
    uses: VecDeque<(String, String)>,
    found: Vec<Denial>,
}

impl Denials {
    /// The agent uses a tool.
    pub(super) fn used(&mut self, id: Option<&str>, name: &str) {
        let Some(id) = id else { return };
        if self.uses.len() == USES {
            self.uses.pop_front();
        }
        self.uses.push_back((id.to_owned(), name.to_owned()));
    }

    /// Claude Code tells a denial, in an event or in its result.
    pub(super) fn told(&mut self, denial: Denial) {
        let Denial { tool_use_id, tool_name } = denial;
        let of_that_name = |(_, name): &&(String, String)| Some(name) == tool_name.as_ref();
        let last_use = || self.uses.iter().rev().find(of_that_name).map(|(id, _)| id.clone());
        let tool_use_id = tool_use_id.or_else(last_use);
        self.add(Denial { tool_use_id, tool_name });
    }

    /// A tool answered.
    pub(super) fn answered(&mut self, answer: &Answer) {
        if answer.is_error != Some(true) || !is_denial(answer.content.0.trim_start()) {
            return;
        }
        let id = answer.tool_use_id.as_deref();
        let name = self.uses.iter().find(|(use_id, _)| Some(use_id.as_str()) == id);
        let tool_name = name.map(|(_, name)| name.clone());
        self.add(Denial { tool_use_id: answer.tool_use_id.clone(), tool_name });
    }

    /// Whether that use is among them.
    pub(super) fn has(&self, id: &str) -> bool {
        self.found.iter().any(|denial| denial.tool_use_id.as_deref() == Some(id))
    }

    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.found.len()).unwrap_or(u32::MAX)
    }

    /// The tool that was denied last.
    pub(super) fn last(&self) -> Option<&str> {
        self.found.last()?.tool_name.as_deref()
    }

    /// The tools, each once, in the order in which they were denied first.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in self.found.iter().filter_map(|denial| denial.tool_name.as_ref()) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// Adds one that is not known yet: the same is told in several places.
    fn add(&mut self, denial: Denial) {
        let is_known = self.found.iter().any(|known| match &denial.tool_use_id {
            Some(_) => known.tool_use_id == denial.tool_use_id,
            None => known.tool_name == denial.tool_name,
        });
        if !is_known {
            self.found.push(denial);
        }
    }
}

/// Whether a tool's answer is Claude Code's own refusal, by how it begins. What a command printed begins in another
/// way, and a tool that was interrupted is told as one that the user rejected.
fn is_denial(answer: &str) -> bool {
    const BEGINNINGS: &[(&str, &str)] = &[
        ("Claude requested permission", ""),
        ("Permission to use ", " has been denied"),
        ("Permission for this ", "denied"),
        ("This command requires approval", ""),
        ("This Bash command contains multiple operations", "require"),
    ];
    let begins = |(beginning, then): &(&str, &str)| {
        answer.strip_prefix(beginning).is_some_and(|rest| rest.contains(then))
    };
    BEGINNINGS.iter().any(begins)
}
