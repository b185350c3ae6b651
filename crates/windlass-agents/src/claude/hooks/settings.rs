//! The settings that the user gives Claude Code by an argument: it heeds the last `--settings`
//! alone, so windlass's hooks go into that one. Does no I/O.

use std::path::Path;

use crate::{HooksError, ReadSettings};

const FLAG: &str = "--settings";

/// Where among the arguments the settings stand that count.
struct Place {
    /// The argument with the value.
    at: usize,
    /// What stands before the value in it.
    prefix: &'static str,
}

impl Place {
    fn find(args: &[String]) -> Option<Self> {
        let joined =
            |arg: &String| arg.strip_prefix(FLAG).is_some_and(|rest| rest.starts_with('='));
        let at = args.iter().rposition(|arg| arg == FLAG || joined(arg))?;
        if joined(&args[at]) {
            return Some(Self { at, prefix: "--settings=" });
        }
        (at + 1 < args.len()).then_some(Self { at: at + 1, prefix: "" })
    }

    fn value<'a>(&self, args: &'a [String]) -> &'a str {
        args[self.at].strip_prefix(self.prefix).unwrap_or_default()
    }
}

/// The value of the settings that the arguments give.
pub(super) fn given(args: &[String]) -> Option<&str> {
    Place::find(args).map(|place| place.value(args))
}

/// Puts the text of a settings file in the place of its path.
pub(super) fn take_in(args: &mut [String], read: &ReadSettings<'_>) -> Result<(), HooksError> {
    let Some(place) = Place::find(args) else { return Ok(()) };
    let value = place.value(args).trim().to_owned();
    let is_text = value.starts_with('{');
    // A text may hold what others must not see.
    let named = if is_text { FLAG.to_owned() } else { format!("{FLAG} {value}") };
    let bad = |why: String| HooksError::BadSettings { argument: named.clone(), why };
    let text = if is_text { value } else { read(Path::new(&value)).map_err(bad)? };
    let settings: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text)
        .map_err(|error| bad(format!("it is no JSON object: {error}")))?;
    args[place.at] = format!("{}{}", place.prefix, serde_json::Value::Object(settings));
    Ok(())
}

/// The arguments without settings, which stand in the file with the hooks then.
pub(in crate::claude) fn without_settings(args: &[String]) -> Vec<String> {
    let mut kept = Vec::with_capacity(args.len());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == FLAG {
            args.next();
        } else if !arg.strip_prefix(FLAG).is_some_and(|rest| rest.starts_with('=')) {
            kept.push(arg.clone());
        }
    }
    kept
}
