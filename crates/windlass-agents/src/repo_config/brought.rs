//! One entry with all that makes it this one and no other: what is shown of it, what is not, and which
//! files it may name. Trust is in that, so that nothing can be put in the place of what was trusted.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use windlass_core::event::{ConfigEntry, ConfigKind};

/// One thing that a file of the work tree has an agent run or obey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brought {
    /// What is shown of it.
    pub entry: ConfigEntry,
    /// Everything that it says, whether it is shown or not, in one form whatever its file looks like.
    whole: String,
    /// What in it may be the name of a file, from some directory of the work tree.
    pub names: BTreeSet<String>,
}

impl Brought {
    /// An entry that is a setting.
    pub(super) fn setting(entry: ConfigEntry, value: &Value) -> Self {
        let mut names = BTreeSet::new();
        add_names(value, &mut names);
        Self { entry, whole: sorted(value).to_string(), names }
    }

    /// An entry that is a whole file.
    pub(super) fn file(entry: ConfigEntry, path: &str) -> Self {
        Self { entry, whole: path.to_owned(), names: BTreeSet::from([path.to_owned()]) }
    }

    /// What makes it this entry, as one text; `files` are those that it names and that are there,
    /// each with what it holds. The file that an entry stands in is no part of it.
    pub fn identity(&self, files: &[(String, String)]) -> String {
        let ConfigEntry { agent, kind, name, .. } = &self.entry;
        let why = match kind {
            ConfigKind::Unreadable => self.entry.command.as_str(),
            _ => "",
        };
        serde_json::json!([agent, kind, name, why, self.whole, files]).to_string()
    }
}

/// A value with its tables in the order of their names: which comes first in a file means nothing.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(table) => {
            let mut entries: Vec<(&String, &Value)> = table.iter().collect();
            entries.sort_by_key(|(name, _)| *name);
            let entries = entries.into_iter().map(|(name, value)| (name.clone(), sorted(value)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
        Value::Array(list) => Value::Array(list.iter().map(sorted).collect()),
        value => value.clone(),
    }
}

/// What agents and shells call the root of the work tree.
const ROOTS: [&str; 8] = [
    "${CLAUDE_PROJECT_DIR}",
    "$CLAUDE_PROJECT_DIR",
    "${GEMINI_PROJECT_DIR}",
    "$GEMINI_PROJECT_DIR",
    "${PWD}",
    "$PWD",
    "$(pwd)",
    "$(git rev-parse --show-toplevel)",
];

/// What in a value may be the name of a file: each text of it, and each word of a text. Too many
/// do no harm, for only those count that are there.
fn add_names(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            let text = ROOTS.iter().fold(text.clone(), |text, root| text.replace(root, "."));
            // `"$ROOT"/x.sh` is one name, and so is what stands alone between quotes.
            let bare: String = text.chars().filter(|c| !matches!(c, '"' | '\'' | '\\')).collect();
            let words = text.split(is_end).chain(bare.split(is_end));
            let more = shell_words::split(&text).unwrap_or_default();
            let all = words.map(str::to_owned).chain(more).chain([text.clone()]);
            let all = all.map(|word| word.trim_start_matches('@').to_owned());
            names.extend(all.filter(|name| !name.is_empty()));
        }
        Value::Array(list) => list.iter().for_each(|value| add_names(value, names)),
        Value::Object(table) => table.values().for_each(|value| add_names(value, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) => (),
    }
}

/// Whether a name of a file ends here, in a command or in a list of names.
fn is_end(c: char) -> bool {
    c.is_whitespace() || "\"'`;|&()<>{}[]=,:".contains(c)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry(command: &str) -> ConfigEntry {
        ConfigEntry {
            agent: "claude".to_owned(),
            file: ".mcp.json".to_owned(),
            kind: ConfigKind::McpServer,
            name: "db".to_owned(),
            command: command.to_owned(),
        }
    }

    fn names(text: &str) -> BTreeSet<String> {
        Brought::setting(entry(""), &Value::from(text)).names
    }

    #[test]
    fn files_are_found_however_a_command_names_them() {
        for (command, name) in [
            ("./db.sh --fast", "./db.sh"),
            ("node scripts/server.js", "scripts/server.js"),
            ("\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/stop.sh", "./.claude/hooks/stop.sh"),
            ("${CLAUDE_PROJECT_DIR}/a.py;true", "./a.py"),
            ("bash -c 'cd x && ./in.sh'", "./in.sh"),
            ("python 'with space.py'", "with space.py"),
            ("node --require=./evil.js x", "./evil.js"),
            ("file:./plugin.ts", "./plugin.ts"),
            ("curl -d @data.txt", "data.txt"),
            ("a b.sh", "a b.sh"),
        ] {
            assert!(names(command).contains(name), "{command}: {name}");
        }
    }

    #[test]
    fn order_in_a_table_means_nothing_and_all_that_an_entry_says_counts() {
        let identity = |value: Value| Brought::setting(entry("x"), &value).identity(&[]);
        let one = json!({"command": "x", "env": {"A": "1", "B": "2"}});
        assert_eq!(
            identity(one.clone()),
            identity(json!({"env": {"B": "2", "A": "1"}, "command": "x"}))
        );
        assert_ne!(
            identity(one.clone()),
            identity(json!({"command": "x", "env": {"A": "2", "B": "2"}}))
        );
        assert_ne!(identity(json!({"args": ["a", "b"]})), identity(json!({"args": ["b", "a"]})));
        let brought = Brought::setting(entry("x"), &one);
        let file = |hash: &str| [("x".to_owned(), hash.to_owned())];
        assert_ne!(brought.identity(&file("1")), brought.identity(&file("2")));
    }
}
