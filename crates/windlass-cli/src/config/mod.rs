//! The config: finds its layers, lays them over each other, and makes options of them once.

mod agent_table;
mod aliases;
mod auditor_table;
mod document;
mod file;
mod flags;
mod known;
mod layer;
mod no_effect;
mod opposites;
mod own_agent;
mod prompt_files;
mod repository;
mod switched_off;
mod variables;

pub(crate) use aliases::setting_of;
pub(crate) use auditor_table::AuditorEntry;
pub(crate) use document::Document;
pub(crate) use flags::{with_changeable, with_defaults, with_resolving};
pub(crate) use known::{DEFAULT_TOML, KNOWN, nearest};
pub(crate) use layer::{Entries, Layer, Origin, Setting};
pub(crate) use opposites::switch_of;
pub(crate) use prompt_files::PromptFile;
pub(crate) use repository::{FILE_NAME, RepoFile, locate};
pub(crate) use variables::checked;

use std::collections::BTreeMap;

use clap::{ArgMatches, Command};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Map;
use toml::{Table, Value};
use windlass::agent::ConfiguredAgent;
use windlass_core::{
    options::AuditorOptions,
    prompts::{PromptName, PromptOptions, Prompts},
};

use crate::{
    host::{
        app::App,
        failure::{Failure, Kind},
    },
    notify,
};

/// All layers but the flags, lowest first.
#[derive(Debug)]
pub(crate) struct Layers {
    layers: Vec<Layer>,
    /// The repository's file, where there is one. It is among the layers only if it is trusted.
    pub(crate) repo: Option<RepoFile>,
    /// What was ignored, in sentences for people.
    pub(crate) warnings: Vec<String>,
}

/// Options, all decided, and where each value comes from.
#[derive(Debug)]
pub(crate) struct Resolved<T> {
    /// The options.
    pub(crate) options: T,
    /// Whom to tell of the loop.
    pub(crate) notify: notify::Options,
    /// What was typed and has no effect, in sentences for people.
    pub(crate) warnings: Vec<String>,
    /// Every value with its origin.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests look at it, and screens may"))]
    pub(crate) entries: Entries,
}

impl Layers {
    /// Reads all layers. A repository's file that is not trusted is left out.
    pub(crate) fn load(app: &App) -> Result<Self, Failure> {
        let mut layers = vec![Layer::defaults()];
        if let Some(document) = user_document(app)? {
            layers.push(document.layer(&Origin::User(document.path.clone()))?);
        }
        let repo = RepoFile::find(&app.home, &app.directory)?;
        if let Some(RepoFile { document, trusted: true, .. }) = &repo {
            layers.push(document.layer(&Origin::Repo(document.path.clone()))?);
        }
        let (variables, warnings) = variables::layer(&app.environment)?;
        layers.push(variables);
        Ok(Self { layers, repo, warnings })
    }

    /// These layers, and nothing of a repository.
    pub(crate) fn of(layers: Vec<Layer>) -> Self {
        Self { layers, repo: None, warnings: Vec::new() }
    }

    /// Refuses to go on while the repository's file is not trusted. Loops ask this first.
    pub(crate) fn require_trust(&self) -> Result<(), Failure> {
        match &self.repo {
            Some(repo) if !repo.trusted => Err(repo.untrusted()),
            _ => Ok(()),
        }
    }

    /// What the layers come to for a loop kind, or outside of any.
    pub(crate) fn entries(&self, kind: Option<&str>) -> Entries {
        let mut entries = Entries::new();
        for layer in &self.layers {
            layer.lay_over(&mut entries, kind);
        }
        entries
    }

    /// The agents of the config. A later layer's table replaces the whole of an earlier one.
    pub(crate) fn agents(&self) -> BTreeMap<String, (ConfiguredAgent, Origin)> {
        let agents = self.layers.iter().flat_map(|layer| layer.agents.clone());
        agents.collect()
    }

    /// The prompts of the config, by layer: a later one's file takes the place of an earlier one's.
    pub(crate) fn prompts(&self) -> BTreeMap<PromptName, (PromptFile, Origin)> {
        self.layers.iter().flat_map(|layer| layer.prompts.clone()).collect()
    }

    /// What the config says of auditors: of each what the last layer says that says it.
    pub(crate) fn auditors(&self) -> BTreeMap<String, AuditorEntry> {
        let mut auditors: BTreeMap<String, AuditorEntry> = BTreeMap::new();
        for (name, entry) in self.layers.iter().flat_map(|layer| &layer.auditors) {
            entry.lay_over(auditors.entry(name.clone()).or_default());
        }
        auditors
    }

    /// What loops are told of auditors, all of them found good.
    pub(crate) fn auditor_options(&self) -> Result<AuditorOptions, Failure> {
        let auditors = self.auditors();
        for (name, entry) in &auditors {
            auditor_table::refuse_unknown(name, entry)?;
        }
        let tables = auditors.into_iter().map(|(name, entry)| (name, entry.table));
        Ok(AuditorOptions { auditors: tables.collect() })
    }

    /// The texts of these prompts, all of them found good.
    pub(crate) fn prompt_options(&self) -> Result<PromptOptions, Failure> {
        let files = self.prompts();
        let texts = files.iter().map(|(name, (file, _))| (*name, file.text.clone()));
        let options = PromptOptions { prompts: texts.collect() };
        if options.prompts.is_empty() {
            return Ok(options);
        }
        match Prompts::new(&options) {
            Ok(_) => Ok(options),
            Err(error) => Err(match files.get(&error.name()) {
                Some((file, _)) => Failure::because(
                    Kind::Usage,
                    format!("`{}` cannot be a prompt", file.path.display()),
                    error,
                ),
                None => Failure::usage(error),
            }),
        }
    }
}

/// The user's config file, if it is there.
pub(crate) fn user_document(app: &App) -> Result<Option<Document>, Failure> {
    let Some(path) = app.user_config() else { return Ok(None) };
    Document::read(&path, file::Links::Follow).map_err(|error| {
        Failure::because(Kind::Usage, format!("`{}` cannot be read", path.display()), error)
    })
}

/// The options of a loop: the layers, and over them the flags of `command` that were typed. The
/// command's name is the loop kind. Values in `more` lie over everything; they are for what flags
/// do not say in the form that the options need, such as a prompt that was read from a file.
pub(crate) fn resolve<T: DeserializeOwned>(
    layers: &Layers,
    command: &Command,
    matches: &ArgMatches,
    more: impl IntoIterator<Item = (&'static str, Value)>,
) -> Result<Resolved<T>, Failure> {
    let below = layers.entries(Some(command.get_name()));
    let mut entries = below.clone();
    flags::lay_over(command, matches, &mut entries)?;
    let agents = layers.agents().into_iter().map(|(name, (agent, _))| (name, agent));
    let agents: BTreeMap<String, ConfiguredAgent> = agents.collect();
    own_agent::set_aside(&mut entries, &below, &agents);
    switched_off::by_typed(&mut entries);
    for (key, value) in more {
        let origin = Origin::Flag(format!("--{}", key.replace('_', "-")));
        entries.insert(key.to_owned(), Setting { value, origin });
    }
    let values = entries.iter().map(|(key, setting)| (key.clone(), setting.value.clone()));
    let mut table: Table = values.collect();
    let agents = Value::try_from(agents);
    table.insert("agents".to_owned(), agents.expect("an agent's table can be written as TOML"));
    let prompts = Value::try_from(layers.prompt_options()?.prompts);
    table.insert("prompts".to_owned(), prompts.expect("texts by name can be written as TOML"));
    let auditors = Value::try_from(layers.auditor_options()?.auditors);
    table.insert("auditors".to_owned(), auditors.expect("an auditor can be written as TOML"));
    let hooks: Table = layers.layers.iter().flat_map(|layer| layer.hooks.clone()).collect();
    table.insert("on".to_owned(), Value::Table(hooks));
    let asked = serde_json::to_value(&table).unwrap_or_default();
    let options = T::deserialize(Value::Table(table)).map_err(|error| {
        Failure::usage(format!("the options do not fit together: {}", error.message()))
    })?;
    let asked = no_effect::of_frozen(command.get_name(), &asked, &Map::new());
    let warnings = no_effect::judge(&flags::typed_among(command, &entries), &asked)?;
    Ok(Resolved { options, notify: notify_options(&entries)?, warnings, entries })
}

/// Whom to tell of a loop that is taken up again: that is asked anew, for who started the loop may
/// be somebody else than who waits for it now.
pub(crate) fn notify_anew(
    layers: &Layers,
    kind: &str,
    command: &Command,
    matches: &ArgMatches,
) -> Result<notify::Options, Failure> {
    let mut entries = layers.entries(Some(kind));
    flags::lay_over(command, matches, &mut entries)?;
    notify_options(&entries)
}

fn notify_options(entries: &Entries) -> Result<notify::Options, Failure> {
    let of = |key: &str| Some((key.to_owned(), entries.get(key)?.value.clone()));
    let table: Table = ["notify", "notify_on"].into_iter().filter_map(of).collect();
    notify::Options::deserialize(Value::Table(table))
        .map_err(|error| Failure::usage(error.message().trim().to_owned()))
}

/// Refuses what was typed after `command` and has no effect on a loop of that kind, which has frozen
/// options and is to have these changes; gives warnings.
pub(crate) fn judge_changes(
    layers: &Layers,
    kind: &str,
    (command, matches): (&Command, &ArgMatches),
    frozen: &serde_json::Value,
    changes: &Map<String, serde_json::Value>,
) -> Result<Vec<String>, Failure> {
    let mut typed = Entries::new();
    flags::lay_over(command, matches, &mut typed)?;
    let mut changes = changes.clone();
    let notify =
        typed.get("notify").cloned().or_else(|| layers.entries(Some(kind)).remove("notify"));
    changes.extend(
        notify.and_then(|notify| {
            Some(("notify".to_owned(), serde_json::to_value(&notify.value).ok()?))
        }),
    );
    let asked = no_effect::of_frozen(kind, frozen, &changes);
    no_effect::judge(&flags::typed_among(command, &typed), &asked)
}

/// The settings among the flags of `command` that were typed.
pub(crate) fn typed_flags(
    command: &Command,
    matches: &ArgMatches,
) -> Result<BTreeMap<String, Value>, Failure> {
    let mut entries = Entries::new();
    flags::lay_over(command, matches, &mut entries)?;
    let settings = entries.into_iter().filter(|(key, _)| KNOWN.example(key).is_some());
    Ok(settings.map(|(key, setting)| (key, setting.value)).collect())
}

#[cfg(test)]
mod tests;
