//! Reads a file of hooks that the user wrote for Claude Code, and says what is wrong with it and
//! where. Does no I/O.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::HooksError;

/// The events that Claude Code has hooks for.
const EVENTS: &[&str] = &[
    "ConfigChange",
    "CwdChanged",
    "Elicitation",
    "ElicitationResult",
    "FileChanged",
    "InstructionsLoaded",
    "MessageDisplay",
    "Notification",
    "PermissionDenied",
    "PermissionRequest",
    "PostCompact",
    "PostToolBatch",
    "PostToolUse",
    "PostToolUseFailure",
    "PreCompact",
    "PreToolUse",
    "SessionEnd",
    "SessionStart",
    "Setup",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "TaskCompleted",
    "TaskCreated",
    "TeammateIdle",
    "UserPromptExpansion",
    "UserPromptSubmit",
    "WorktreeCreate",
    "WorktreeRemove",
];

/// The whole file. Other settings have no business here: they would be windlass's to answer for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    hooks: BTreeMap<String, Vec<Group>>,
}

/// Hooks that run together.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    #[serde(default, rename = "matcher")]
    _matcher: Option<String>,
    #[serde(rename = "hooks")]
    _hooks: Vec<Hook>,
}

/// One hook.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hook {
    #[serde(rename = "type")]
    _kind: Kind,
    #[serde(rename = "command")]
    _command: Command,
    #[serde(default, rename = "timeout")]
    _timeout: Option<Seconds>,
    #[serde(default, rename = "args")]
    _args: Option<Vec<String>>,
    #[serde(default, rename = "if")]
    _condition: Option<String>,
    #[serde(default, rename = "shell")]
    _shell: Option<String>,
    #[serde(default, rename = "statusMessage")]
    _status_message: Option<String>,
    #[serde(default, rename = "once")]
    _once: Option<bool>,
    #[serde(default, rename = "async")]
    _async: Option<bool>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Command,
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Command;

impl TryFrom<String> for Command {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.trim().is_empty() { Err("the command is empty") } else { Ok(Self) }
    }
}

#[derive(Deserialize)]
#[serde(try_from = "f64")]
struct Seconds;

impl TryFrom<f64> for Seconds {
    type Error = &'static str;

    fn try_from(seconds: f64) -> Result<Self, Self::Error> {
        if seconds > 0.0 { Ok(Self) } else { Err("a timeout is more than 0 seconds") }
    }
}

/// The hooks of a file, by their events.
pub(super) fn read(text: &str) -> Result<Map<String, Value>, HooksError> {
    let file: File = serde_json::from_str(text).map_err(|error| bad_form(&error))?;
    if let Some(name) = file.hooks.keys().find(|name| !EVENTS.contains(&name.as_str())) {
        let (line, column) = place_of(text, name);
        return Err(HooksError::UnknownEvent { line, column, name: name.clone(), known: EVENTS });
    }
    let mut whole: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| bad_form(&error))?;
    let Some(Value::Object(hooks)) = whole.remove("hooks") else { return Ok(Map::new()) };
    // The reader above takes a list of values for an object, which Claude Code does not.
    for (event, groups) in &hooks {
        let groups = groups.as_array().into_iter().flatten();
        let all =
            groups.clone().chain(groups.flat_map(|group| group["hooks"].as_array()).flatten());
        if !all.into_iter().all(Value::is_object) {
            let (line, column) = place_of(text, event);
            let why = format!("the hooks of `{event}` are no objects");
            return Err(HooksError::BadForm { line, column, why });
        }
    }
    Ok(hooks)
}

fn bad_form(error: &serde_json::Error) -> HooksError {
    let (line, column) = (error.line(), error.column());
    let whole = error.to_string();
    let at = format!(" at line {line} column {column}");
    let why = whole.strip_suffix(&at).unwrap_or(&whole).to_owned();
    HooksError::BadForm { line, column, why }
}

/// The line and the column of a name, from 1.
fn place_of(text: &str, name: &str) -> (usize, usize) {
    let at = text.find(&format!("\"{name}\"")).unwrap_or(0);
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}
