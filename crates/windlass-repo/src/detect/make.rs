//! What a Makefile or a justfile offers.

use super::{Detected, look::Look};

/// The names under which make looks for its file, in its order.
const MAKEFILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// The names under which just looks for its file.
const JUSTFILES: [&str; 3] = ["justfile", "Justfile", ".justfile"];

/// A target of the Makefile, if it has it.
pub(super) fn target(look: Look<'_>, name: &str) -> Option<Detected> {
    let (file, text) = first(look, &MAKEFILES)?;
    let because = || format!("the {file} has a target `{name}`");
    has_target(&text, name).then(|| Detected::new(format!("make {name}"), file, because()))
}

/// A recipe of the justfile, if it has it.
pub(super) fn recipe(look: Look<'_>, name: &str) -> Option<Detected> {
    let (file, text) = first(look, &JUSTFILES)?;
    let because = || format!("the {file} has a recipe `{name}`");
    has_recipe(&text, name).then(|| Detected::new(format!("just {name}"), file, because()))
}

fn first(look: Look<'_>, files: &[&'static str]) -> Option<(&'static str, String)> {
    files.iter().find_map(|file| Some((*file, look.text(file)?)))
}

/// The lines that can begin a rule, up to their colon, and what follows it.
fn rules(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let rules = text.lines().filter(|line| !line.starts_with(['\t', ' ', '#']));
    rules.filter_map(|line| line.split_once(':'))
}

fn has_target(text: &str, name: &str) -> bool {
    // `test := x` is a variable.
    let mut rules = rules(text).filter(|(_, rest)| !rest.trim_start_matches(':').starts_with('='));
    rules.any(|(targets, _)| targets.split_whitespace().any(|target| target == name))
}

/// One that must be given arguments cannot be run as it is.
fn has_recipe(text: &str, name: &str) -> bool {
    let mut rules = rules(text).filter(|(_, rest)| !rest.starts_with('='));
    rules.any(|(head, _)| {
        let mut words = head.trim_start_matches('@').split_whitespace();
        let is_meant = words.next() == Some(name);
        is_meant && words.all(|word| word.contains('=') || word.starts_with('*'))
    })
}
