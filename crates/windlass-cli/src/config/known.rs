//! What can be set at all. All of it is read from `default.toml`: names, defaults, types, and the
//! headings of `--help`.

use std::{collections::BTreeMap, sync::LazyLock};

use toml::{Table, Value};

/// The text of `default.toml`.
pub(crate) const DEFAULT_TOML: &str = include_str!("../default.toml");

/// The settings that `default.toml` knows.
pub(crate) static KNOWN: LazyLock<Known> = LazyLock::new(|| Known::read(DEFAULT_TOML));

/// Tables that are not those of loop kinds.
pub(crate) const OTHER_TABLES: [&str; 4] = ["agents", "auditors", "on", "prompts"];

/// Settings that are true or false, or a word.
pub(super) const ALSO_A_WORD: [&str; 1] = ["skip_permissions"];

/// The settings that are known.
#[derive(Debug)]
pub(crate) struct Known {
    /// The defaults; settings that have none are left out.
    pub(crate) defaults: Table,
    /// All settings with a value of the right type: the default, or an example.
    examples: Table,
    /// The heading that each setting stands under.
    headings: BTreeMap<String, String>,
}

impl Known {
    /// Reads what `default.toml` says. Lines that begin with `#` and go on without a space are
    /// settings without a default; lines that begin with `##` are headings.
    fn read(text: &str) -> Self {
        let mut all = String::new();
        let mut headings = BTreeMap::new();
        let mut heading = "";
        let mut in_table = false;
        for line in text.lines() {
            if let Some(title) = line.strip_prefix("## ") {
                heading = title;
            }
            let setting = match line.strip_prefix('#') {
                Some(rest) if rest.starts_with(|c: char| c.is_ascii_lowercase() || c == '[') => {
                    rest
                }
                _ => line,
            };
            // What stands in a table is a setting that stands above too, or none with a flag.
            in_table |= setting.starts_with('[');
            let is_setting = !in_table && !setting.starts_with('#');
            if let Some((key, _)) = setting.split_once(" = ").filter(|_| is_setting) {
                headings.entry(key.to_owned()).or_insert_with(|| heading.to_owned());
            }
            all.push_str(setting);
            all.push('\n');
        }
        let parse = |text: &str| text.parse().expect("default.toml is valid, as a test holds");
        Self { defaults: parse(text), examples: parse(&all), headings }
    }

    /// The names of all tables.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &str> {
        self.kinds().chain(OTHER_TABLES)
    }

    /// The names of all settings.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.examples.iter().filter(|(_, value)| !value.is_table()).map(|(key, _)| key.as_str())
    }

    /// The names of the loop kinds.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = &str> {
        let tables = self.examples.iter().filter(|(_, value)| value.is_table());
        tables.map(|(key, _)| key.as_str()).filter(|key| !OTHER_TABLES.contains(key))
    }

    /// The names of what an agent's table can have.
    pub(crate) fn agent_keys(&self) -> impl Iterator<Item = &str> {
        self.example_in("agents").map(|(key, _)| key)
    }

    /// What an auditor's table can have: names, and values of the right types.
    pub(crate) fn auditor_keys(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.example_in("auditors")
    }

    /// The names of what `[on]` can have.
    pub(crate) fn hook_keys(&self) -> impl Iterator<Item = &str> {
        let table = self.examples.get("on").and_then(Value::as_table);
        table.into_iter().flat_map(|table| table.keys().map(String::as_str))
    }

    /// What stands in the example of a table of tables.
    fn example_in(&self, tables: &str) -> impl Iterator<Item = (&str, &Value)> {
        let tables = self.examples.get(tables).and_then(Value::as_table);
        let example = tables.and_then(|tables| tables.values().next()).and_then(Value::as_table);
        example.into_iter().flat_map(|table| table.iter().map(|(key, value)| (key.as_str(), value)))
    }

    /// A value of the type that a setting has.
    pub(crate) fn example(&self, key: &str) -> Option<&Value> {
        self.examples.get(key).filter(|value| !value.is_table())
    }

    /// The default of a setting, if it has one.
    pub(crate) fn default(&self, key: &str) -> Option<&Value> {
        self.defaults.get(key).filter(|value| !value.is_table())
    }

    /// The default of a setting in a loop of that kind, if it has one.
    pub(crate) fn default_of(&self, key: &str, kind: &str) -> Option<&Value> {
        let table = self.defaults.get(kind).and_then(Value::as_table);
        table.and_then(|table| table.get(key)).or_else(|| self.default(key))
    }

    /// The heading that a setting stands under.
    pub(crate) fn heading(&self, key: &str) -> Option<&str> {
        self.headings.get(key).map(String::as_str)
    }
}

/// The one of `known` that is nearest to `name`, if one is near.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let scored = known.map(|known| (strsim::damerau_levenshtein(name, known), known));
    let (distance, nearest) = scored.min_by_key(|(distance, _)| *distance)?;
    // A third of the word wrong is a slip; more is another word.
    let near = distance <= (nearest.len().max(name.len()) / 3).max(1);
    near.then_some(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_without_a_default_are_known() {
        assert!(KNOWN.default("worktree").is_none());
        assert!(KNOWN.example("worktree").is_some_and(Value::is_str));
        assert_eq!(KNOWN.heading("worktree"), Some("Git"));
        assert_eq!(
            KNOWN.kinds().collect::<Vec<_>>(),
            ["develop", "heal", "iterate", "pr", "tasks"]
        );
        let keys: Vec<_> = KNOWN.agent_keys().collect();
        assert_eq!(keys, ["command", "decoder", "env", "model", "prompt", "sandbox"]);
    }

    #[test]
    fn what_stands_in_an_auditors_table_is_known_and_is_no_flag() {
        let keys: Vec<_> = KNOWN.auditor_keys().map(|(key, _)| key).collect();
        assert_eq!(keys, ["agent", "enabled", "paths", "prompt"]);
        assert_eq!(KNOWN.heading("paths"), None, "what stands in a table has no flag");
    }

    #[test]
    fn only_a_slip_is_corrected() {
        assert_eq!(nearest("max_itertions", KNOWN.keys()), Some("max_iterations"));
        assert_eq!(nearest("check", KNOWN.keys()), Some("checks"));
        assert_eq!(nearest("colour_scheme", KNOWN.keys()), None);
    }
}
