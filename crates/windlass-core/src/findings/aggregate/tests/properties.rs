//! What holds for any reports.

use std::collections::BTreeMap;

use proptest::{collection::vec, option, prelude::*, sample::select};

use super::*;

type Reports = Vec<(String, Vec<Finding>)>;

/// Findings that often touch each other, so that there is something to merge.
fn any_finding() -> impl Strategy<Value = Finding> {
    let subject = select(vec!["user", "order", "cache refresh", "`parse`", "retries 3", ""]);
    let defect =
        select(vec!["Overflow in", "Missing null check for", "Race on", "SQL injection in", "Bug"]);
    let description =
        select(vec!["", "It wraps around.", "The cache refresh of `parse` races on the user."]);
    let file = option::of(select(vec!["src/a.rs", "./src/a.rs", "b/src/a.rs", "src/b.rs"]));
    let severity = select(vec![Severity::Low, Severity::Medium, Severity::High]);
    let lines = (option::of(1_u32..12), option::of(0_u32..3));
    (severity, file, lines, defect, subject, description).prop_map(
        |(severity, file, (line, more), defect, subject, description)| Finding {
            severity,
            file: file.map(str::to_owned),
            line,
            end_line: line.and_then(|line| more.map(|more| line + more)),
            title: format!("{defect} {subject}"),
            description: description.to_owned(),
            ..Finding::default()
        },
    )
}

/// Reports in which each finding carries a mark under a key of its own.
fn any_reports() -> impl Strategy<Value = Reports> {
    vec(vec(any_finding(), 0..8), 0..6).prop_map(|reports| {
        let report = |(at, findings): (usize, Vec<Finding>)| {
            let marked = findings.into_iter().enumerate().map(|(n, mut finding)| {
                finding.extra.insert(format!("mark-{at}-{n}"), json!(finding.severity));
                finding
            });
            (format!("auditor-{at}"), marked.collect())
        };
        reports.into_iter().enumerate().map(report).collect()
    })
}

/// The marks that a finding carries.
fn marks(finding: &Finding) -> Vec<(&String, Severity)> {
    let marks = finding.extra.iter().filter(|(key, _)| key.starts_with("mark"));
    marks.map(|(key, mark)| (key, Severity::of_word(mark.as_str().unwrap()))).collect()
}

/// The findings with their sources sorted, in an order that hangs on nothing but them.
fn unordered(findings: &[Finding]) -> Vec<String> {
    let mut texts: Vec<_> = findings
        .iter()
        .map(|finding| {
            let mut finding = serde_json::to_value(finding).unwrap();
            let sources = finding["sources"].as_array_mut().unwrap();
            sources.sort_by_key(ToString::to_string);
            finding.to_string()
        })
        .collect();
    texts.sort();
    texts
}

/// Severity and place of each, in order.
fn places(findings: &[Finding]) -> Vec<(Severity, Option<String>)> {
    findings.iter().map(|finding| (finding.severity, finding.place())).collect()
}

fn without_sources(findings: &[Finding]) -> Vec<Finding> {
    let strip = |finding: &Finding| {
        let mut finding = finding.clone();
        finding.extra.remove("sources");
        finding
    };
    findings.iter().map(strip).collect()
}

proptest! {
    #[test]
    fn every_finding_is_in_exactly_one_of_the_result(reports in any_reports()) {
        let found = aggregate(&reports, None);
        let mut seen: Vec<_> = found.iter().flat_map(|f| marks(f).into_iter().map(|(key, _)| key)).collect();
        let mut given: Vec<_> =
            reports.iter().flat_map(|(_, f)| f).flat_map(|f| f.extra.keys()).collect();
        seen.sort();
        given.sort();
        prop_assert_eq!(seen, given);
    }

    #[test]
    fn no_severity_is_lowered_and_no_auditor_is_merged_with_itself(reports in any_reports()) {
        for finding in aggregate(&reports, None) {
            let marks = marks(&finding);
            prop_assert_eq!(marks.iter().map(|(_, severity)| *severity).max(), Some(finding.severity));
            let sources = finding.extra["sources"].as_array().unwrap();
            prop_assert_eq!(sources.len(), marks.len());
            let mut distinct: Vec<_> = sources.iter().map(ToString::to_string).collect();
            prop_assert!(distinct.is_sorted(), "{distinct:?}");
            distinct.dedup();
            prop_assert_eq!(distinct.len(), sources.len());
        }
    }

    #[test]
    fn the_order_of_auditors_changes_only_the_order_of_sources(
        (reports, shuffled) in any_reports().prop_flat_map(|reports| {
            (Just(reports.clone()), Just(reports).prop_shuffle())
        })
    ) {
        let (one, other) = (aggregate(&reports, None), aggregate(&shuffled, None));
        prop_assert_eq!(unordered(&one), unordered(&other));
        prop_assert_eq!(places(&one), places(&other));
        let at: BTreeMap<_, _> = shuffled.iter().zip(0..).map(|((name, _), at)| (name.as_str(), at)).collect();
        for finding in &other {
            let sources = finding.extra["sources"].as_array().unwrap();
            prop_assert!(sources.iter().map(|name| at[name.as_str().unwrap()]).is_sorted());
        }
    }

    #[test]
    fn what_is_one_list_already_stays_as_it_is(reports in any_reports()) {
        let once = aggregate(&reports, None);
        let twice = aggregate(&[("all".to_owned(), once.clone())], None);
        prop_assert_eq!(without_sources(&twice), without_sources(&once));
    }

    #[test]
    fn a_least_severity_only_leaves_out(reports in any_reports()) {
        let mut all = aggregate(&reports, None);
        all.retain(|finding| finding.severity >= Severity::Medium);
        prop_assert_eq!(aggregate(&reports, Some(Severity::Medium)), all);
    }
}
