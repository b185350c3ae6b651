//! A config file as text with places, so that every error can point at its line.

use std::{error::Error, fmt, ops::Range, path::PathBuf};

use serde::Deserialize;
use toml::{
    Spanned, Table, Value,
    de::{DeString, DeTable, DeValue},
};

use windlass::agent::ConfiguredAgent;

use super::{
    agent_table,
    known::{KNOWN, nearest},
    layer::{Entries, Layer, Origin, Setting, refuse},
};
use crate::failure::Failure;

/// A config file, read and not yet understood.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// A key with its place, and the value with its place.
type Entry<'a, 'i> = (&'a Spanned<DeString<'i>>, &'a Spanned<DeValue<'i>>);

impl Document {
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
        let name: &str = key.get_ref();
        if KNOWN.kinds().chain(["agents"]).any(|table| table == name) {
            let what = format!("`{name}` is a table: write `[{name}]`, and what it sets below");
            return Err(self.document.wrong(place.span(), what));
        }
        if KNOWN.example(name).is_none() {
            let tables = KNOWN.kinds().chain(["agents"]).filter(|_| value.is_table());
            return Err(self.unknown(key, "setting", KNOWN.keys().chain(tables)));
        }
        if let Some(why) = refuse(name, value) {
            return Err(self.document.wrong(place.span(), why));
        }
        let setting = Setting { value: value.clone(), origin: self.origin.clone() };
        to.insert(name.to_owned(), setting);
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

    fn agent(
        &self,
        name: &Spanned<DeString<'_>>,
        places: &DeTable<'_>,
        values: &Table,
    ) -> Result<ConfiguredAgent, Failure> {
        for (key, place) in in_order(places) {
            let part: &str = key.get_ref();
            if !KNOWN.agent_keys().any(|known| known == part) {
                return Err(self.unknown(key, "setting of an agent", KNOWN.agent_keys()));
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
        .hint("`windlass config --default` shows all settings")
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
