//! The layer of `WINDLASS_*` variables, and text made into a value of a setting's type.

use std::ffi::OsStr;

use toml::{Table, Value};

use super::{
    aliases::setting_of,
    known::{ALSO_A_WORD, KNOWN, nearest},
    layer::{Layer, Origin, Setting, refuse},
};
use crate::host::{
    environment::{Environment, PREFIX},
    failure::Failure,
};

/// The layer of the environment, and warnings on variables that are no setting.
pub(crate) fn layer(environment: &Environment) -> Result<(Layer, Vec<String>), Failure> {
    let mut layer = Layer::default();
    let mut warnings = Vec::new();
    for (name, value) in environment.settings() {
        let written = name.to_ascii_lowercase();
        let key = setting_of(&written).to_owned();
        let variable = format!("{PREFIX}{name}");
        if KNOWN.example(&key).is_none() || name != written.to_ascii_uppercase() {
            let near = nearest(&key, KNOWN.keys());
            let near = near.map(|near| format!("; did you mean {}?", variable_of(near)));
            let near = near.unwrap_or_default();
            warnings.push(format!("{variable} is no setting of windlass and is ignored{near}"));
            continue;
        }
        let value =
            value_of(&key, value).map_err(|why| Failure::usage(format!("{variable}: {why}")))?;
        let setting = Setting { value, origin: Origin::Env(variable.clone()) };
        if let Some(Setting { origin: Origin::Env(other), .. }) = layer.top.insert(key, setting) {
            let what = format!("{other} and {variable} are the same setting: unset one of them");
            return Err(Failure::usage(what));
        }
    }
    Ok((layer, warnings))
}

/// The variable of a setting.
fn variable_of(key: &str) -> String {
    format!("{PREFIX}{}", key.to_ascii_uppercase())
}

fn value_of(key: &str, text: &OsStr) -> Result<Value, String> {
    let text = text.to_str().ok_or_else(|| "the value is not UTF-8".to_owned())?;
    checked(key, text)
}

/// Text as a value that the setting can have.
pub(crate) fn checked(key: &str, text: &str) -> Result<Value, String> {
    let value = typed(key, text)?;
    match refuse(key, &value) {
        Some(why) => Err(why),
        None => Ok(value),
    }
}

/// Text as a value of the type that the setting has. A list is one item, or a list in TOML.
pub(crate) fn typed(key: &str, text: &str) -> Result<Value, String> {
    let wrong = |expected: &str| format!("`{key}` takes {expected}, not `{text}`");
    match KNOWN.example(key) {
        Some(Value::Integer(_)) => {
            text.trim().parse().map(Value::Integer).map_err(|_| wrong("an integer"))
        }
        Some(Value::Float(_)) => {
            text.trim().parse().map(Value::Float).map_err(|_| wrong("a number"))
        }
        Some(Value::Boolean(_)) => match text.trim() {
            "true" | "1" => Ok(Value::Boolean(true)),
            "false" | "0" => Ok(Value::Boolean(false)),
            // Whether the word is one that it can be is looked at where values are checked.
            word if ALSO_A_WORD.contains(&key) => Ok(Value::String(word.to_owned())),
            _ => Err(wrong("true or false")),
        },
        Some(Value::Array(_)) if text.trim_start().starts_with('[') => {
            let table: Option<Table> = format!("list = {text}").parse().ok();
            table.and_then(|mut table| table.remove("list")).ok_or_else(|| wrong("a list"))
        }
        Some(Value::Array(_)) => Ok(Value::Array(vec![Value::String(text.to_owned())])),
        Some(Value::String(_) | Value::Datetime(_) | Value::Table(_)) | None => {
            Ok(Value::String(text.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_take_the_type_of_their_setting() {
        let environment = Environment::of([
            ("WINDLASS_MAX_ITERATIONS", "5"),
            ("WINDLASS_AUTO_COMMIT", "true"),
            ("WINDLASS_TIMEOUT", "90"),
            ("WINDLASS_CHECKS", "cargo test"),
            ("WINDLASS_PROTECT", "['tests/**', 'Cargo.lock']"),
            ("WINDLASS_PROMISE", ""),
            ("OTHER", "x"),
        ]);
        let (layer, warnings) = layer(&environment).expect("they are good");
        let lines: Vec<_> =
            layer.top.iter().map(|(key, setting)| format!("{key} = {}", setting.value)).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        auto_commit = true
        checks = ["cargo test"]
        max_iterations = 5
        promise = ""
        protect = ["tests/**", "Cargo.lock"]
        timeout = "90"
        "#);
        assert!(warnings.is_empty(), "{warnings:?}");
    }

    #[test]
    fn a_variable_that_is_no_setting_is_told_and_ignored() {
        let environment = Environment::of([
            ("WINDLASS_MAX_ITERATION", "5"),
            ("WINDLASS_AGENTS", "x"),
            ("WINDLASS_promise", "x"),
        ]);
        let (layer, warnings) = layer(&environment).expect("nothing is wrong");
        assert!(layer.top.is_empty());
        insta::assert_snapshot!(warnings.join("\n"), @"
        WINDLASS_AGENTS is no setting of windlass and is ignored; did you mean WINDLASS_AGENT?
        WINDLASS_MAX_ITERATION is no setting of windlass and is ignored; did you mean WINDLASS_MAX_ITERATIONS?
        WINDLASS_promise is no setting of windlass and is ignored; did you mean WINDLASS_PROMISE?
        ");
    }

    #[test]
    fn a_value_that_does_not_fit_names_its_variable() {
        let error = |name: &str, value: &str| {
            let environment = Environment::of([(name, value)]);
            layer(&environment).expect_err("it is wrong").error.to_string()
        };
        let lines = [
            error("WINDLASS_MAX_ITERATIONS", "many"),
            error("WINDLASS_MAX_ITERATIONS", "-1"),
            error("WINDLASS_AUTO_COMMIT", "maybe"),
            error("WINDLASS_GRACE", "soon"),
            error("WINDLASS_CHECKS", "['a'"),
            error("WINDLASS_CHECKS", "[1]"),
        ];
        insta::assert_snapshot!(lines.join("\n"), @r#"
        WINDLASS_MAX_ITERATIONS: `max_iterations` takes an integer, not `many`
        WINDLASS_MAX_ITERATIONS: `max_iterations` cannot be `-1`: it is 0 or more
        WINDLASS_AUTO_COMMIT: `auto_commit` takes true or false, not `maybe`
        WINDLASS_GRACE: `grace` cannot be `"soon"`: expected a duration such as `90s`, `15m`, `6h` or `1m30s`, found `soon`
        WINDLASS_CHECKS: `checks` takes a list, not `['a'`
        WINDLASS_CHECKS: `checks` cannot be `[1]`: invalid type: integer `1`, expected a string
        "#);
    }
}
