//! The text of a file as one value, whatever its format.

use serde_json::{Map, Value};

use super::{Format, jsonc, yaml};

/// What a file says, or why nobody can tell.
pub(super) fn value(format: Format, text: &str) -> Result<Value, String> {
    match format {
        Format::Json => {
            let plain = jsonc::plain(text);
            if plain.trim().is_empty() {
                return Ok(Value::Object(Map::new()));
            }
            serde_json::from_str(&plain).map_err(|error| format!("it is not JSON: {error}"))
        }
        Format::Toml => {
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            // The whole message has a picture of the line in it.
            toml::from_str(text).map_err(|error| format!("it is not TOML: {}", error.message()))
        }
        Format::Yaml => yaml::value(text),
        Format::FrontMatter => front_matter(text),
        Format::Env => Ok(variables(text)),
        Format::Whole(_) => Ok(Value::Null),
    }
}

/// The table at the top of a text, with the text itself as `$text`.
fn front_matter(text: &str) -> Result<Value, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut table = Map::new();
    let mut rest = text;
    if let Some(inner) = text.strip_prefix("---").filter(|inner| inner.starts_with(['\n', '\r'])) {
        let end = inner.find("\n---").unwrap_or(inner.len());
        match yaml::value(&inner[..end])? {
            Value::Object(found) => table = found,
            _ => return Err("its first lines are no table".to_owned()),
        }
        rest = &inner[end..];
    }
    table.insert("$text".to_owned(), commands_in(rest));
    Ok(Value::Object(table))
}

/// The commands that an agent runs while it reads a text: `` !`date` `` and `!{date}`.
fn commands_in(text: &str) -> Value {
    let mut commands = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('!') {
        rest = &rest[at + 1..];
        let end = match rest.chars().next() {
            Some('`') => '`',
            Some('{') => '}',
            _ => continue,
        };
        let inner = &rest[1..];
        let Some(length) = inner.find(end) else { continue };
        commands.push(Value::from(&inner[..length]));
        rest = &inner[length + 1..];
    }
    Value::Array(commands)
}

/// The variables of `NAME=VALUE` lines.
fn variables(text: &str) -> Value {
    let mut table = Map::new();
    for line in text.lines() {
        let line = line.trim_start_matches('\u{feff}').trim_start();
        let line = line.strip_prefix("export ").unwrap_or(line);
        let Some((name, value)) = line.split_once(['=', ':']) else { continue };
        let name = name.trim();
        if !name.is_empty() && !name.starts_with('#') {
            let value = value.trim().trim_matches(['"', '\'']);
            table.insert(name.to_owned(), Value::from(value));
        }
    }
    Value::Object(table)
}
