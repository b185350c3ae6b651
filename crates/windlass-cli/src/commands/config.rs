//! `windlass config`: the settings that apply here, and where each comes from.

use serde_json::{Map, json};
use toml::Value;

use crate::{
    app::App,
    config::{DEFAULT_TOML, Entries, KNOWN, Layer, Layers, Setting, nearest},
    failure::Failure,
};

/// Show the settings that apply here, and where each comes from
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// One setting only, such as `timeout` or `iterate.timeout`
    #[arg(value_name = "KEY")]
    key: Option<String>,

    /// Say where each value comes from
    #[arg(long)]
    origin: bool,

    /// As one JSON object
    #[arg(long)]
    json: bool,

    /// The defaults, with what each setting means
    #[arg(long, conflicts_with = "origin")]
    default: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass config                 all settings that apply here
  windlass config --origin        and where each comes from
  windlass config timeout         one of them
  windlass config --default       what can be set, and what it means

Settings stand in ~/.config/windlass/config.toml, in the repository's windlass.toml (see
`windlass help trust`), and in variables such as WINDLASS_TIMEOUT.";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    if args.default && args.key.is_none() && !args.json {
        app.printer.data(DEFAULT_TOML)?;
        return Ok(0);
    }
    let entries = if args.default {
        all(&Layers::of(vec![Layer::defaults()]))
    } else {
        let layers = app.layers()?;
        warn(app, &layers);
        all(&layers)
    };
    match &args.key {
        Some(key) => one(app, args, key, &entries)?,
        None if args.json => {
            let object = entries.iter().map(|(key, setting)| (key.clone(), json(setting, args)));
            app.printer.json(&object.collect::<Map<_, _>>())?;
        }
        None => {
            for (key, setting) in &entries {
                app.printer.line(&format!("{key} = {}", shown(setting, args)))?;
            }
        }
    }
    Ok(0)
}

/// Tells what was left out.
pub(crate) fn warn(app: &App, layers: &Layers) {
    for warning in &layers.warnings {
        app.printer.warning(warning);
    }
    if let Some(repo) = layers.repo.as_ref().filter(|repo| !repo.trusted) {
        let path = repo.document.path.display();
        app.printer.warning(&format!("`{path}` is not trusted and is ignored"));
        app.printer.hint(&format!("read the file, then type `windlass trust {path}`"));
    }
}

/// Every setting, those of loop kinds and of agents with the table's name before a dot.
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
    all
}

fn one(app: &App, args: &Args, key: &str, entries: &Entries) -> Result<(), Failure> {
    // A loop kind has what stands outside of its table too.
    let outside = key.split_once('.').filter(|(kind, _)| KNOWN.kinds().any(|known| known == *kind));
    let outside = outside.map_or(key, |(_, key)| key);
    match entries.get(key).or_else(|| entries.get(outside)) {
        Some(setting) if args.json => app.printer.json(&json(setting, args)),
        Some(setting) => {
            let bare = setting.value.as_str().filter(|_| !args.origin);
            app.printer.line(&bare.map_or_else(|| shown(setting, args), str::to_owned))
        }
        None if KNOWN.example(outside).is_some() => {
            app.printer.warning(&format!("`{key}` is not set, and has no default"));
            if args.json { app.printer.json(&json!(null)) } else { Ok(()) }
        }
        None => {
            let known = entries.keys().map(String::as_str).chain(KNOWN.keys());
            let near = nearest(key, known).map(|near| format!("did you mean `{near}`?"));
            let failure = Failure::usage(format!("there is no setting `{key}`"));
            Err(match near {
                Some(near) => failure.hint(near),
                None => failure,
            }
            .hint("`windlass config --default` shows all settings"))
        }
    }
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
