//! A table `[auditors.NAME]` of a config file: what loops are told of it, and what is shown.

use toml::Value;
use windlass::kind::pr::auditors;
use windlass_core::{options::AuditorTable, prompts::PromptName};

use super::{
    known::{KNOWN, nearest},
    layer::{Entries, refuse_type},
};
use crate::host::failure::Failure;

/// The table of a config file that has them.
pub(super) const TABLE: &str = "auditors";

/// The setting that names the file with what an auditor looks for.
pub(super) const PROMPT: &str = "prompt";

/// What one layer, or all of them, say of an auditor.
#[derive(Clone, Debug, Default)]
pub(crate) struct AuditorEntry {
    /// What loops are told, with the text of its prompt.
    pub(crate) table: AuditorTable,
    /// What is shown: each setting with its origin, and the prompt as its path.
    pub(crate) settings: Entries,
}

impl AuditorEntry {
    /// Lays what this entry says over what an earlier layer says.
    pub(super) fn lay_over(&self, below: &mut Self) {
        self.table.lay_over(&mut below.table);
        below.settings.extend(self.settings.clone());
    }
}

/// Says why a setting of an auditor cannot have a value, if it cannot.
pub(super) fn refuse(key: &str, value: &Value) -> Option<String> {
    let (_, example) = KNOWN.auditor_keys().find(|(known, _)| *known == key)?;
    let is_list_of_texts = value.as_array().is_some_and(|items| items.iter().all(Value::is_str));
    match value {
        _ if !example.same_type(value) => Some(refuse_type(key, example, value)),
        Value::Array(_) if !is_list_of_texts => {
            Some(format!("`{key}` takes a list of strings such as `{example}`"))
        }
        Value::Array(_) => windlass::globs(&texts(value)).err().map(|error| error.to_string()),
        Value::String(text) if text.trim().is_empty() && key != PROMPT => {
            Some(format!("`{key}` takes a name such as `{example}`"))
        }
        _ => None,
    }
}

/// The texts of a list.
pub(super) fn texts(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Refuses an auditor that is neither built in nor has a prompt: that is a slip in a name more often
/// than a new auditor.
pub(super) fn refuse_unknown(name: &str, entry: &AuditorEntry) -> Result<(), Failure> {
    if auditors::is_built_in(name) || entry.table.brief.is_some() {
        return Ok(());
    }
    let origin = entry.settings.values().next().map(|setting| format!(" ({})", setting.origin));
    let origin = origin.unwrap_or_default();
    let failure = Failure::usage(format!(
        "there is no auditor `{name}`, and a new one needs a `{PROMPT}`{origin}"
    ));
    let known = PromptName::AUDITORS.iter().map(|(known, _, _)| *known);
    Err(match nearest(name, known) {
        Some(near) => failure.hint(format!("did you mean `{near}`?")),
        None => failure,
    }
    .hint(format!("`[auditors.{name}]` with `{PROMPT} = \"FILE\"` adds one")))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use toml::Table;
    use windlass_core::options::AuditorOptions;

    use super::{
        super::{Document, Layer, Layers, Origin, PromptFile, Setting, resolve},
        *,
    };
    use crate::args;

    /// A layer of a file, and the text of the prompt of one auditor.
    fn layer(text: &str, brief: Option<(&str, &str)>) -> Layer {
        let origin = Origin::User("/c.toml".into());
        let mut layer = Document::of("/c.toml", text).layer(&origin).expect("it is good");
        if let Some((name, text)) = brief {
            let file = PromptFile { path: "/p.md".into(), text: text.to_owned() };
            let entry: &mut AuditorEntry = layer.auditors.entry(name.to_owned()).or_default();
            entry.table.brief = Some(file.text);
            let value = Value::String("/p.md".to_owned());
            entry.settings.insert(PROMPT.to_owned(), Setting { value, origin });
        }
        layer
    }

    #[test]
    fn they_reach_the_options_as_texts_and_layer_by_layer() {
        #[derive(Debug, PartialEq, Deserialize)]
        struct Asked {
            #[serde(flatten)]
            auditors: AuditorOptions,
        }
        let layers = Layers::of(vec![
            Layer::defaults(),
            layer(
                "[auditors.docs]\npaths = ['docs']\nagent = 'codex'",
                Some(("docs", "Old {{ x }}")),
            ),
            layer("[auditors.docs]\nenabled = false\n[auditors.tests]\nenabled = true", None),
            layer("", Some(("docs", "New {{ x }}"))),
        ]);
        let args = args::command();
        let command = args.find_subcommand("iterate").expect("it is a loop kind");
        let matches = command.clone().try_get_matches_from(["iterate"]).unwrap();
        let asked: Asked = resolve(&layers, command, &matches, []).unwrap().options;
        let expected: Table = "\
            [auditors.docs]\nbrief = 'New {{ x }}'\npaths = ['docs']\nagent = 'codex'\nenabled = false\n\
            [auditors.tests]\nenabled = true\n"
            .parse()
            .unwrap();
        assert_eq!(asked, Asked::deserialize(Value::Table(expected)).unwrap());
    }
}
