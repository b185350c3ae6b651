//! What a loop was started with, told from its options: only what differs from the defaults, and no
//! values of variables.

use serde::Serialize;
use serde_json::{Map, Value};
use windlass::kind::Kind;
use windlass_core::text::sanitise;

/// A prompt longer than this is not written into the command.
const LONGEST_PROMPT: usize = 160;
/// What is not a flag of its own, or is written otherwise.
const APART: [&str; 12] = [
    "kind",
    "prompt",
    "prompt_file",
    "task",
    "agents",
    "paths",
    "number",
    "programs",
    "hooks_text",
    "worktree_setup",
    "found",
    "edition",
];
/// What has its own row where a loop is shown.
const SHOWN: [&str; 3] = ["command", "promise", "tasks"];

/// What a loop was started with, for `status`, `show` and the screens.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(crate) struct Started {
    /// The command of the agent, whole, where the agent is one.
    pub(crate) command: Option<String>,
    /// The words that claim, in loops whose agent claims.
    pub(crate) promise: Option<String>,
    /// The other options that differ from the defaults, as they are typed.
    pub(crate) options: Vec<String>,
}

impl Started {
    /// That of a loop with these options; empty where a newer windlass froze them.
    pub(crate) fn of(options: &Value) -> Self {
        let Some(kind) = read(options) else { return Self::default() };
        let options = serde_json::to_value(&kind).unwrap_or_default();
        let text = |name: &str| Some(options.get(name)?.as_str()?.to_owned());
        // Those of a merge were decided by windlass.
        let is_merge = matches!(kind, Kind::Merge(_));
        let mut set = if is_merge { Vec::new() } else { changed(&kind).unwrap_or_default() };
        set.retain(|(name, _)| !SHOWN.contains(&name.as_str()));
        Self {
            command: text("command"),
            promise: text("promise").filter(|_| !is_merge),
            options: set.iter().flat_map(|(name, value)| flags(name, value)).collect(),
        }
    }

    /// The rows for people, a label and a value each.
    pub(crate) fn rows(&self) -> Vec<(&'static str, String)> {
        let line = |text: &str| sanitise::line(text).into_owned();
        let mut rows = Vec::new();
        rows.extend(self.command.as_deref().map(|command| ("command", line(command))));
        rows.extend(self.promise.as_deref().map(|promise| match promise {
            "" => ("promise", "none: a clean exit claims".to_owned()),
            promise => ("promise", line(promise)),
        }));
        if !self.options.is_empty() {
            rows.push(("options", line(&shell_words::join(&self.options))));
        }
        rows
    }
}

/// The command that would start a loop like this one; `None` where a newer windlass froze options that
/// this one cannot read.
pub(crate) fn command(options: &Value) -> Option<String> {
    let kind = read(options)?;
    if let Kind::Merge(options) = &kind {
        // Its other options were decided by windlass, and nobody types them.
        return Some(shell_words::join([
            "windlass",
            "merge",
            &options.of_name,
            "--into",
            &options.into,
        ]));
    }
    let mut words = vec!["windlass".to_owned(), kind.word().to_owned()];
    words.extend(operands(&kind, options.as_object()?));
    words.extend(changed(&kind)?.iter().flat_map(|(name, value)| flags(name, value)));
    Some(shell_words::join(words))
}

fn read(options: &Value) -> Option<Kind> {
    serde_json::from_value(options.clone()).ok()
}

/// The options that differ from the defaults and have a flag.
fn changed(kind: &Kind) -> Option<Vec<(String, Value)>> {
    let defaults = serde_json::to_value(default_of(kind)).ok()?;
    // Written again, so that what an older windlass left out is the default.
    let Value::Object(options) = serde_json::to_value(kind).ok()? else { return None };
    let differs = |name: &str, value: &Value| defaults.get(name) != Some(value);
    let set = options.into_iter().filter(|(name, value)| differs(name, value));
    Some(set.filter(|(name, _)| !APART.contains(&name.as_str())).collect())
}

fn default_of(kind: &Kind) -> Kind {
    match kind {
        Kind::Iterate(_) => Kind::Iterate(Default::default()),
        Kind::Tasks(_) => Kind::Tasks(Default::default()),
        Kind::Develop(_) => Kind::Develop(Default::default()),
        Kind::Heal(_) => Kind::Heal(Default::default()),
        Kind::Pr(_) => Kind::Pr(Default::default()),
        Kind::Merge(_) => Kind::Merge(Default::default()),
    }
}

/// The prompt, and what stands without a flag.
fn operands(kind: &Kind, options: &Map<String, Value>) -> Vec<String> {
    let text = |name: &str| options.get(name).and_then(Value::as_str).unwrap_or_default().trim();
    let asked = if text("prompt").is_empty() { text("task") } else { text("prompt") };
    let mut words = Vec::new();
    if asked.len() > LONGEST_PROMPT || asked.contains('\n') {
        let flag = if matches!(kind, Kind::Develop(_)) { "--task-file" } else { "--prompt-file" };
        words.extend([flag.to_owned(), "PROMPT.md".to_owned()]);
    } else if !asked.is_empty() {
        words.extend(["-p".to_owned(), asked.to_owned()]);
    }
    words.extend(options.get("number").and_then(Value::as_u64).map(|number| number.to_string()));
    let paths = options.get("paths").and_then(Value::as_array);
    let paths = paths.into_iter().flatten().filter_map(Value::as_str);
    words.extend(paths.map(str::to_owned));
    words
}

/// A setting as flags.
fn flags(name: &str, value: &Value) -> Vec<String> {
    let flag = match name {
        "checks" => "--check".to_owned(),
        name => format!("--{}", name.replace('_', "-")),
    };
    match value {
        Value::Bool(true) => vec![flag],
        Value::Null | Value::Bool(false) | Value::Object(_) => Vec::new(),
        Value::Array(values) => values.iter().flat_map(|one| flags(name, one)).collect(),
        Value::String(text) if name == "env" => {
            let variable = text.split_once('=').map_or(text.as_str(), |(variable, _)| variable);
            vec![flag, format!("{variable}=…")]
        }
        // No flag says that: it comes from a config file.
        Value::String(_) if name == "skip_permissions" => Vec::new(),
        Value::String(text) => vec![flag, text.clone()],
        Value::Number(number) => vec![flag, number.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use windlass_core::options::{FoundCheck, Proof};

    use super::*;

    #[test]
    fn a_command_says_what_differs_from_the_defaults() {
        let mut options = windlass::kind::iterate::Options::new("Make it's test pass");
        options.common.agent.agent = Some("claude".to_owned());
        options.common.agent.env = vec!["KEY=canary".to_owned()];
        options.common.rules.max_iterations = 7;
        options.common.proof.checks = vec!["cargo test".to_owned()];
        options.common.proof.found = vec![FoundCheck::default()];
        options.common.proof.edition = Proof::EDITION;
        let frozen = serde_json::to_value(Kind::Iterate(options)).unwrap();
        insta::assert_snapshot!(command(&frozen).unwrap(), @r#"windlass iterate -p 'Make it'\''s test pass' --agent claude --env 'KEY=…' --check 'cargo test' --max-iterations 7"#);
        assert_eq!(command(&json!({"kind": "from-the-future"})), None);
        assert_eq!(command(&Value::Null), None);
    }
}
