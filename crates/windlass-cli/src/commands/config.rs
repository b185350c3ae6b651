//! `windlass config`: the settings that apply here, and where each comes from.

mod prompts;

use std::fmt::Write as _;

use serde_json::{Map, json};
use toml::Value;

use crate::{
    config::{DEFAULT_TOML, Entries, KNOWN, Layer, Layers, Setting, nearest, setting_of},
    host::{app::App, environment::Variable, failure::Failure},
};

/// Show the settings that apply here and where each comes from
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = examples_and_variables())]
pub(crate) struct Args {
    /// Show only this setting, such as `timeout` or `iterate.timeout`; with `--prompts`, one prompt
    #[arg(value_name = "KEY")]
    key: Option<String>,

    /// Show where each value comes from
    #[arg(long)]
    origin: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Show the defaults and what each setting means
    #[arg(long, conflicts_with = "origin")]
    default: bool,

    /// List the prompts and where each comes from; with a name, print its text
    #[arg(long, conflicts_with_all = ["origin", "default"])]
    prompts: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass config                 show all settings that apply here
  windlass config --origin        and where each comes from
  windlass config timeout         show one setting
  windlass config --default       show what can be set, and what it means
  windlass config --prompts       list the prompts, and where each comes from
  windlass config --prompts audit > audit.md
                                  save one, to edit it and name it in [prompts]

Settings come from ~/.config/windlass/config.toml, from the repository's windlass.toml (see
`windlass help trust`), and from variables such as WINDLASS_TIMEOUT.";

fn examples_and_variables() -> String {
    let mut text = format!("{EXAMPLES}\n\nEnvironment variables:");
    for variable in Variable::ALL {
        let _ = write!(text, "\n  {:24}  {}", variable.name(), variable.meaning());
    }
    let all = "Any setting, such as WINDLASS_GRACE=9s; a list is one item or TOML.";
    let _ = write!(text, "\n  {:24}  {all}", "WINDLASS_…");
    text
}

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    if args.default && args.key.is_none() && !args.json {
        app.printer.data(DEFAULT_TOML)?;
        return Ok(0);
    }
    let layers = if args.default { Layers::of(vec![Layer::defaults()]) } else { app.layers()? };
    warn(app, &layers);
    layers.auditor_options()?;
    if args.prompts {
        return prompts::run(app, &layers, args.key.as_deref(), args.json);
    }
    match &args.key {
        Some(key) => match found(&layers, key)? {
            Found::One(setting) if args.json => app.printer.json(&json(&setting, args))?,
            Found::One(setting) => {
                let bare = setting.value.as_str().filter(|_| !args.origin);
                let line = bare.map_or_else(|| shown(&setting, args), str::to_owned);
                app.printer.line(&line)?;
            }
            Found::Some(entries) => print(app, args, &entries)?,
            Found::Unset => {
                app.printer.warning(&format!("`{key}` is not set, and has no default"));
                if args.json {
                    app.printer.json(&json!(null))?;
                }
            }
        },
        None => print(app, args, &all(&layers))?,
    }
    Ok(0)
}

fn print(app: &App, args: &Args, entries: &Entries) -> Result<(), Failure> {
    if args.json {
        let object = entries.iter().map(|(key, setting)| (key.clone(), json(setting, args)));
        return app.printer.json(&object.collect::<Map<_, _>>());
    }
    let lines = entries.iter().map(|(key, setting)| format!("{key} = {}\n", shown(setting, args)));
    app.printer.text(&lines.collect::<String>())
}

/// Tells what was left out.
pub(crate) fn warn(app: &App, layers: &Layers) {
    for warning in &layers.warnings {
        app.printer.warning(warning);
    }
    if let Some(repo) = layers.repo.as_ref().filter(|repo| !repo.trusted) {
        let path = repo.document.path.display();
        app.printer.warning(&format!("`{path}` is not trusted and is ignored"));
        app.printer.hint(&repo.how_to_trust());
    }
}

/// Every setting, those of loop kinds, agents and auditors with the table's name before a dot.
fn all(layers: &Layers) -> Entries {
    let mut all = layers.entries(None);
    for kind in KNOWN.kinds() {
        for (key, setting) in layers.entries(Some(kind)) {
            if all.get(&key).is_none_or(|outside| outside.value != setting.value) {
                all.insert(format!("{kind}.{key}"), setting);
            }
        }
    }
    for (name, (table, origin)) in layers.agents() {
        let table = Value::try_from(&table).ok().and_then(|value| value.as_table().cloned());
        for (key, value) in table.into_iter().flatten() {
            let setting = Setting { value, origin: origin.clone() };
            all.insert(format!("agents.{name}.{key}"), setting);
        }
    }
    for (name, entry) in layers.auditors() {
        for (key, setting) in entry.settings {
            all.insert(format!("auditors.{name}.{key}"), setting);
        }
    }
    for (name, (file, origin)) in layers.prompts() {
        let value = Value::String(file.path.display().to_string());
        all.insert(format!("prompts.{name}"), Setting { value, origin });
    }
    all
}

/// What a key names.
enum Found {
    One(Setting),
    /// A loop kind, or an agent, with all that it has.
    Some(Entries),
    /// A setting that has no value.
    Unset,
}

fn found(layers: &Layers, key: &str) -> Result<Found, Failure> {
    let (table, inner) = key.split_once('.').unwrap_or((key, ""));
    let is_kind = KNOWN.kinds().any(|kind| kind == table);
    if is_kind && inner.is_empty() {
        let entries = layers.entries(Some(table)).into_iter();
        let named = entries.map(|(key, setting)| (format!("{table}.{key}"), setting));
        return Ok(Found::Some(named.collect()));
    }
    let (entries, inner) =
        if is_kind { (layers.entries(Some(table)), inner) } else { (all(layers), key) };
    let inner = setting_of(inner);
    if let Some(setting) = entries.get(inner) {
        return Ok(Found::One(setting.clone()));
    }
    let below = format!("{inner}.");
    let below: Entries =
        entries.clone().into_iter().filter(|(key, _)| key.starts_with(&below)).collect();
    if !below.is_empty() {
        return Ok(Found::Some(below));
    }
    if KNOWN.example(inner).is_some() {
        return Ok(Found::Unset);
    }
    let failure = Failure::usage(format!("there is no setting `{key}`"));
    let known = entries.keys().map(String::as_str).chain(KNOWN.keys());
    Err(match nearest(inner, known) {
        Some(near) => failure.hint(format!("did you mean `{near}`?")),
        None => failure,
    }
    .hint("`windlass config --default` shows all settings"))
}

fn shown(setting: &Setting, args: &Args) -> String {
    if args.origin {
        format!("{}  # {}", setting.value, setting.origin)
    } else {
        setting.value.to_string()
    }
}

fn json(setting: &Setting, args: &Args) -> serde_json::Value {
    let value = serde_json::to_value(&setting.value).unwrap_or_default();
    if args.origin { json!({"value": value, "origin": setting.origin.to_string()}) } else { value }
}
