//! What Codex does with a tool, in one line for people.

use std::path::Path;

use super::events::Item;
use crate::summary::{ToolInput, one_line, relative, tool_use};

/// The name of a tool and what it does; `None` for what is no tool.
pub(super) fn tool(item: &Item, directory: &Path) -> Option<(String, String)> {
    let mut input = ToolInput::default();
    let name = match item.kind.as_str() {
        "agent_message" | "reasoning" | "todo_list" | "error" | "" => return None,
        "command_execution" => {
            input.command.0 = inner_command(&item.command.0);
            "shell"
        }
        "file_change" => {
            let paths = item.changes.iter().map(|change| relative(&change.path, directory));
            let paths = paths.collect::<Vec<_>>().join(", ");
            let is_new = item.changes.iter().all(|change| change.kind.0 == "add");
            let verb = if is_new { "writes" } else { "edits" };
            return Some((item.kind.clone(), one_line(&format!("{verb} {paths}"))));
        }
        "web_search" => {
            input.query = item.query.clone();
            "web_search"
        }
        "mcp_tool_call" => {
            let name = format!("{}.{}", item.server.0, item.tool.0);
            return Some((item.kind.clone(), one_line(&format!("uses {name}"))));
        }
        "collab_tool_call" => {
            input.prompt = item.prompt.clone();
            item.tool.0.as_str()
        }
        other => other,
    };
    Some((item.kind.clone(), tool_use(name, &input, directory)))
}

/// What a command runs, in one line.
pub(super) fn command_line(item: &Item) -> String {
    one_line(&inner_command(&item.command.0))
}

/// The command itself, out of the shell that Codex wraps it in: `/bin/bash -lc 'cargo test'`.
fn inner_command(command: &str) -> String {
    match shell_words::split(command).as_deref() {
        Ok([shell, flag, inner]) if shell.ends_with("sh") && flag.ends_with('c') => inner.clone(),
        _ => command.to_owned(),
    }
}
