//! The two keys that go together: what confines the agent, and whether it may use its tools without
//! asking. Both are written or neither.

use toml_edit::{Item, value};

use super::{found::Found, place::ConfigFile, questions::Answers};

/// What is decided about them.
#[derive(Debug, Default)]
pub(super) struct Permissions {
    /// The keys to write.
    pub(super) keys: Vec<(&'static str, Item)>,
    /// What people should know, a line each.
    pub(super) notes: Vec<String>,
}

/// Decides by what there is, what the user wants, and what the file has already.
pub(super) fn decide(
    user: &ConfigFile,
    found: &Found,
    answers: &Answers,
    agent: &str,
) -> Permissions {
    let wanted = match (&found.no_sandbox, answers.skips_permissions) {
        (None, true) => vec![("sandbox", value("auto")), ("skip_permissions", value("sandboxed"))],
        (Some(_), true) => vec![("skip_permissions", value(true))],
        (_, false) => Vec::new(),
    };
    let other = wanted.iter().find_map(|(key, wanted)| {
        let is = shown(user.get(key)?);
        (is != shown(wanted)).then(|| format!("`{key} = {is}`"))
    });
    let path = user.path.display();
    if let Some(other) = other {
        let set: Vec<_> =
            wanted.iter().map(|(key, item)| format!("`{key} = {}`", shown(item))).collect();
        let set = set.join(" and ");
        let note = format!(
            "{path} has {other}, so neither key was written; to let {agent} work without asking, in a sandbox only, set {set}"
        );
        return Permissions { keys: Vec::new(), notes: vec![note] };
    }
    let mut notes = Vec::new();
    if let Some((why, hint)) = &found.no_sandbox {
        notes.push(format!("no sandbox works here: {why}"));
        notes.push(format!("to have one: {hint}"));
    }
    if wanted.is_empty() && user.get("skip_permissions").is_none() {
        notes.push(denied(agent));
    }
    let is_new = |(key, _): &(&str, Item)| user.get(key).is_none();
    Permissions { keys: wanted.into_iter().filter(is_new).collect(), notes }
}

/// A value as it stands in a file.
fn shown(item: &Item) -> String {
    item.as_value().map(|value| value.clone().decorated("", "").to_string()).unwrap_or_default()
}

/// What an agent cannot do that nobody gave permission to.
fn denied(agent: &str) -> String {
    let tools = match agent {
        "claude" => "its tools that change files and run commands (Edit, Write, Bash)",
        "codex" => "writes outside of the work tree, and the network: it has its own sandbox",
        "gemini" => {
            "its tools that change files and run commands (write_file, replace, run_shell_command)"
        }
        "opencode" => "everything outside of the project",
        "aider" => "whatever it asks for",
        _ => "whatever it asks permission for",
    };
    format!(
        "{agent} will be denied {tools}; allow that in its own settings, or start loops with \
         `--skip-permissions`, which lets it do whatever you can"
    )
}
