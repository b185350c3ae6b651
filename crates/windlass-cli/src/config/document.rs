//! A config file as text with places, so that every error can point at its line.

mod auditors;

use std::{
    error::Error,
    fmt,
    ops::Range,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use toml::{
    Spanned, Table, Value,
    de::{DeString, DeTable, DeValue},
};
use windlass::agent::ConfiguredAgent;
use windlass_core::{options::Hooks, prompts::PromptName};

use super::{
    agent_table,
    aliases::setting_of,
    auditor_table,
    file::{self, Links, ReadError},
    known::{KNOWN, nearest},
    layer::{Entries, Layer, Origin, Setting, refuse},
    prompt_files::{self, PromptFiles},
};
use crate::host::failure::Failure;

/// A config file, read and not yet understood.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    /// The prompts that it names.
    pub(super) prompts: PromptFiles,
}

/// A key with its place, and the value with its place.
type Entry<'a, 'i> = (&'a Spanned<DeString<'i>>, &'a Spanned<DeValue<'i>>);

impl Document {
    /// Reads the file at `path` and the prompts that it names; `None` if it is not there.
    pub(super) fn read(path: &Path, links: Links) -> Result<Option<Self>, ReadError> {
        let directory = path.parent().unwrap_or(Path::new(""));
        let name = path.file_name().map(Path::new).unwrap_or(path);
        let Some(text) = file::read(directory, name, links)? else { return Ok(None) };
        let prompts = PromptFiles::read(path, &text, links);
        Ok(Some(Self { path: path.to_owned(), text, prompts }))
    }

    /// A file with this text, and with no prompts.
    #[cfg(test)]
    pub(super) fn of(path: &str, text: &str) -> Self {
        Self { path: path.into(), text: text.to_owned(), prompts: PromptFiles::default() }
    }

    /// Understands the file: every key is known, and every value fits.
    pub(crate) fn layer(&self, origin: &Origin) -> Result<Layer, Failure> {
        let wrong = |error: toml::de::Error| {
            self.wrong(
                error.span().unwrap_or(0..0),
                format!("this is not TOML: {}", error.message()),
            )
        };
        let places = DeTable::parse(&self.text).map_err(wrong)?;
        let values: Table = self.text.parse().map_err(wrong)?;
        let reader = Reader { document: self, origin };
        reader.layer(places.get_ref(), &values)
    }

    /// A path that the file writes, from where it stands.
    fn beside(&self, written: &str) -> Result<Value, String> {
        if written == "~" || written.starts_with("~/") {
            return Err(prompt_files::Refused::Home.to_string());
        }
        let directory = self.path.parent().unwrap_or(Path::new(""));
        Ok(Value::String(directory.join(written).to_string_lossy().into_owned()))
    }

    /// A failure that points at a place.
    fn wrong(&self, place: Range<usize>, what: String) -> Failure {
        let start = place.start.min(self.text.len());
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line = self.text[line_start..].lines().next().unwrap_or("");
        let number = self.text[..line_start].matches('\n').count() + 1;
        let end = place.end.clamp(start, line_start + line.len().max(start - line_start));
        let column = self.text[line_start..start].chars().count();
        let width = self.text[start..end].chars().count().max(1);
        Failure::usage(Wrong {
            what: format!("`{}` line {number}: {what}", self.path.display()),
            line: line.replace('\t', " "),
            number,
            column,
            width,
        })
    }
}

/// What is wrong, with the line and a mark under the place.
#[derive(Debug)]
struct Wrong {
    what: String,
    line: String,
    number: usize,
    column: usize,
    width: usize,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.number.to_string();
        let margin = " ".repeat(number.len());
        let mark = format!("{}{}", " ".repeat(self.column), "^".repeat(self.width));
        write!(f, "{}\n{margin} |\n{number} | {}\n{margin} | {mark}", self.what, self.line)
    }
}

impl Error for Wrong {}

/// Settings that say where something of a loop goes to, or what runs beside it: a repository does
/// not decide that, however much it is trusted.
const NOT_FOR_REPOSITORIES: [&str; 4] = ["notify", "notify_on", HOOKS, HOOKS_FILE];

/// The file with hooks for the agent.
const HOOKS_FILE: &str = "hooks_file";

/// The table of what runs at moments of a loop.
const HOOKS: &str = "on";

/// What to do about a setting that is not known.
const SHOW_SETTINGS: &str = "`windlass config --default` shows all settings";

/// Reads a document of one origin.
struct Reader<'a> {
    document: &'a Document,
    origin: &'a Origin,
}

impl Reader<'_> {
    fn layer(&self, places: &DeTable<'_>, values: &Table) -> Result<Layer, Failure> {
        let mut layer = Layer::default();
        for (key, place) in in_order(places) {
            let name: &str = key.get_ref();
            let value = &values[name];
            match (place.get_ref(), value) {
                (DeValue::Table(places), Value::Table(values)) if name == "agents" => {
                    self.agents(places, values, &mut layer)?;
                }
                (DeValue::Table(places), Value::Table(values)) if name == auditor_table::TABLE => {
                    self.auditors(places, values, &mut layer)?;
                }
                (DeValue::Table(places), Value::Table(values)) if name == HOOKS => {
                    self.hooks(key, places, values, &mut layer)?;
                }
                (DeValue::Table(places), Value::Table(values)) if name == prompt_files::TABLE => {
                    self.prompts(places, values, &mut layer)?;
                }
                (DeValue::Table(places), Value::Table(values))
                    if KNOWN.kinds().any(|kind| kind == name) =>
                {
                    let mut entries = Entries::new();
                    for entry in in_order(places) {
                        self.setting(entry, &values[&**entry.0.get_ref()], &mut entries)?;
                    }
                    layer.kinds.insert(name.to_owned(), entries);
                }
                _ => self.setting((key, place), value, &mut layer.top)?,
            }
        }
        Ok(layer)
    }

    fn setting(
        &self,
        entry: Entry<'_, '_>,
        value: &Value,
        to: &mut Entries,
    ) -> Result<(), Failure> {
        let (key, place) = entry;
        let written: &str = key.get_ref();
        let name = setting_of(written);
        if KNOWN.tables().any(|table| table == name) {
            let what = format!("`{name}` is a table: write `[{name}]`, and what it sets below");
            return Err(self.document.wrong(place.span(), what));
        }
        if KNOWN.example(name).is_none() {
            let tables = KNOWN.tables().filter(|_| value.is_table());
            let known = KNOWN.keys().chain(tables);
            return Err(self.unknown(key, "setting", known).hint(SHOW_SETTINGS));
        }
        self.refuse_of_repository(key)?;
        if to.contains_key(name) {
            let what = format!("`{written}` is set already, by another of its names");
            return Err(self.document.wrong(key.span(), what));
        }
        if let Some(why) = refuse(name, value) {
            return Err(self.document.wrong(place.span(), why));
        }
        let value = match value.as_str() {
            Some(written) if name == HOOKS_FILE => {
                let path = self.document.beside(written);
                path.map_err(|why| self.document.wrong(place.span(), why))?
            }
            _ => value.clone(),
        };
        to.insert(name.to_owned(), Setting { value, origin: self.origin.clone() });
        Ok(())
    }

    fn refuse_of_repository(&self, key: &Spanned<DeString<'_>>) -> Result<(), Failure> {
        let name: &str = key.get_ref();
        if !matches!(self.origin, Origin::Repo(_)) || !NOT_FOR_REPOSITORIES.contains(&name) {
            return Ok(());
        }
        let what = format!("`{name}` is yours to set, and not a repository's");
        Err(self.document.wrong(key.span(), what).hint("set it in your own `config.toml`"))
    }

    /// The table `[on]`.
    fn hooks(
        &self,
        table: &Spanned<DeString<'_>>,
        places: &DeTable<'_>,
        values: &Table,
        layer: &mut Layer,
    ) -> Result<(), Failure> {
        self.refuse_of_repository(table)?;
        for (key, place) in in_order(places) {
            let name: &str = key.get_ref();
            if !KNOWN.hook_keys().any(|known| known == name) {
                let unknown = self.unknown(key, "moment or setting of `[on]`", KNOWN.hook_keys());
                return Err(unknown.hint(SHOW_SETTINGS));
            }
            let one = Table::from_iter([(name.to_owned(), values[name].clone())]);
            if let Err(error) = Hooks::deserialize(Value::Table(one)) {
                let what = format!("`{name}` does not fit: {}", error.message().trim());
                return Err(self.document.wrong(place.span(), what));
            }
            layer.hooks.insert(name.to_owned(), values[name].clone());
        }
        Ok(())
    }

    fn agents(
        &self,
        places: &DeTable<'_>,
        values: &Table,
        layer: &mut Layer,
    ) -> Result<(), Failure> {
        for (key, place) in in_order(places) {
            let name: &str = key.get_ref();
            if let Some(why) = agent_table::refuse_name(name) {
                return Err(self.document.wrong(key.span(), format!("`{name}`: {why}")));
            }
            let (DeValue::Table(places), Value::Table(values)) = (place.get_ref(), &values[name])
            else {
                let what = format!("`agents.{name}` is a table with `command` and more");
                return Err(self.document.wrong(place.span(), what));
            };
            let table = self.agent(key, places, values)?;
            layer.agents.insert(name.to_owned(), (table, self.origin.clone()));
        }
        Ok(())
    }

    fn prompts(
        &self,
        places: &DeTable<'_>,
        values: &Table,
        layer: &mut Layer,
    ) -> Result<(), Failure> {
        for (key, place) in in_order(places) {
            let word: &str = key.get_ref();
            let Ok(name) = word.parse::<PromptName>() else {
                let known = PromptName::ALL.into_iter().map(PromptName::as_str);
                let unknown = self.unknown(key, "prompt", known.clone());
                let known = known.collect::<Vec<_>>().join(", ");
                return Err(unknown.hint(format!("the prompts are {known}")));
            };
            let Some(written) = values[word].as_str() else {
                let what = format!("`{word}` takes the path of a file such as `\"{word}.md\"`");
                return Err(self.document.wrong(place.span(), what));
            };
            match self.document.prompts.get(written) {
                Ok(file) => layer.prompts.insert(name, (file.clone(), self.origin.clone())),
                Err(why) => return Err(self.document.wrong(place.span(), why.to_string())),
            };
        }
        Ok(())
    }

    fn agent(
        &self,
        name: &Spanned<DeString<'_>>,
        places: &DeTable<'_>,
        values: &Table,
    ) -> Result<ConfiguredAgent, Failure> {
        for (key, place) in in_order(places) {
            let part: &str = key.get_ref();
            if !KNOWN.agent_keys().any(|known| known == part) {
                let unknown = self.unknown(key, "setting of an agent", KNOWN.agent_keys());
                return Err(unknown.hint(SHOW_SETTINGS));
            }
            // One setting at a time beside a good command: so the one that is wrong is found.
            let mut table = Table::from_iter([("command".to_owned(), Value::Array(Vec::new()))]);
            table.insert(part.to_owned(), values[part].clone());
            if let Err(error) = ConfiguredAgent::deserialize(Value::Table(table)) {
                let what = format!("`{part}` does not fit: {}", error.message().trim());
                return Err(self.document.wrong(place.span(), what));
            }
        }
        let table = ConfiguredAgent::deserialize(Value::Table(values.clone()));
        let Some(table) = table.ok().filter(|table| !table.command.is_empty()) else {
            let what = format!("the agent `{}` has no `command`", name.get_ref());
            let hint = "write it as a list: `command = [\"my-agent\", \"--print\"]`";
            return Err(self.document.wrong(name.span(), what).hint(hint));
        };
        match agent_table::refuse(&table) {
            Some(why) => {
                let what = format!("the agent `{}` {why}", name.get_ref());
                Err(self.document.wrong(name.span(), what))
            }
            None => Ok(table),
        }
    }

    fn unknown<'k>(
        &self,
        key: &Spanned<DeString<'_>>,
        what: &str,
        known: impl Iterator<Item = &'k str>,
    ) -> Failure {
        let name = key.get_ref();
        let failure = self.document.wrong(key.span(), format!("there is no {what} `{name}`"));
        match nearest(name, known) {
            Some(near) => failure.hint(format!("did you mean `{near}`?")),
            None => failure,
        }
    }
}

/// The entries of a table as they stand in the file, so that the first error is told first.
fn in_order<'a, 'i>(table: &'a DeTable<'i>) -> Vec<Entry<'a, 'i>> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

#[cfg(test)]
mod tests;
