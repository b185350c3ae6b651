//! Tests that stand in source files: Rust's test modules and functions, and doctests of Rust and Python.
//! The agent may write in such a file, so they are not guarded; but where one of them was changed or
//! removed, that is a reason to doubt. One that was added is none.
//!
//! Text is compared, and nothing is compiled: comments and the layout of Rust code do not count.

mod doctests;
mod python;
mod rust;
mod rust_tokens;
mod unit;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use self::unit::{Chains, Unit};

/// A source file that is larger is not looked at.
pub const MOST: u64 = 1 << 20;

/// So many tests are named.
const NAMED: usize = 3;

/// What became of the inline tests of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineChange {
    /// Where the first one that was changed is now; `None` where all were removed.
    pub line: Option<u32>,
    /// What became of them, to be read after the name of the file.
    pub reason: String,
}

/// Whether a file of that name can have inline tests.
pub fn can_have(path: &str) -> bool {
    language(path).is_some()
}

/// What became of the inline tests that a file had; `None` where they are all as they were. What is not
/// there any more is given as `None`.
pub fn changed(path: &str, before: &[u8], now: Option<&[u8]>) -> Option<InlineChange> {
    let language = language(path).filter(|_| before.len() as u64 <= MOST)?;
    let mut chains = Chains::default();
    let had = language.units(before, &mut chains);
    if had.is_empty() {
        return None;
    }
    // One that grew too large to be read shows none of its tests.
    let now = now.filter(|now| now.len() as u64 <= MOST).unwrap_or_default();
    let has = language.units(now, &mut chains);
    let (lost, gained) = unit::difference(had, has);
    // Where one of that name is now.
    let now_at: BTreeMap<_, u32> =
        gained.iter().rev().map(|one| ((one.kind, &one.name), one.line)).collect();
    let line_of = |one: &Unit| now_at.get(&(one.kind, &one.name)).copied();
    let told = |one: &Unit| {
        let how = if line_of(one).is_some() { "changed" } else { "removed" };
        format!("{} was {how}", one.told())
    };
    let mut told: Vec<String> = lost.iter().take(NAMED).map(told).collect();
    if told.is_empty() {
        return None;
    }
    if let Some(more @ 1..) = lost.len().checked_sub(NAMED) {
        told.push(format!("and {more} more"));
    }
    let line = lost.iter().find_map(line_of);
    let reason = format!("has other inline tests than before: {}", told.join(", "));
    Some(InlineChange { line, reason })
}

#[derive(Clone, Copy)]
enum Language {
    Rust,
    Python,
}

impl Language {
    fn units(self, bytes: &[u8], chains: &mut Chains) -> Vec<Unit> {
        let text = String::from_utf8_lossy(bytes);
        match self {
            Self::Rust => {
                let mut units = rust::tests(&text, chains);
                units.extend(doctests::of_rust(&text));
                units.sort_by_key(|unit| unit.line);
                units
            }
            Self::Python => python::doctests(&text),
        }
    }
}

fn language(path: &str) -> Option<Language> {
    match path.rsplit_once('.')?.1 {
        "rs" => Some(Language::Rust),
        "py" | "pyi" => Some(Language::Python),
        _ => None,
    }
}
