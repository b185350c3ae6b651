//! One layer of the config: what one file, or the environment, sets.

use std::{collections::BTreeMap, fmt, path::PathBuf};

use serde::Deserialize;
use toml::{Table, Value};
use windlass::{
    agent::ConfiguredAgent,
    kind::{develop, heal, iterate, pr, tasks},
};
use windlass_core::prompts::PromptName;

use super::{
    auditor_table::AuditorEntry,
    known::{ALSO_A_WORD, KNOWN},
    prompt_files::PromptFile,
};
use crate::notify;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// `default.toml`.
    Default,
    /// The user's config file.
    User(PathBuf),
    /// The repository's config file.
    Repo(PathBuf),
    /// A variable.
    Env(String),
    /// The command line.
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::User(path) => write!(f, "user: {}", path.display()),
            Self::Repo(path) => write!(f, "repo: {}", path.display()),
            Self::Env(name) => write!(f, "env: {name}"),
            Self::Flag(name) => write!(f, "flag: {name}"),
        }
    }
}

/// A value and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setting {
    pub(crate) value: Value,
    pub(crate) origin: Origin,
}

/// Settings by name.
pub(crate) type Entries = BTreeMap<String, Setting>;

/// What one file, or the environment, sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer {
    /// What stands outside of tables.
    pub(crate) top: Entries,
    /// What stands in the tables of loop kinds.
    pub(crate) kinds: BTreeMap<String, Entries>,
    /// The agents.
    pub(crate) agents: BTreeMap<String, (ConfiguredAgent, Origin)>,
    /// The prompts that take the place of windlass's own.
    pub(crate) prompts: BTreeMap<PromptName, (PromptFile, Origin)>,
    /// What is said of auditors.
    pub(crate) auditors: BTreeMap<String, AuditorEntry>,
    /// What runs at moments of a loop.
    pub(crate) hooks: Table,
}

impl Layer {
    /// The layer of `default.toml`.
    pub(crate) fn defaults() -> Self {
        let mut layer = Self::default();
        for (key, value) in &KNOWN.defaults {
            if let Value::Table(table) = value {
                layer.kinds.insert(key.clone(), entries(table, &Origin::Default));
            } else {
                let setting = Setting { value: value.clone(), origin: Origin::Default };
                layer.top.insert(key.clone(), setting);
            }
        }
        layer
    }

    /// Lays this layer over what lower ones set for a loop kind. In one layer the kind's table
    /// wins over what stands outside of it.
    pub(crate) fn lay_over(&self, entries: &mut Entries, kind: Option<&str>) {
        let table = kind.and_then(|kind| self.kinds.get(kind));
        for (key, setting) in self.top.iter().chain(table.into_iter().flatten()) {
            insert(entries, key, setting.clone());
        }
    }
}

/// Sets a value, and takes away what it takes the place of.
pub(super) fn insert(entries: &mut Entries, key: &str, setting: Setting) {
    if key == "context" {
        entries.remove("no_context");
    }
    entries.insert(key.to_owned(), setting);
}

fn entries(table: &Table, origin: &Origin) -> Entries {
    let setting = |value: &Value| Setting { value: value.clone(), origin: origin.clone() };
    table.iter().map(|(key, value)| (key.clone(), setting(value))).collect()
}

/// Says why a setting cannot have a value, if it cannot.
pub(crate) fn refuse(key: &str, value: &Value) -> Option<String> {
    let mut table: Table = KNOWN.defaults.clone();
    table.insert(key.to_owned(), value.clone());
    let error = options(table).err()?;
    let example = KNOWN.example(key)?;
    let why = match (example, value) {
        (Value::Integer(_), Value::Integer(..0)) => "it is 0 or more",
        (Value::Integer(_), Value::Integer(_)) => "it is too large",
        _ if example.same_type(value) || ALSO_A_WORD.contains(&key) => error.message().trim(),
        _ => return Some(refuse_type(key, example, value)),
    };
    Some(format!("`{key}` cannot be `{value}`: {why}"))
}

/// Says that a value is of another type than it should be.
pub(super) fn refuse_type(key: &str, example: &Value, value: &Value) -> String {
    let (takes, not) = (kind_of(example), kind_of(value));
    format!("`{key}` takes {takes} such as `{}`, not {not}", such_as(example))
}

/// Makes options of every loop kind of a whole table, which is how a value is judged.
pub(super) fn options(mut table: Table) -> Result<(), toml::de::Error> {
    for missing in ["prompt", "tasks"] {
        table.insert(missing.to_owned(), Value::String(String::new()));
    }
    let table = Value::Table(table);
    iterate::Options::deserialize(table.clone())?;
    tasks::Options::deserialize(table.clone())?;
    develop::Options::deserialize(table.clone())?;
    heal::Options::deserialize(table.clone())?;
    notify::Options::deserialize(table.clone())?;
    pr::Options::deserialize(table).map(drop)
}

/// An example that shows something even where the default is empty.
fn such_as(example: &Value) -> String {
    match example.as_array() {
        Some(items) if items.is_empty() => "[\"…\"]".to_owned(),
        _ => example.to_string(),
    }
}

/// What kind of value it is, in words.
fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a string",
        Value::Integer(_) => "an integer",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::Table(_) => "a table",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_does_not_fit_is_told_in_words() {
        let refuse = |key: &str, value: &str| {
            let table: Table = format!("x = {value}").parse().unwrap();
            refuse(key, &table["x"]).unwrap_or_else(|| "fits".to_owned())
        };
        let cases = [
            ("max_iterations", "5"),
            ("max_iterations", "-5"),
            ("max_iterations", "5000000000"),
            ("max_iterations", "\"five\""),
            ("timeout", "90"),
            ("timeout", "\"90 parsecs\""),
            ("timeout", "true"),
            ("checks", "\"cargo test\""),
            ("promise_match", "\"loud\""),
            ("promise", "\"\""),
            ("worktree", "\"b\""),
            ("worktree", "1"),
            ("skip_permissions", "\"sandboxed\""),
            ("skip_permissions", "\"always\""),
        ];
        let lines: Vec<_> = cases.iter().map(|(key, value)| refuse(key, value)).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        fits
        `max_iterations` cannot be `-5`: it is 0 or more
        `max_iterations` cannot be `5000000000`: it is too large
        `max_iterations` takes an integer such as `20`, not a string
        fits
        `timeout` cannot be `"90 parsecs"`: expected a duration such as `90s`, `15m`, `6h` or `1m30s`, found `90 parsecs`
        `timeout` takes a string such as `"60m"`, not true or false
        `checks` takes a list such as `["…"]`, not a string
        `promise_match` cannot be `"loud"`: unknown variant `loud`, expected `tag` or `text`
        fits
        fits
        `worktree` takes a string such as `"try-it:main"`, not an integer
        fits
        `skip_permissions` cannot be `"always"`: invalid value: string "always", expected `false`, `true` or `"sandboxed"`
        "#);
    }
}
