//! Files that are partly the agent's: which of their guarded keys differ from the original, and how the
//! file looks with only these put back. Hostile input is expected: whatever is restored is read again,
//! and if it does not say what the original says, the whole original has to come back.

mod difference;
mod env;
mod go_mod;
mod ini;
mod json;
mod json_members;
mod just;
mod kind;
mod make;
mod make_goals;
mod make_lines;
mod pattern;
mod reach;
mod recipes;
mod statement;
mod toml;
mod toml_plain;
mod unreadable;

#[cfg(test)]
mod tests;

pub use self::{
    difference::{Difference, How},
    kind::Kind,
    unreadable::Unreadable,
};

/// How the guarded keys of a file differ from the original, where an empty one has none.
///
/// # Errors
/// Either file cannot be read: the whole original is what must be restored.
pub fn differences(
    kind: Kind,
    original: &[u8],
    current: &[u8],
    keys: &[String],
) -> Result<Vec<Difference>, Unreadable> {
    let (original, current) = (text(original)?, text(current)?);
    match kind {
        Kind::Toml => toml::differences(original, current, keys),
        Kind::Json => json::differences(original, current, keys),
        Kind::Ini => Ok(ini::pair(original, current, keys).differences()),
        Kind::Env => Ok(env::pair(original, current, keys).differences()),
        Kind::GoMod => Ok(go_mod::differences(original, current)),
        Kind::Make => Ok(make::pair(original, current, keys).differences()),
        Kind::Just => Ok(just::pair(original, current, keys)?.differences()),
    }
}

/// The current file with the guarded keys of the original; all else is as it was.
///
/// # Errors
/// Either file cannot be read, or the keys cannot be put back without touching the rest: the whole
/// original is what must be restored.
pub fn restore(
    kind: Kind,
    original: &[u8],
    current: &[u8],
    keys: &[String],
) -> Result<Vec<u8>, Unreadable> {
    if differences(kind, original, current, keys)?.is_empty() {
        return Ok(current.to_owned());
    }
    let (before, now) = (text(original)?, text(current)?);
    let restored = match kind {
        Kind::Toml => toml::restore(before, now, keys)?,
        Kind::Json => json::restore(before, now, keys)?,
        Kind::Ini => ini::pair(before, now, keys).restored(),
        Kind::Env => env::pair(before, now, keys).restored(),
        Kind::GoMod => go_mod::restore(before, now),
        Kind::Make => make::pair(before, now, keys).restored(),
        Kind::Just => just::pair(before, now, keys)?.restored(),
    };
    // Whatever the agent wrote around it, the guarded part must now read as it did.
    match differences(kind, original, restored.as_bytes(), keys)?.first() {
        None => Ok(restored.into_bytes()),
        Some(left) => {
            Err(Unreadable::new(format!("{} cannot be put back among the rest", left.key)))
        }
    }
}

/// Names of a makefile that stand for an action, such as `test`: a file of such a name keeps make from
/// running it. They are meant from where make runs; none where the file cannot be read.
pub fn actions_of_make(makefile: &[u8], goals: &[String]) -> Vec<String> {
    text(makefile).map(|text| make_goals::actions(text, goals)).unwrap_or_default()
}

/// The recipes that goals lead to, in a makefile or a justfile, each as lines for a shell.
pub(super) fn recipes(kind: Kind, text: &str, goals: &[String]) -> Vec<String> {
    recipes::recipes(kind, text, goals)
}

/// A file as text. What make, pytest and npm read differently from us is not read at all.
fn text(bytes: &[u8]) -> Result<&str, Unreadable> {
    let text = std::str::from_utf8(bytes).map_err(|_| Unreadable::new("it is not UTF-8"))?;
    match text.contains('\0') {
        true => Err(Unreadable::new("it has a NUL byte")),
        false => Ok(text),
    }
}
