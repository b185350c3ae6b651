//! The tools of each agent program, recognised by what a request offers.

use std::path::Path;

use serde_json::json;

use super::{
    reply::{Call, Input},
    script::Act,
};

/// Whose tools a request offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Claude,
    Codex,
    OpenCode,
    Gemini,
    /// No tools: edits stand in the text.
    Aider,
}

/// What came of an act.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Put {
    Call(Call),
    /// Text that the agent itself acts on.
    Text(String),
}

impl Dialect {
    /// Whose tools these are.
    pub(super) fn of(tools: &[String]) -> Self {
        let has = |name: &str| tools.iter().any(|tool| tool == name);
        if has("Write") {
            Self::Claude
        } else if has("exec_command") || has("apply_patch") {
            Self::Codex
        } else if has("run_shell_command") {
            Self::Gemini
        } else if has("bash") {
            Self::OpenCode
        } else {
            Self::Aider
        }
    }

    /// An act in the words of this program. `directory` is the work tree: most tools want paths
    /// from the root.
    pub(super) fn put(self, act: &Act, directory: &Path) -> Put {
        let at = |path: &str| directory.join(path).to_string_lossy().into_owned();
        let call = |name, input| Put::Call(Call { name, input: Input::Object(input) });
        match (self, act) {
            (Self::Claude, Act::Read(path)) => call("Read", json!({"file_path": at(path)})),
            (Self::Claude, Act::Write(path, text)) => {
                call("Write", json!({"file_path": at(path), "content": text}))
            }
            (Self::Claude, Act::Edit(path, old, new)) => {
                call("Edit", json!({"file_path": at(path), "old_string": old, "new_string": new}))
            }
            (Self::Claude, Act::Run(command)) => {
                call("Bash", json!({"command": command, "description": "Runs a command"}))
            }
            (Self::Claude, Act::Background(command)) => call(
                "Bash",
                json!({"command": command, "description": "Runs a command",
                       "run_in_background": true}),
            ),
            (Self::OpenCode, Act::Read(path)) => call("read", json!({"filePath": at(path)})),
            (Self::OpenCode, Act::Write(path, text)) => {
                call("write", json!({"filePath": at(path), "content": text}))
            }
            (Self::OpenCode, Act::Edit(path, old, new)) => {
                call("edit", json!({"filePath": at(path), "oldString": old, "newString": new}))
            }
            (Self::OpenCode, Act::Run(command) | Act::Background(command)) => {
                call("bash", json!({"command": command, "description": "Runs a command"}))
            }
            (Self::Gemini, Act::Read(path)) => call("read_file", json!({"file_path": at(path)})),
            (Self::Gemini, Act::Write(path, text)) => {
                call("write_file", json!({"file_path": at(path), "content": text}))
            }
            (Self::Gemini, Act::Edit(path, old, new)) => call(
                "replace",
                json!({"file_path": at(path), "old_string": old, "new_string": new,
                       "instruction": "Change it."}),
            ),
            (Self::Gemini, Act::Run(command)) => {
                call("run_shell_command", json!({"command": command}))
            }
            (Self::Gemini, Act::Background(command)) => {
                call("run_shell_command", json!({"command": command, "is_background": true}))
            }
            (Self::Codex, Act::Read(path)) => {
                call("exec_command", json!({"cmd": format!("cat {path}")}))
            }
            (Self::Codex, Act::Run(command)) => call("exec_command", json!({"cmd": command})),
            (Self::Codex, Act::Background(command)) => {
                call("exec_command", json!({"cmd": command, "yield_time_ms": 250}))
            }
            (Self::Codex, Act::Write(path, text)) => {
                patch(&format!("*** Add File: {path}\n{}", marked('+', text)))
            }
            (Self::Codex, Act::Edit(path, old, new)) => patch(&format!(
                "*** Update File: {path}\n@@\n{}{}",
                marked('-', old),
                marked('+', new)
            )),
            (Self::Aider, Act::Read(path)) => Put::Text(format!("I look at {path}.")),
            (Self::Aider, Act::Write(path, text)) => Put::Text(block(path, "", text)),
            (Self::Aider, Act::Edit(path, old, new)) => Put::Text(block(path, old, new)),
            (Self::Aider, Act::Run(command) | Act::Background(command)) => {
                Put::Text(format!("```bash\n{command}\n```"))
            }
        }
    }
}

fn patch(change: &str) -> Put {
    let text = format!("*** Begin Patch\n{change}*** End Patch");
    Put::Call(Call { name: "apply_patch", input: Input::Free(text) })
}

/// Each line with a mark before it.
fn marked(mark: char, text: &str) -> String {
    text.lines().map(|line| format!("{mark}{line}\n")).collect()
}

/// A SEARCH/REPLACE block.
fn block(path: &str, old: &str, new: &str) -> String {
    let whole = |text: &str| text.lines().map(|line| format!("{line}\n")).collect::<String>();
    format!(
        "{path}\n```\n<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE\n```\n",
        whole(old),
        whole(new)
    )
}
