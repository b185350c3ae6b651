//! What becomes of the reports of several auditors.

mod pairs;
mod properties;

use std::time::{Duration, Instant};

use serde_json::json;

use super::*;

/// A finding of `src/a.rs`.
fn finding(severity: Severity, line: u32, title: &str, description: &str) -> Finding {
    Finding {
        severity,
        file: Some("src/a.rs".into()),
        line: Some(line),
        title: title.into(),
        description: description.into(),
        ..Finding::default()
    }
}

fn reports(reports: &[(&str, &[Finding])]) -> Vec<(String, Vec<Finding>)> {
    let owned =
        |(auditor, findings): &(&str, &[Finding])| ((*auditor).to_owned(), findings.to_vec());
    reports.iter().map(owned).collect()
}

/// Place, severity, title and sources, a line each.
fn told(findings: &[Finding]) -> String {
    let line = |finding: &Finding| {
        let place = finding.place().unwrap_or_else(|| "-".into());
        let (severity, title) = (finding.severity, &finding.title);
        format!("{severity} {place} {title} {}", finding.extra["sources"])
    };
    findings.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_same_defect_of_several_auditors_is_one_with_all_that_they_say() {
    let mut correctness = finding(Severity::Low, 12, "Overflow in sum of prices", "It wraps.");
    correctness.suggestion = Some("Use `checked_add`.".into());
    correctness.extra.insert("rule".into(), json!("C1"));
    let mut security = finding(
        Severity::High,
        11,
        "Integer overflow in sum of prices",
        "The sum of the prices wraps around, and the order is free.",
    );
    security.end_line = Some(14);
    security.file = Some("./src\\a.rs".into());
    security.extra.insert("cwe".into(), json!("CWE-190"));
    security.extra.insert("sources".into(), json!(["nobody"]));
    let alone = finding(Severity::Medium, 40, "Loop never ends", "");
    let reports = reports(&[("correctness", &[correctness, alone]), ("security", &[security])]);
    let found = aggregate(&reports, None);
    insta::assert_snapshot!(serde_json::to_string_pretty(&found).unwrap(), @r#"
    [
      {
        "severity": "HIGH",
        "file": "src/a.rs",
        "line": 11,
        "end_line": 14,
        "title": "Integer overflow in sum of prices",
        "description": "The sum of the prices wraps around, and the order is free.",
        "suggestion": "Use `checked_add`.",
        "cwe": "CWE-190",
        "sources": [
          "correctness",
          "security"
        ],
        "rule": "C1"
      },
      {
        "severity": "MEDIUM",
        "file": "src/a.rs",
        "line": 40,
        "title": "Loop never ends",
        "description": "",
        "sources": [
          "correctness"
        ]
      }
    ]
    "#);
}

#[test]
fn what_another_title_adds_is_told_and_nothing_twice() {
    let one = finding(Severity::High, 12, "Race on cache refresh", "Two threads race.");
    let two = finding(Severity::Low, 12, "Race on cache refresh and eviction", "");
    let three = finding(Severity::Low, 12, "Race on cache refresh", "Race.");
    let reports = reports(&[("a", &[one]), ("b", &[two]), ("c", &[three])]);
    let found = aggregate(&reports, None);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].description,
        "Two threads race.\n\nIn other words: Race on cache refresh and eviction"
    );
}

#[test]
fn the_same_words_are_the_same_finding_be_they_ever_so_few() {
    let one = finding(Severity::Low, 2, "one", "It is so: one.");
    let nowhere = Finding { file: None, line: None, ..one.clone() };
    for same in [one, nowhere] {
        let same = std::slice::from_ref(&same);
        let reports = reports(&[("a", same), ("b", same), ("c", same)]);
        let found = aggregate(&reports, None);
        assert_eq!(found.len(), 1, "{found:#?}");
    }
}

#[test]
fn findings_of_one_auditor_are_never_merged_with_each_other() {
    let once = [finding(Severity::High, 12, "Overflow in sum", "It wraps.")];
    let twice = [once.clone(), once.clone()].concat();
    let found = aggregate(&reports(&[("a", &twice), ("b", &once)]), None);
    insta::assert_snapshot!(told(&found), @r#"
    HIGH src/a.rs:12 Overflow in sum ["a","b"]
    HIGH src/a.rs:12 Overflow in sum ["a"]
    "#);
    let found = aggregate(&reports(&[("a", &once), ("a", &once)]), None);
    assert_eq!(found.len(), 2, "two reports of one auditor are of one auditor");
}

#[test]
fn each_goes_with_the_one_that_is_nearest() {
    let at = |line| finding(Severity::High, line, "Missing null check", "");
    let found = aggregate(&reports(&[("a", &[at(10), at(12)]), ("b", &[at(12), at(10)])]), None);
    insta::assert_snapshot!(told(&found), @r#"
    HIGH src/a.rs:10 Missing null check ["a","b"]
    HIGH src/a.rs:12 Missing null check ["a","b"]
    "#);
}

#[test]
fn a_chain_of_likenesses_does_not_swallow_its_ends() {
    let at = |line| finding(Severity::High, line, "Missing null check", "");
    let found = aggregate(&reports(&[("a", &[at(10)]), ("b", &[at(13)]), ("c", &[at(16)])]), None);
    insta::assert_snapshot!(told(&found), @r#"
    HIGH src/a.rs:10-13 Missing null check ["a","b"]
    HIGH src/a.rs:16 Missing null check ["c"]
    "#);
}

#[test]
fn the_gravest_come_first_then_file_and_line_and_the_least_grave_go_after_merging() {
    let mut other = finding(Severity::High, 5, "Other file", "");
    other.file = Some("lib/z.rs".into());
    let mut nowhere = finding(Severity::High, 1, "No licence", "");
    (nowhere.file, nowhere.line) = (None, None);
    let mut whole = finding(Severity::Medium, 1, "Module has no tests", "");
    whole.line = None;
    let low = finding(Severity::Low, 9, "Deadlock", "");
    let high = finding(Severity::High, 9, "Deadlock", "");
    let reports = reports(&[
        ("a", &[nowhere, low, finding(Severity::Medium, 7, "Second", "")]),
        ("b", &[finding(Severity::Low, 3, "Name is unclear", ""), whole, high]),
        ("c", &[other, finding(Severity::Medium, 7, "Third thing", "")]),
    ]);
    insta::assert_snapshot!(told(&aggregate(&reports, None)), @r#"
    HIGH lib/z.rs:5 Other file ["c"]
    HIGH src/a.rs:9 Deadlock ["a","b"]
    HIGH - No licence ["a"]
    MEDIUM src/a.rs Module has no tests ["b"]
    MEDIUM src/a.rs:7 Second ["a"]
    MEDIUM src/a.rs:7 Third thing ["c"]
    LOW src/a.rs:3 Name is unclear ["b"]
    "#);
    let least = |severity| aggregate(&reports, Some(severity)).len();
    assert_eq!((least(Severity::Low), least(Severity::Medium), least(Severity::High)), (7, 6, 3));
    assert!(aggregate(&[], None).is_empty());
}

#[test]
fn thousands_of_findings_are_one_list_at_once() {
    let title = |n: usize| format!("Value number{} of the record is not checked", n * 7 % 50);
    let report = |auditor: usize| {
        let one = |n: usize| Finding {
            file: Some(format!("src/file{}.rs", n % 300)),
            description: format!("{} so that {auditor} is written. ", title(n)).repeat(4),
            ..finding(Severity::Medium, u32::try_from(n).unwrap(), &title(n), "")
        };
        (format!("auditor{auditor}"), (0..600).map(one).collect())
    };
    let reports: Vec<(String, Vec<Finding>)> = (0..5).map(report).collect();
    let before = Instant::now();
    let found = aggregate(&reports, None);
    let took = before.elapsed();
    assert_eq!(found.len(), 600);
    // Some tenths of a second without optimisation; the rest is for machines with other work.
    assert!(took < Duration::from_secs(3), "{took:?}");
}
