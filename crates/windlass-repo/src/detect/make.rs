//! What a Makefile offers.

use super::{Detected, look::Look};

/// The names under which make looks for its file, in its order.
const FILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// A target of the Makefile, if it has it.
pub(super) fn target(look: Look<'_>, name: &str) -> Option<Detected> {
    let (file, text) = FILES.into_iter().find_map(|file| Some((file, look.text(file)?)))?;
    let because = || format!("the {file} has a target `{name}`");
    has_target(&text, name).then(|| Detected::new(format!("make {name}"), because()))
}

fn has_target(text: &str, name: &str) -> bool {
    let rules = text.lines().filter(|line| !line.starts_with(['\t', ' ', '#']));
    let rules = rules.filter_map(|line| line.split_once(':'));
    // `test := x` is a variable.
    let mut rules = rules.filter(|(_, rest)| !rest.trim_start_matches(':').starts_with('='));
    rules.any(|(targets, _)| targets.split_whitespace().any(|target| target == name))
}
