//! Which auditors a change concerns.

use super::Auditor;

/// The auditors that a change concerns, and why the others are left out.
#[derive(Debug)]
pub struct Concerned<'a> {
    /// Those that look at something that has changed, in their order. Where there is none, nobody
    /// has looked: that is no clean audit.
    pub auditors: Vec<&'a Auditor>,
    /// A clause for each of the others, to be told to people.
    pub notes: Vec<String>,
}

/// Leaves out the auditors that look at nothing of what has changed.
#[must_use]
pub fn concerned<'a>(auditors: &'a [Auditor], files: &[&str]) -> Concerned<'a> {
    let looks = |auditor: &&Auditor| {
        auditor.paths.is_empty() || !auditor.looks_at(files.iter().copied()).is_empty()
    };
    let (auditors, others): (Vec<_>, Vec<_>) = auditors.iter().partition(looks);
    let note = |auditor: &Auditor| {
        let paths: Vec<_> = auditor.paths.iter().map(|path| format!("`{path}`")).collect();
        let paths = paths.join(", ");
        format!("the auditor `{}` is left out: nothing has changed in {paths}", auditor.name)
    };
    Concerned { auditors, notes: others.into_iter().map(note).collect() }
}
