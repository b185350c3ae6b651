//! Makes one finding of a group that says the same. Whose words stay is told by what they are, and
//! not by which report came in first.

use std::cmp::Reverse;

use serde_json::Value;

use super::{Finding, Told};

/// The key under which a finding keeps the names of its auditors.
const SOURCES: &str = "sources";

/// One finding of a group. The title is that of the gravest, the description the longest, the
/// suggestion the first that there is; the place is from the first line of all to the last.
pub(super) fn merged(group: &[&Told<'_>]) -> Finding {
    let mut ranked = group.to_vec();
    ranked.sort_by_key(|one| (Reverse(one.finding.severity), one.auditor, one.position));
    let Some(lead) = ranked.first() else { return Finding::default() };
    let findings = || ranked.iter().map(|one| one.finding);
    let mut finding = lead.finding.clone();
    finding.file.clone_from(&lead.file);
    if ranked.len() > 1 {
        (finding.line, finding.end_line) = place(&ranked);
        finding.description = description(&ranked);
        finding.suggestion = findings().find_map(|finding| finding.suggestion.clone());
        for (key, value) in findings().skip(1).flat_map(|finding| &finding.extra) {
            finding.extra.entry(key).or_insert_with(|| value.clone());
        }
    }
    finding.extra.insert(SOURCES.to_owned(), sources(&ranked));
    finding
}

/// From the first line of all to the last.
fn place(ranked: &[&Told<'_>]) -> (Option<u32>, Option<u32>) {
    let first = ranked.iter().filter_map(|one| one.finding.line).min();
    let last = |told: &&Told<'_>| {
        let finding = told.finding;
        finding.line.map(|line| finding.end_line.unwrap_or(line).max(line))
    };
    let last = ranked.iter().filter_map(last).max();
    (first, last.filter(|last| first.is_some_and(|first| *last > first)))
}

/// The longest description, and below it the titles that say something which is neither there nor
/// in the title that stays.
fn description(ranked: &[&Told<'_>]) -> String {
    let length = |told: &Told<'_>| told.finding.description.trim().chars().count();
    // Of several that are equally long the last is taken, so the first must come last.
    let Some(longest) = ranked.iter().rev().max_by_key(|one| length(one)) else {
        return String::new();
    };
    let mut known = longest.meaning.description().to_vec();
    let mut description = longest.finding.description.clone();
    for (at, told) in ranked.iter().enumerate() {
        let title = told.meaning.title();
        if at > 0 && title.iter().any(|word| !known.contains(word)) {
            let gap = if description.is_empty() { "" } else { "\n\n" };
            description.push_str(gap);
            description.push_str("In other words: ");
            description.push_str(&told.finding.title);
        }
        known.extend(title);
    }
    description
}

/// The names of the auditors, in the order of their reports.
fn sources(ranked: &[&Told<'_>]) -> Value {
    let mut told = ranked.to_vec();
    told.sort_by_key(|one| one.position);
    told.into_iter().map(|one| one.auditor).collect()
}
