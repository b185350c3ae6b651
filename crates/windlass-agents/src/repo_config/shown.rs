//! What is shown of a setting: commands and addresses, and never the value of a variable.

use serde_json::Value;

/// What stands for a command whose form is not known.
const STRANGE: &str = "in a form that windlass does not know";

/// A command, in a line as a shell would have it.
pub(super) fn command(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(words) => words_of(words),
        Value::Object(table) => {
            let get = |names: &[&str]| names.iter().find_map(|name| table.get(*name));
            if let Some(program) = get(&["command", "cmd", "program", "path"]) {
                let args = get(&["args", "arguments"]).and_then(Value::as_array);
                let args = args.map(|args| words_of(args)).unwrap_or_default();
                return format!("{} {args}", command(program)).trim_end().to_owned();
            }
            if let Some(url) =
                get(&["url", "httpUrl", "serverUrl", "baseURL", "base_url", "repo", "source"])
            {
                return address(url);
            }
            match get(&["type"]).and_then(Value::as_str) {
                Some(kind) => format!("of the type {kind}"),
                None => STRANGE.to_owned(),
            }
        }
        Value::Bool(is_on) => is_on.to_string(),
        _ => STRANGE.to_owned(),
    }
}

fn words_of(words: &[Value]) -> String {
    let words = words.iter().map(|word| match word {
        Value::String(word) => shell_words::quote(word).into_owned(),
        word => word.to_string(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// An address without a user, a password or a query, which may be secret.
pub(super) fn address(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text,
        Value::Object(_) => return command(value),
        _ => return STRANGE.to_owned(),
    };
    let end = text.find(['?', '#']).unwrap_or(text.len());
    let text = &text[..end];
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

/// Whether a variable is told with its value: one that says where a model or a proxy is.
pub(super) fn is_address(name: &str, value: &Value) -> bool {
    let name = name.to_ascii_uppercase();
    let says_where = ["_URL", "_BASE", "_ENDPOINT", "_HOST", "_PROXY"];
    let is_named = says_where.iter().any(|end| name.ends_with(end));
    is_named && value.as_str().is_some_and(|value| value.contains("://"))
}

/// A word, or a number.
pub(super) fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => STRANGE.to_owned(),
    }
}
