//! Makes entries of a file's text, as an agent's table says.

use serde_json::Value;
use windlass_core::{
    event::{ConfigEntry, ConfigKind},
    text::sanitise,
};

use super::{Brought, ConfigFile, Format, Key, Shows, shown, value::value};

/// How many characters of a name or a command are kept.
const LONGEST: usize = 300;

/// What a file has its agent run or obey. `path` is where it is, from the root of the work tree.
pub fn entries(agent: &str, path: &str, file: &ConfigFile, bytes: &[u8]) -> Vec<Brought> {
    let mut found = Found { agent, path, entries: Vec::new() };
    if let Format::Whole(kind) = file.format {
        found.add_file(kind, "");
        return found.entries;
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return vec![unreadable(agent, path, "it is not UTF-8")];
    };
    match value(file.format, text) {
        Err(why) => found.add_file(ConfigKind::Unreadable, &why),
        Ok(value @ (Value::Object(_) | Value::Array(_))) => {
            for key in file.keys {
                let path: Vec<&str> = key.path.split('.').filter(|step| !step.is_empty()).collect();
                found.walk(key, &value, &path, String::new());
            }
        }
        Ok(_) => {
            found.add_file(ConfigKind::Unreadable, "it has no settings, but something else");
        }
    }
    found.entries
}

/// A file that nobody can read, or that is something else than a file.
pub fn unreadable(agent: &str, path: &str, why: &str) -> Brought {
    let mut found = Found { agent, path, entries: Vec::new() };
    found.add_file(ConfigKind::Unreadable, why);
    found.entries.remove(0)
}

struct Found<'a> {
    agent: &'a str,
    path: &'a str,
    entries: Vec<Brought>,
}

impl Found<'_> {
    /// Adds a setting; `value` is all that it says.
    fn add(&mut self, kind: ConfigKind, name: &str, command: &str, value: &Value) {
        self.push(Brought::setting(self.entry(kind, name, command), value));
    }

    /// Adds the file itself.
    fn add_file(&mut self, kind: ConfigKind, why: &str) {
        self.push(Brought::file(self.entry(kind, "", why), self.path));
    }

    fn push(&mut self, brought: Brought) {
        if !self.entries.contains(&brought) {
            self.entries.push(brought);
        }
    }

    fn entry(&self, kind: ConfigKind, name: &str, command: &str) -> ConfigEntry {
        ConfigEntry {
            agent: self.agent.to_owned(),
            file: clean(self.path),
            kind,
            name: clean(name),
            command: clean(command),
        }
    }

    /// Follows a key's path into a value; `name` is what the names at each `*` were.
    fn walk(&mut self, key: &Key, value: &Value, path: &[&str], name: String) {
        let Some((step, rest)) = path.split_first() else {
            return self.take(key, value, &name);
        };
        let is_any = *step == "*";
        match value {
            Value::Object(table) => {
                let meant = |inner: &str| is_any || is_named(inner, step);
                for (inner, value) in table.iter().filter(|(inner, _)| meant(inner)) {
                    let name = match (is_any, name.as_str()) {
                        (false, name) => name.to_owned(),
                        (true, "") => inner.clone(),
                        (true, name) => format!("{name} {inner}"),
                    };
                    self.walk(key, value, rest, name);
                }
            }
            Value::Array(list) if is_any => {
                for value in list {
                    match named(value) {
                        // `- server: {…}` in a list is the same as a table of servers.
                        Some(table) if rest.is_empty() => self.walk(key, table, path, name.clone()),
                        _ => self.walk(key, value, rest, name.clone()),
                    }
                }
            }
            _ => (),
        }
    }

    fn take(&mut self, key: &Key, value: &Value, name: &str) {
        let setting = key.path.rsplit_once("*.").map_or(key.path, |(_, last)| last);
        let setting = if setting.starts_with('$') { "" } else { setting.trim_end_matches('~') };
        let name = if name.is_empty() { setting } else { name };
        match (key.shows, value) {
            (_, Value::Null) => (),
            // What is switched off runs nothing.
            (Shows::Command | Shows::Address | Shows::Presence, Value::Bool(false)) => (),
            (Shows::Presence, _) => self.add(key.kind, name, "", value),
            (Shows::Command, _) => self.add(key.kind, name, &shown::command(value), value),
            (Shows::Address, _) => self.add(key.kind, name, &shown::address(value), value),
            // Its inner settings have their own keys.
            (Shows::Value, Value::Object(_)) => (),
            (Shows::Value, Value::Array(list)) => {
                list.iter().for_each(|value| self.word(key.kind, name, value));
            }
            (Shows::Value, _) => self.word(key.kind, name, value),
            (Shows::Names, value) => self.names(key.kind, value),
        }
    }

    /// A permission is told that is given, and not one that is kept back.
    fn word(&mut self, kind: ConfigKind, name: &str, value: &Value) {
        let is_kept_back = matches!(value.as_str(), Some("ask" | "deny"));
        if kind != ConfigKind::Permission || !is_kept_back {
            self.add(kind, name, &shown::word(value), value);
        }
    }

    fn names(&mut self, kind: ConfigKind, value: &Value) {
        let mut one = |name: &str, value: &Value| {
            if shown::is_address(name, value) {
                self.add(ConfigKind::Address, name, &shown::address(value), value);
            } else {
                self.add(kind, name, "", value);
            }
        };
        match value {
            Value::Object(table) => table.iter().for_each(|(name, value)| one(name, value)),
            Value::Array(list) => {
                for setting in list.iter().filter_map(Value::as_str) {
                    let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
                    one(name.trim(), &Value::from(value));
                }
            }
            Value::String(setting) => {
                let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
                one(name.trim(), &Value::from(value));
            }
            value => self.add(kind, "", "", value),
        }
    }
}

/// A table of one entry that is a table too, such as `{server: {command: …}}`.
fn named(value: &Value) -> Option<&Value> {
    let table = value.as_object().filter(|table| table.len() == 1)?;
    table.values().all(Value::is_object).then_some(value)
}

/// Whether a setting is the one that a table names. A step that ends with `~` also means its
/// abbreviations, with dashes before them or not: there are agents that take those.
fn is_named(setting: &str, step: &str) -> bool {
    match step.strip_suffix('~') {
        None => setting == step,
        Some(whole) => {
            let setting = setting.trim_start_matches('-').replace('_', "-");
            !setting.is_empty() && whole.starts_with(setting.as_str())
        }
    }
}

/// A text that is safe to show, in one line that is not too long. What cannot be seen is written out
/// rather than taken out, so that nothing hides between the ends of an escape sequence; nor does it
/// hide behind many blanks, or at the end of a long line.
fn clean(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = sanitise::json(&line);
    let length = line.chars().count();
    if length <= LONGEST {
        return line.into_owned();
    }
    let head: String = line.chars().take(LONGEST * 2 / 3).collect();
    let tail: String = line.chars().skip(length - LONGEST / 3).collect();
    format!("{head} … {tail} ({length} characters)")
}
