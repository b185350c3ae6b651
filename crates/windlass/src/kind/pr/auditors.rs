//! Who audits a pull request: the built-in auditors with what the user changed about them, and the
//! user's own; and which of them a change concerns. Decided before anything runs; nothing is asked
//! of an agent here.

mod concerned;
mod error;

use globset::GlobSet;
use serde_json::json;
use windlass_core::{
    options::{AuditorOptions, AuditorTable},
    prompts::{PromptName, Prompts},
};
use windlass_proof::globs as compile;

pub use self::{
    concerned::{Concerned, concerned},
    error::AuditorError,
};

/// One auditor of a pull request.
#[derive(Clone, Debug)]
pub struct Auditor {
    /// Its name, such as `security`.
    pub name: String,
    /// What it looks for, as it is told.
    pub brief: String,
    /// The agent that it is, as `NAME` or `NAME:MODEL`; the loop's agent if left out.
    pub agent: Option<String>,
    /// The globs of what it looks at, as the user wrote them; empty for everything.
    pub paths: Vec<String>,
    globs: GlobSet,
}

impl Auditor {
    /// Those of the files that it looks at, by their paths from the top of the repository.
    pub(crate) fn looks_at<'f>(&self, files: impl IntoIterator<Item = &'f str>) -> Vec<&'f str> {
        let is_seen = |file: &&str| self.paths.is_empty() || self.globs.is_match(file);
        files.into_iter().filter(is_seen).collect()
    }
}

/// The auditors that are on, in the order of their results: those that are built in, then the
/// user's own by name. That none is left is an error: nobody's silence is no clean audit.
pub(crate) fn auditors(
    options: &AuditorOptions,
    prompts: &Prompts,
) -> Result<Vec<Auditor>, AuditorError> {
    let mut found = Vec::new();
    for (name, prompt, is_on) in PromptName::AUDITORS {
        let table = options.auditors.get(name).cloned().unwrap_or_default();
        let brief = match &table.brief {
            Some(brief) => brief.clone(),
            None => prompts.render(prompt, json!({}))?,
        };
        found.extend(auditor(name, &table, &brief, is_on)?);
    }
    for (name, table) in options.auditors.iter().filter(|(name, _)| !is_built_in(name)) {
        // Also of one that is off: else a slip in a built-in one's name would leave that one on.
        let no_brief = || AuditorError::NoBrief { name: name.clone() };
        let brief = table.brief.as_ref().ok_or_else(no_brief)?;
        found.extend(auditor(name, table, brief, true)?);
    }
    if found.is_empty() {
        return Err(AuditorError::NoneLeft);
    }
    Ok(found)
}

fn auditor(
    name: &str,
    table: &AuditorTable,
    brief: &str,
    is_on: bool,
) -> Result<Option<Auditor>, AuditorError> {
    let name = name.to_owned();
    if !is_name(&name) {
        return Err(AuditorError::BadName { name });
    }
    if brief.trim().is_empty() {
        return Err(AuditorError::NoBrief { name });
    }
    if table.agent.as_ref().is_some_and(|agent| agent.trim().is_empty()) {
        return Err(AuditorError::NoAgent { name });
    }
    let paths = table.paths.clone().unwrap_or_default();
    let globs = compile(&paths);
    let globs = globs.map_err(|source| AuditorError::BadPath { name: name.clone(), source })?;
    let (brief, agent) = (brief.trim().to_owned(), table.agent.clone());
    let is_on = table.enabled.unwrap_or(is_on);
    Ok(is_on.then_some(Auditor { name, brief, agent, paths, globs }))
}

/// Whether an auditor of that name is built in.
#[must_use]
pub fn is_built_in(name: &str) -> bool {
    PromptName::AUDITORS.iter().any(|(built_in, _, _)| *built_in == name)
}

/// Whether an auditor can have that name: letters, digits, `-`, `_` and `.`, so that it can be part
/// of the place of a step.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '.';
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(is_plain)
}

#[cfg(test)]
mod tests;
