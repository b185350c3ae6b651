//! The tables `[auditors.NAME]` of a config file.

use toml::{
    Table, Value,
    de::{DeTable, DeValue},
};

use super::{
    super::{
        auditor_table::{self, AuditorEntry, PROMPT},
        layer::{Layer, Setting},
    },
    Entry, KNOWN, Reader, SHOW_SETTINGS, in_order,
};
use crate::host::failure::Failure;

impl Reader<'_> {
    /// Takes in what a file says of auditors. Whether there is an auditor of such a name is not for
    /// one file to say: another may add it.
    pub(super) fn auditors(
        &self,
        places: &DeTable<'_>,
        values: &Table,
        layer: &mut Layer,
    ) -> Result<(), Failure> {
        for (key, place) in in_order(places) {
            let name: &str = key.get_ref();
            if !windlass::kind::pr::auditors::is_name(name) {
                let what =
                    format!("`{name}`: an auditor's name has letters, digits, `-`, `_` and `.`");
                return Err(self.document.wrong(key.span(), what));
            }
            let (DeValue::Table(places), Value::Table(values)) = (place.get_ref(), &values[name])
            else {
                let what = format!("`auditors.{name}` is a table with `{PROMPT}` and more");
                return Err(self.document.wrong(place.span(), what));
            };
            let mut entry = AuditorEntry::default();
            for part in in_order(places) {
                self.part(part, &values[&**part.0.get_ref()], &mut entry)?;
            }
            layer.auditors.insert(name.to_owned(), entry);
        }
        Ok(())
    }

    /// One setting of an auditor.
    fn part(
        &self,
        (key, place): Entry<'_, '_>,
        value: &Value,
        entry: &mut AuditorEntry,
    ) -> Result<(), Failure> {
        let part: &str = key.get_ref();
        let known = || KNOWN.auditor_keys().map(|(key, _)| key);
        if !known().any(|known| known == part) {
            let unknown = self.unknown(key, "setting of an auditor", known());
            return Err(unknown.hint(SHOW_SETTINGS));
        }
        if let Some(why) = auditor_table::refuse(part, value) {
            return Err(self.document.wrong(place.span(), why));
        }
        let mut shown = value.clone();
        let text = || value.as_str().map(str::to_owned);
        match part {
            PROMPT => {
                let file = self.document.prompts.get(value.as_str().unwrap_or_default());
                let file =
                    file.map_err(|why| self.document.wrong(place.span(), why.to_string()))?;
                if file.text.trim().is_empty() {
                    let why = format!(
                        "`{}` is empty, and is to say what to look for",
                        file.path.display()
                    );
                    return Err(self.document.wrong(place.span(), why));
                }
                entry.table.brief = Some(file.text.clone());
                shown = Value::String(file.path.display().to_string());
            }
            "agent" => entry.table.agent = text(),
            "paths" => entry.table.paths = Some(auditor_table::texts(value)),
            _ => entry.table.enabled = value.as_bool(),
        }
        let setting = Setting { value: shown, origin: self.origin.clone() };
        entry.settings.insert(part.to_owned(), setting);
        Ok(())
    }
}
