//! Reads the findings of other programs: SARIF 2.1.0, rdjson and rdjsonl, and our own JSON. Which
//! it is shows in the text. As with a reviewer's words, what cannot be read is an error.

mod diagnostics;
mod results;

use serde_json::Value;

use super::{
    super::{
        Finding,
        report::entry::{self, Entry},
    },
    json,
};

/// Why findings cannot be read from a file's text: a clause about the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// There is nothing in it.
    #[error("it is empty")]
    Empty,
    /// It is no JSON.
    #[error("it is no JSON: line {line}, column {column}: {why}")]
    NoJson {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        why: String,
    },
    /// It is JSON, and of no form that is known.
    #[error(
        "it is neither SARIF (a list `runs`), nor rdjson (a list `diagnostics`), nor a list `findings`"
    )]
    Unknown,
    /// It is of another version.
    #[error("it is SARIF {version}, and only 2.1.0 can be read")]
    Version {
        /// Which.
        version: String,
    },
    /// The tool did not look.
    #[error("{tool} gave no list of results, so it is not known whether it found anything")]
    NoResults {
        /// The tool.
        tool: String,
    },
    /// The tool failed.
    #[error("{tool} says that it failed, and has no results")]
    Failed {
        /// The tool.
        tool: String,
    },
    /// An entry says nothing.
    #[error("its finding {number} {why}")]
    Senseless {
        /// Which, from 1.
        number: usize,
        /// What is wrong with it.
        why: &'static str,
    },
}

/// Reads the findings of a file's text. What is suppressed, fixed or absent in it is left out; an
/// empty list is a tool that found nothing.
pub fn read_file(text: &str) -> Result<Vec<Finding>, FileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(FileError::Empty);
    }
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => {
            return diagnostics::of_lines(text).unwrap_or_else(|| Err(no_json(&error)));
        }
    };
    if let Some(runs) = value.get("runs") {
        results::of_runs(runs, value.get("version"))
    } else if let Some(list) = value.get("diagnostics") {
        diagnostics::of_list(list, &value)
    } else if let Some(list) = value.get("findings") {
        own(list)
    } else {
        diagnostics::of_lines(text).unwrap_or(Err(FileError::Unknown))
    }
}

fn no_json(error: &serde_json::Error) -> FileError {
    let why = error.to_string();
    let why = why.split(" at line ").next().unwrap_or_default().to_owned();
    FileError::NoJson { line: error.line(), column: error.column(), why }
}

/// Our own form, be it of a reviewer or of a ledger.
fn own(list: &Value) -> Result<Vec<Finding>, FileError> {
    let list = list.as_array().ok_or(FileError::Unknown)?;
    let mut findings = Vec::with_capacity(list.len());
    for (at, value) in list.iter().enumerate() {
        let is_of_a_ledger = value.get("number").is_some() && value.get("status").is_some();
        if is_of_a_ledger && value["status"] != "open" {
            continue;
        }
        match entry::read(value) {
            Entry::Finding(mut finding) => {
                if is_of_a_ledger {
                    finding.extra.retain(|name, _| !json::OURS.contains(&name.as_str()));
                }
                findings.push(*finding);
            }
            Entry::Template => {
                return Err(FileError::Senseless { number: at + 1, why: "is not filled in" });
            }
            Entry::Senseless(why) => return Err(FileError::Senseless { number: at + 1, why }),
        }
    }
    Ok(findings)
}

/// The first line of a message, and the whole where there is more of it.
fn split(message: &str) -> (String, String) {
    let message = message.trim();
    match message.split_once('\n') {
        Some((title, _)) => (title.trim().to_owned(), message.to_owned()),
        None => (message.to_owned(), String::new()),
    }
}

/// A line number above zero.
fn line(value: Option<&Value>) -> Option<u32> {
    value?.as_u64().and_then(|line| u32::try_from(line).ok()).filter(|line| *line > 0)
}
