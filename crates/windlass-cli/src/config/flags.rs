//! The bridge between flags and settings: flags show the defaults of `default.toml` in `--help`,
//! and of the parsed ones only those that were typed lie over the config.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, parser::ValueSource};
use toml::Value;
use windlass::{agent::AgentOptions, kind::iterate};
use windlass_core::options::{LimitOptions, Pace, Proof, Rules};

use super::{
    aliases::with_setting,
    known::KNOWN,
    layer::{Entries, Origin, Setting},
    no_effect::TypedFlag,
    opposites::{switch_of, with_opposites, with_opposites_of_settings},
    variables::typed,
};
use crate::host::failure::Failure;

/// What a loop is about stays at the top of its help.
const ON_TOP: &str = "loop";

/// A loop's command with defaults and headings from `default.toml`: no flag of it that is a
/// setting is required any more.
pub(crate) fn with_defaults(command: Command, kind: &str) -> Command {
    let command = command.mut_args(|arg| {
        let key = arg.get_id().to_string();
        if KNOWN.example(&key).is_none() {
            return arg;
        }
        let arg = match KNOWN.heading(&key).filter(|_| key != ON_TOP) {
            Some(heading) => arg.required(false).help_heading(heading),
            None => arg.required(false),
        };
        let arg = with_setting(arg);
        match KNOWN.default_of(&key, kind) {
            Some(value) => with_default(arg, value),
            None => arg,
        }
    });
    with_opposites(command)
}

/// The command that takes a loop up again, with the flags that may be changed then. They have no
/// defaults: what is not typed stays as the loop was started with.
pub(crate) fn with_changeable(command: Command) -> Command {
    with_limits(with_going_on(command))
}

/// The flags that say when to give up, how fast to go, and what to do at a provider's limit.
fn with_limits(command: Command) -> Command {
    // A group of options brings its own words along, and would put them in place of the command's.
    let about = command.get_about().cloned().unwrap_or_default();
    let long_about = command.get_long_about().cloned().unwrap_or_default();
    let command = Rules::augment_args(command.next_help_heading("When to give up"));
    let command = Pace::augment_args(command.next_help_heading("Pace"));
    let command = LimitOptions::augment_args(command.next_help_heading("Limits"));
    let command = command.about(about).long_about(long_about);
    let command = command.mut_args(|arg| match KNOWN.example(arg.get_id().as_str()) {
        Some(_) => with_setting(arg.required(false)),
        None => arg,
    });
    with_opposites_of_settings(command)
}

/// What people change when they go on, besides limits.
const GOING_ON: [&str; 14] = [
    "checks",
    "guard",
    "unguard",
    "test_policy",
    "known_failures",
    "agent",
    "model",
    "skip_permissions",
    "command",
    "prompt_mode",
    "decoder",
    "sandbox",
    "image",
    "promise",
];

/// The flags among those of `iterate` that people change when they go on.
fn with_going_on(command: Command) -> Command {
    let all = iterate::Options::augment_args(Command::new("iterate"));
    let args = all.get_arguments().filter(|arg| GOING_ON.contains(&arg.get_id().as_str()));
    command.args(args.cloned().collect::<Vec<_>>())
}

/// What proves the work of a loop once more when it is merged: nothing runs before that, and tests are
/// as the loop leaves them.
const ON_MERGING: [&str; 5] =
    ["checks", "no_check", "check_timeout", "protect", "no_protect_checks"];

/// The command that brings a loop's work home, with the flags that say who settles what does not fit
/// and what must pass. They have no defaults either: the loop's own settings hold.
pub(crate) fn with_resolving(command: Command) -> Command {
    let about = command.get_about().cloned().unwrap_or_default();
    let long_about = command.get_long_about().cloned().unwrap_or_default();
    let command = AgentOptions::augment_args(command.next_help_heading("Agent"));
    let all = Proof::augment_args(Command::new("merge").next_help_heading("Claim and proof"));
    let args = all.get_arguments().filter(|arg| ON_MERGING.contains(&arg.get_id().as_str()));
    let command = command.args(args.cloned().collect::<Vec<_>>());
    with_limits(command.about(about).long_about(long_about))
}

fn with_default(arg: Arg, value: &Value) -> Arg {
    if matches!(arg.get_action(), ArgAction::SetTrue | ArgAction::SetFalse | ArgAction::Count) {
        return arg;
    }
    match value {
        // An empty default would read `[default: ]`.
        Value::Array(items) if items.is_empty() => arg,
        Value::Array(items) => arg.default_values(items.iter().map(shown)),
        Value::String(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::Boolean(_)
        | Value::Datetime(_)
        | Value::Table(_) => arg.default_value(shown(value)),
    }
}

/// A value as one would type it after a flag.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Lays the flags of `command` that were typed over `entries`.
pub(crate) fn lay_over(
    command: &Command,
    matches: &ArgMatches,
    entries: &mut Entries,
) -> Result<(), Failure> {
    for arg in command.get_arguments() {
        let key = arg.get_id().as_str();
        if matches.value_source(key) != Some(ValueSource::CommandLine) {
            continue;
        }
        let name = name_of(arg);
        if let Some(switch) = switch_of(arg) {
            let off = Setting { value: Value::Boolean(false), origin: Origin::Flag(name) };
            entries.insert(switch.to_owned(), off);
            continue;
        }
        let texts = matches.get_raw(key).unwrap_or_default();
        let texts: Option<Vec<_>> = texts.map(|text| text.to_str().map(str::to_owned)).collect();
        let texts =
            texts.ok_or_else(|| Failure::usage(format!("the value of `{name}` is not UTF-8")))?;
        let value = value(arg, texts).map_err(|why| Failure::usage(format!("`{name}`: {why}")))?;
        entries.insert(key.to_owned(), Setting { value, origin: Origin::Flag(name) });
    }
    Ok(())
}

/// The flags of `command` that were typed, as they are judged.
pub(super) fn typed_among(command: &Command, entries: &Entries) -> Vec<TypedFlag> {
    let judged = entries.iter().filter_map(|(key, setting)| {
        let Origin::Flag(name) = &setting.origin else { return None };
        let arg = command.get_arguments().find(|arg| arg.get_id() == key.as_str());
        let default = arg.and_then(|arg| arg.get_default_values().first()?.to_str());
        Some(TypedFlag {
            name: name.clone(),
            key: key.clone(),
            value: serde_json::to_value(&setting.value).unwrap_or_default(),
            default: default.map(|default| serde_json::Value::String(default.to_owned())),
        })
    });
    judged.collect()
}

fn value(arg: &Arg, mut texts: Vec<String>) -> Result<Value, String> {
    let key = arg.get_id().as_str();
    match KNOWN.example(key) {
        Some(Value::Array(_)) => Ok(list(texts)),
        Some(_) => typed(key, &texts.pop().unwrap_or_default()),
        // A flag that is no setting, such as the prompt: clap knows what it is.
        None if matches!(arg.get_action(), ArgAction::Append) => Ok(list(texts)),
        None if matches!(arg.get_action(), ArgAction::SetTrue) => Ok(Value::Boolean(true)),
        None => Ok(Value::String(texts.pop().unwrap_or_default())),
    }
}

fn list(texts: Vec<String>) -> Value {
    Value::Array(texts.into_iter().map(Value::String).collect())
}

/// A flag as people type it.
fn name_of(arg: &Arg) -> String {
    match (arg.get_long(), arg.get_short()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some(short)) => format!("-{short}"),
        (None, None) => {
            let name = arg.get_value_names().and_then(<[_]>::first).map(ToString::to_string);
            name.unwrap_or_else(|| arg.get_id().as_str().to_ascii_uppercase())
        }
    }
}
