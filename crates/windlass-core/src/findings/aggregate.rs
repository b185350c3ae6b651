//! Makes one list of the reports of several auditors: the same defect told by several is one
//! finding, with its sources and its highest severity. By place and meaning, without an agent, and
//! in doubt two findings stay two: one that is told twice costs a minute, one that is swallowed
//! comes back after the merge.
//!
//! Two findings of different auditors are the same where they are in the same file, close to each
//! other, and say the same (`alike`). A group holds only findings that are the same two by two, so
//! that a chain of likenesses does not swallow what is different at its ends (`clusters`).

mod alike;
mod by_file;
mod clusters;
mod merge;
mod path;
mod words;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashSet},
};

pub use self::by_file::{Group, by_file};
use self::{alike::Meaning, words::Dictionary};
use super::{Finding, Severity};

/// A finding of a report, with where it comes from.
struct Told<'a> {
    /// The auditor that told it.
    auditor: &'a str,
    /// Which report it stands in, and where in it.
    position: (usize, usize),
    /// Its file as all auditors would write it.
    file: Option<String>,
    finding: &'a Finding,
    meaning: Meaning,
}

/// One list of what several auditors found, the gravest first, then by file and line. Each finding
/// has the names of its auditors as `sources`, in the order of the reports, whatever it had under
/// that name before. What is less grave than `min_severity` after merging is left out.
///
/// Findings of one auditor are never merged with each other. The order of the reports decides only
/// the order of sources, and of findings that are equally grave at the same place.
#[must_use]
pub fn aggregate(
    reports: &[(String, Vec<Finding>)],
    min_severity: Option<Severity>,
) -> Vec<Finding> {
    let told = all_told(reports);
    let mut files: BTreeMap<Option<&str>, Vec<&Told<'_>>> = BTreeMap::new();
    for one in &told {
        files.entry(one.file.as_deref()).or_default().push(one);
    }
    let groups = files.into_values().flat_map(clusters::of);
    let mut merged: Vec<_> = groups.map(|group| (first(&group), merge::merged(&group))).collect();
    merged.retain(|(_, finding)| min_severity.is_none_or(|least| finding.severity >= least));
    merged.sort_by(|(first, one), (second, other)| {
        let key = |finding: &Finding| (Reverse(finding.severity), finding.file.is_none());
        let place = |finding: &Finding| (finding.line, finding.end_line);
        (key(one).cmp(&key(other)))
            .then_with(|| one.file.cmp(&other.file))
            .then_with(|| place(one).cmp(&place(other)))
            .then_with(|| first.cmp(second))
    });
    merged.into_iter().map(|(_, finding)| finding).collect()
}

/// Where the first of a group stands in the reports.
fn first(group: &[&Told<'_>]) -> (usize, usize) {
    group.iter().map(|one| one.position).min().unwrap_or_default()
}

/// The findings of all reports by auditor, so that what comes of them does not hang on the order in
/// which the reports came in.
fn all_told(reports: &[(String, Vec<Finding>)]) -> Vec<Told<'_>> {
    let findings = || reports.iter().flat_map(|(_, findings)| findings);
    let plain: HashSet<_> = findings().filter_map(path::of).collect();
    let mut dictionary = Dictionary::default();
    let mut told = Vec::with_capacity(findings().count());
    for (report, (auditor, findings)) in reports.iter().enumerate() {
        for (place, finding) in findings.iter().enumerate() {
            told.push(Told {
                auditor,
                position: (report, place),
                file: path::of(finding).map(|file| path::without_side(file, &plain)),
                finding,
                meaning: Meaning::of(finding, &mut dictionary),
            });
        }
    }
    told.sort_by_key(|one| (one.auditor, one.position));
    told
}

#[cfg(test)]
mod tests;
