//! The options of a loop that is to be started, as arguments. An option is a flag that the command
//! of the loop knows, and its value is a value: none can become another flag, and there is no shell.

use std::{ffi::OsString, io::Write as _, path::Path};

use clap::{Arg, ArgAction, Command};
use serde_json::{Map, Value};
use tempfile::NamedTempFile;

use crate::{
    args,
    config::{nearest, switch_of},
    control::launch::told,
    web::Problem,
};

/// The loops that can be started, as they are called.
pub(crate) const KINDS: [&str; 5] = ["iterate", "tasks", "develop", "heal", "pr"];

/// Flags that are not options of the loop: where it runs, and what it prints.
const NOT_OURS: [&str; 12] = [
    "help",
    "version",
    "directory",
    "color",
    "json",
    "jsonl",
    "quiet",
    "format",
    "verbose",
    "tui",
    "take-over",
    "the-loop",
];

/// Texts that are handed over in a file: what stands in the arguments of a process can be read by
/// every user of the machine, and has a length.
const IN_A_FILE: [(&str, &str, &str); 4] = [
    ("resume", "prompt", "prompt-file"),
    ("iterate", "prompt", "prompt-file"),
    ("tasks", "task-prompt", "task-prompt-file"),
    ("develop", "task", "task-file"),
];

/// The arguments of `windlass KIND`, and the file that they name, which is gone when this is.
#[derive(Debug)]
pub(super) struct Typed {
    pub(super) argv: Vec<OsString>,
    _file: Option<NamedTempFile>,
}

/// The arguments for these options.
pub(super) fn typed(
    kind: &str,
    options: &Map<String, Value>,
    home: &Path,
) -> Result<Typed, Problem> {
    let whole = args::command();
    let command = whole.find_subcommand(kind).expect("a kind that can be started is a command");
    let mut typed = Typed { argv: vec![kind.into(), "--quiet".into()], _file: None };
    let mut last = Vec::new();
    for (key, value) in options {
        let name = key.replace('_', "-");
        let arg = find(command, &name).ok_or_else(|| unknown(command, kind, key))?;
        let in_a_file = IN_A_FILE.iter().find(|(of, text, _)| *of == kind && *text == name);
        if let (Some((_, _, flag)), Some(text)) = (in_a_file, value.as_str())
            && !text.trim().is_empty()
        {
            let file = written(home, text)?;
            typed.argv.push(flag_with(flag, &file.path().as_os_str().to_owned()));
            typed._file = Some(file);
        } else if arg.is_positional() {
            last.extend(positional(arg, key, value)?);
        } else if *value == Value::Bool(false) && !arg.get_action().takes_values() {
            // What the config has switched on is switched off.
            typed.argv.extend(opposite(command, arg).map(|flag| format!("--{flag}").into()));
        } else {
            typed.argv.extend(flags(arg, &name, key, value)?);
        }
    }
    // What goes to the agent as it is comes after `--`, and so after everything else.
    last.sort_by_key(|(is_last, _)| *is_last);
    let mut dashes = false;
    for (is_last, value) in last {
        if is_last && !dashes {
            typed.argv.push("--".into());
            dashes = true;
        }
        typed.argv.push(value.into());
    }
    Ok(typed)
}

/// Lets clap read the arguments, so that what it would refuse is told before anything is started.
pub(super) fn check(argv: &[OsString]) -> Result<(), Problem> {
    let words = std::iter::once(OsString::from("windlass")).chain(argv.iter().cloned());
    let Err(error) = args::command().try_get_matches_from(words) else { return Ok(()) };
    let (message, hints) = told(&error.to_string());
    Err(hints.into_iter().fold(Problem::unusable(message), Problem::hint))
}

/// The argument of that name, where the web may use it.
fn find<'a>(command: &'a Command, name: &str) -> Option<&'a Arg> {
    if NOT_OURS.contains(&name) {
        return None;
    }
    let ours = command.get_arguments().filter(|arg| !arg.is_hide_set() || switch_of(arg).is_some());
    let mut ours = ours.filter(|arg| !arg.get_long().is_some_and(|long| NOT_OURS.contains(&long)));
    ours.find(|arg| match arg.get_long() {
        Some(long) => long == name || arg.get_all_aliases().unwrap_or_default().contains(&name),
        None => arg.get_id().as_str().replace('_', "-") == name,
    })
}

/// The flag that switches off what this one switches on, if it has one.
fn opposite<'a>(command: &'a Command, arg: &Arg) -> Option<&'a str> {
    let of = |other: &&Arg| switch_of(other) == Some(arg.get_id().as_str());
    command.get_arguments().find(of)?.get_long()
}

/// The names of the options that a loop of this kind has.
pub(crate) fn names(kind: &str) -> Vec<String> {
    let whole = args::command();
    let command = whole.find_subcommand(kind).into_iter();
    let args = command.flat_map(Command::get_arguments).filter(|arg| switch_of(arg).is_none());
    let names = args.map(|arg| match arg.get_long() {
        Some(long) => long.to_owned(),
        None => arg.get_id().as_str().replace('_', "-"),
    });
    names.filter(|name| !NOT_OURS.contains(&name.as_str())).collect()
}

fn unknown(command: &Command, kind: &str, key: &str) -> Problem {
    let names = names(command.get_name());
    let near = nearest(&key.replace('_', "-"), names.iter().map(String::as_str));
    let problem = Problem::unusable(format!("`{kind}` has no option `{key}`"));
    match near {
        Some(near) => problem.hint(format!("did you mean `{near}`?")),
        None => problem,
    }
    .hint(format!("`windlass {kind} --help` lists its flags: options are named like them"))
}

fn flags(arg: &Arg, name: &str, key: &str, value: &Value) -> Result<Vec<OsString>, Problem> {
    let takes_value = arg.get_action().takes_values();
    match value {
        Value::Null => Ok(Vec::new()),
        Value::Bool(true) if !takes_value => Ok(vec![format!("--{name}").into()]),
        _ if !takes_value => {
            Err(Problem::unusable(format!("`{key}` is a switch: its value is `true` or `false`")))
        }
        Value::Array(items) if matches!(arg.get_action(), ArgAction::Append) => {
            items.iter().map(|item| Ok(flag_with(name, &text(key, item)?.into()))).collect()
        }
        Value::Array(_) => {
            Err(Problem::unusable(format!("`{key}` has one value, and not a list of them")))
        }
        value => Ok(vec![flag_with(name, &text(key, value)?.into())]),
    }
}

/// One word, so that the value cannot be taken for anything else.
fn flag_with(name: &str, value: &OsString) -> OsString {
    let mut word = OsString::from(format!("--{name}="));
    word.push(value);
    word
}

/// Values that have no flag; and whether they come after `--`.
fn positional(arg: &Arg, key: &str, value: &Value) -> Result<Vec<(bool, String)>, Problem> {
    let is_last = arg.is_last_set();
    let items = match value {
        Value::Null => Vec::new(),
        Value::Array(items) => {
            items.iter().map(|item| text(key, item)).collect::<Result<_, _>>()?
        }
        value => vec![text(key, value)?],
    };
    if let Some(flag) = items.iter().find(|item| !is_last && item.starts_with('-')) {
        return Err(Problem::unusable(format!(
            "`{flag}` cannot be one of `{key}`: it looks like a flag"
        )));
    }
    Ok(items.into_iter().map(|item| (is_last, item)).collect())
}

fn text(key: &str, value: &Value) -> Result<String, Problem> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(is_on) => is_on.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => {
            return Err(Problem::unusable(format!("`{key}` must be a text, a number or a switch")));
        }
    };
    match text.contains('\0') {
        true => Err(Problem::unusable(format!("`{key}` has a NUL in it"))),
        false => Ok(text),
    }
}

/// A text in a file that only this user can read.
fn written(home: &Path, text: &str) -> Result<NamedTempFile, Problem> {
    let file = tempfile::Builder::new().prefix("prompt-").tempfile_in(home);
    let file = file.and_then(|mut file| file.write_all(text.as_bytes()).map(|()| file));
    file.map_err(|error| {
        Problem::new(
            axum::http::StatusCode::INSUFFICIENT_STORAGE,
            format!("the prompt could not be handed over: {error}"),
        )
    })
}

#[cfg(test)]
mod tests;
