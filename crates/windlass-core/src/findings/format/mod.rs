//! Findings in the forms of other programs: written for them, and read from what they write.

pub mod json;
pub mod markdown;
pub mod rdjson;
mod read;
pub mod sarif;
mod uri;

pub use read::{FileError, read_file};

use super::{Entry, Finding};

/// A form in which a ledger is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Objects in the form in which findings are asked for, with how each stands.
    Json,
    /// A check list, which `windlass tasks` can work off.
    Markdown,
    /// SARIF 2.1.0.
    Sarif,
    /// The Diagnostic Format of reviewdog.
    Rdjson,
}

impl Format {
    /// Writes entries of a ledger: all of them, or those that are of interest.
    pub fn write<'a>(self, entries: impl IntoIterator<Item = &'a Entry>) -> String {
        match self {
            Self::Json => json::write(entries),
            Self::Markdown => markdown::write(entries),
            Self::Sarif => sarif::write(entries),
            Self::Rdjson => rdjson::write(entries),
        }
    }
}

/// What a finding says, as one text: title, description and suggestion.
fn message(finding: &Finding) -> String {
    let mut text = finding.title.clone();
    if !finding.description.is_empty() && finding.description != finding.title {
        text.push_str("\n\n");
        text.push_str(&finding.description);
    }
    if let Some(suggestion) = &finding.suggestion {
        text.push_str("\n\nSuggestion: ");
        text.push_str(suggestion);
    }
    text
}

/// The rule that a finding is about, where a linter named one.
fn rule(finding: &Finding) -> Option<&str> {
    finding.extra.get("rule").and_then(serde_json::Value::as_str).filter(|rule| !rule.is_empty())
}

/// A text that ends with a line break, for a file.
fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests;
