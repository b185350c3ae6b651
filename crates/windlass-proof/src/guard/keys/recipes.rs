//! What is run for the goals of checks, as lines for a shell.

use super::{Kind, just, make};

/// The recipes that a file of rules has for these goals; none where it cannot be read.
pub(super) fn recipes(kind: Kind, text: &str, goals: &[String]) -> Vec<String> {
    match kind {
        Kind::Make => make::recipes(text, goals).iter().map(|it| of_make(it)).collect(),
        Kind::Just => just::recipes(text, goals).iter().map(|it| of_just(it)).collect(),
        Kind::Toml | Kind::Json | Kind::Ini | Kind::Env | Kind::GoMod => Vec::new(),
    }
}

/// A recipe of make. A line whose failure is ignored decides nothing.
fn of_make(recipe: &str) -> String {
    let joined = recipe.replace("\\\n", " ");
    let lines = joined.lines().map(|line| line.trim_start().trim_start_matches(['@', '+']));
    let lines = lines.filter(|line| !line.starts_with('-')).map(|line| line.replace("$$", "$"));
    lines.flat_map(|line| [line, "\n".to_owned()]).collect()
}

/// A recipe of just. One that begins with `#!` is another language.
fn of_just(recipe: &str) -> String {
    if recipe.trim_start().starts_with("#!") {
        return String::new();
    }
    let lines = recipe.lines().map(|line| line.trim_start().trim_start_matches('@'));
    lines.filter(|line| !line.starts_with('-')).flat_map(|line| [line, "\n"]).collect()
}
