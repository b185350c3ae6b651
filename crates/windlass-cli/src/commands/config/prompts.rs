//! `windlass config --prompts`: what agents are asked, and where each text comes from.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use windlass_core::prompts::PromptName;

use crate::{
    config::{Layers, Origin, PromptFile, nearest},
    host::{app::App, failure::Failure},
};

/// The prompts that stand in files.
type Files = BTreeMap<PromptName, (PromptFile, Origin)>;

/// Prints all prompts, or the one of that name. Texts that cannot work are refused, as loops do.
pub(super) fn run(
    app: &App,
    layers: &Layers,
    word: Option<&str>,
    as_json: bool,
) -> Result<u8, Failure> {
    let files = layers.prompts();
    match word {
        Some(word) => {
            let name = named(word)?;
            let file = files.get(&name).map(|(file, _)| &file.text);
            if as_json {
                let mut object = described(name, &files);
                let text = file.map_or(name.built_in(), String::as_str);
                object.insert("text".to_owned(), text.into());
                app.printer.json(&object)?;
            } else if let Some(text) = file {
                app.printer.text(text)?;
            } else {
                app.printer.data(name.built_in())?;
            }
        }
        None if as_json => {
            let all = PromptName::ALL.into_iter();
            let all = all.map(|name| (name.to_string(), Value::Object(described(name, &files))));
            app.printer.json(&all.collect::<Map<_, _>>())?;
        }
        None => {
            let all = PromptName::ALL.into_iter();
            let lines = all.map(|name| format!("{:22} {}\n", name.as_str(), source(name, &files)));
            app.printer.text(&lines.collect::<String>())?;
        }
    }
    layers.prompt_options()?;
    Ok(0)
}

fn named(word: &str) -> Result<PromptName, Failure> {
    word.parse().map_err(|error| {
        let failure = Failure::usage(error);
        match nearest(word, PromptName::ALL.into_iter().map(PromptName::as_str)) {
            Some(near) => failure.hint(format!("did you mean `{near}`?")),
            None => failure,
        }
        .hint("`windlass config --prompts` lists all prompts")
    })
}

fn described(name: PromptName, files: &Files) -> Map<String, Value> {
    let about = json!({
        "name": name.as_str(),
        "about": name.about(),
        "variables": name.variables(),
        "origin": source(name, files),
    });
    about.as_object().cloned().unwrap_or_default()
}

/// Where the text comes from.
fn source(name: PromptName, files: &Files) -> String {
    match files.get(&name) {
        Some((file, Origin::Repo(_))) => format!("repo: {}", file.path.display()),
        Some((file, _)) => format!("user: {}", file.path.display()),
        None => "built in".to_owned(),
    }
}
