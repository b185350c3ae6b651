//! Flags that were typed and have no effect in this call: somebody who types one means something by it,
//! so it is refused, with the reason. The table has them all; a flag that is not in it always acts.
//!
//! Only what was typed is judged, never a file or a variable; and not where it restates the default.

mod asked;
mod table;

use serde_json::{Map, Value};

pub(crate) use self::asked::Asked;
use self::table::{Row, TABLE};
use super::known::KNOWN;
use crate::host::failure::Failure;

/// What follows from a flag that has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follows {
    /// Nothing is started.
    Refused,
    /// It is told.
    Warned,
}

/// A flag that was typed: its name as people type it, its key and its value.
#[derive(Clone, Debug)]
pub(crate) struct TypedFlag {
    pub(crate) name: String,
    pub(crate) key: String,
    pub(crate) value: Value,
    /// What it is without the flag, where clap says so and not `default.toml`.
    pub(crate) default: Option<Value>,
}

/// Refuses the first of the typed flags that has no effect; gives warnings on others.
pub(crate) fn judge(typed: &[TypedFlag], asked: &Asked) -> Result<Vec<String>, Failure> {
    let mut warnings = Vec::new();
    for flag in typed.iter().filter(|flag| !flag.restates_the_default(asked.kind())) {
        let Some(row) = TABLE.iter().find(|row| row.is_about(&flag.key, asked)) else { continue };
        let why = format!("`{}` has no effect {}", flag.name, row.why);
        match row.follows {
            Follows::Refused => {
                return Err(Failure::usage(why).hint("leave it out, or add what it needs"));
            }
            Follows::Warned => warnings.push(why),
        }
    }
    Ok(warnings)
}

impl TypedFlag {
    fn restates_the_default(&self, kind: &str) -> bool {
        let default = KNOWN.default_of(&self.key, kind);
        let default = default.and_then(|value| serde_json::to_value(value).ok());
        let default = default.or_else(|| self.default.clone());
        // A switch that is off is as if nobody had typed it.
        default.is_some_and(|default| default == self.value) || self.value == Value::Bool(false)
    }
}

impl Row {
    fn is_about(&self, key: &str, asked: &Asked) -> bool {
        let of_kind = self.kinds.is_empty() || self.kinds.contains(&asked.kind());
        of_kind && self.flags.contains(&key) && (self.idle)(asked)
    }
}

/// What holds in a loop that is there already, once the changes are made.
pub(crate) fn of_frozen(kind: &str, frozen: &Value, changes: &Map<String, Value>) -> Asked {
    let mut values = frozen.as_object().cloned().unwrap_or_default();
    values.extend(changes.clone());
    if changes.get("checks").and_then(Value::as_array).is_some_and(|checks| !checks.is_empty()) {
        values.insert("no_check".to_owned(), Value::Bool(false));
    }
    Asked::new(kind, values)
}

#[cfg(test)]
mod tests;
