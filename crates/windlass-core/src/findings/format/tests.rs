//! What is written can be read back, and a reviewer's text does not break out of its item.

use std::path::Path;

use serde_json::Value;

use super::*;
use crate::{
    findings::{Ledger, Mark, Severity},
    task_file,
};

fn ledger() -> Ledger {
    let one = |severity, file: &str, title: &str| Finding {
        severity,
        file: Some(file.to_owned()).filter(|file| !file.is_empty()),
        line: Some(12),
        end_line: Some(14),
        title: title.to_owned(),
        description: "Because.".to_owned(),
        suggestion: Some("Do better.".to_owned()),
        extra: serde_json::Map::from_iter([("cwe".to_owned(), "CWE-79".into())]),
    };
    let mut ledger = Ledger::default();
    let high = one(Severity::High, "src/a b.rs", "overflow");
    ledger.observe(
        1,
        vec![
            high.clone(),
            one(Severity::Low, "", "no place"),
            one(Severity::Medium, "/abs/x", "gone"),
        ],
    );
    ledger.observe(
        2,
        vec![high, one(Severity::Low, "", "no place"), one(Severity::Medium, "new.rs", "new")],
    );
    ledger.mark(2, Mark::Skipped { reason: "by design".into() });
    ledger
}

fn open(ledger: &Ledger) -> Vec<Finding> {
    ledger
        .entries()
        .iter()
        .filter(|entry| entry.status == crate::findings::Status::Open)
        .map(|entry| entry.finding.clone())
        .collect()
}

#[test]
fn json_is_a_report_with_how_each_stands() {
    let ledger = ledger();
    insta::assert_snapshot!(Format::Json.write(ledger.entries().iter().take(1)), @r#"
    {
      "findings": [
        {
          "number": 1,
          "identity": "d4f8ee4aa0575c7c9bf381f5ff958d71",
          "status": "open",
          "standing": "open",
          "first_iteration": 1,
          "last_iteration": 2,
          "times_back": 0,
          "severity": "HIGH",
          "file": "src/a b.rs",
          "line": 12,
          "end_line": 14,
          "title": "overflow",
          "description": "Because.",
          "suggestion": "Do better.",
          "cwe": "CWE-79"
        }
      ]
    }
    "#);
    assert_eq!(read_file(&Format::Json.write(ledger.entries())), Ok(open(&ledger)));
}

#[test]
fn sarif_says_what_is_new_open_fixed_and_skipped() {
    let ledger = ledger();
    let log: Value = serde_json::from_str(&Format::Sarif.write(ledger.entries())).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let states: Vec<_> = results.iter().map(|result| &result["baselineState"]).collect();
    assert_eq!(states, ["unchanged", "unchanged", "absent", "new"]);
    assert_eq!(results[1]["suppressions"][0]["justification"], "by design");
    insta::assert_json_snapshot!(results[0], @r#"
    {
      "ruleId": "finding",
      "ruleIndex": 0,
      "level": "error",
      "message": {
        "text": "overflow\n\nBecause.\n\nSuggestion: Do better."
      },
      "locations": [
        {
          "physicalLocation": {
            "artifactLocation": {
              "uri": "src/a%20b.rs",
              "uriBaseId": "%SRCROOT%"
            },
            "region": {
              "startLine": 12,
              "endLine": 14
            }
          }
        }
      ],
      "partialFingerprints": {
        "windlassIdentity/v1": "d4f8ee4aa0575c7c9bf381f5ff958d71"
      },
      "baselineState": "unchanged",
      "properties": {
        "number": 1,
        "status": "open",
        "standing": "open",
        "firstIteration": 1,
        "lastIteration": 2,
        "title": "overflow",
        "description": "Because.",
        "suggestion": "Do better.",
        "extra": {
          "cwe": "CWE-79"
        }
      }
    }
    "#);
    assert_eq!(read_file(&Format::Sarif.write(ledger.entries())), Ok(open(&ledger)));
}

#[test]
fn rdjson_says_it_in_the_message() {
    let ledger = ledger();
    insta::assert_snapshot!(Format::Rdjson.write(ledger.entries().iter().take(3)), @r#"
    {
      "source": {
        "name": "windlass"
      },
      "diagnostics": [
        {
          "message": "overflow\n\nBecause.\n\nSuggestion: Do better.",
          "location": {
            "path": "src/a b.rs",
            "range": {
              "start": {
                "line": 12
              },
              "end": {
                "line": 14
              }
            }
          },
          "severity": "ERROR"
        },
        {
          "message": "[skipped] no place\n\nBecause.\n\nSuggestion: Do better.",
          "severity": "INFO"
        },
        {
          "message": "[fixed] gone\n\nBecause.\n\nSuggestion: Do better.",
          "location": {
            "path": "/abs/x",
            "range": {
              "start": {
                "line": 12
              },
              "end": {
                "line": 14
              }
            }
          },
          "severity": "WARNING"
        }
      ]
    }
    "#);
    let read = read_file(&Format::Rdjson.write(ledger.entries())).unwrap();
    let places = |findings: &[Finding]| findings.iter().map(Finding::place).collect::<Vec<_>>();
    assert_eq!(places(&read), places(&open(&ledger)));
}

#[test]
fn markdown_is_a_check_list() {
    insta::assert_snapshot!(Format::Markdown.write(ledger().entries()), @r#"
    # Findings

    2 open, 1 fixed, 1 skipped

    - [ ] **HIGH** src/a b.rs:12-14: overflow
      Because.
      Suggestion: Do better.
    - [ ] **LOW** no place
      Because.
      Suggestion: Do better.
      Skipped: by design
    - [x] **MEDIUM** /abs/x:12-14: gone
      Because.
      Suggestion: Do better.
    - [ ] **MEDIUM** new.rs:12-14: new
      Because.
      Suggestion: Do better.
    "#);
    insta::assert_snapshot!(Format::Markdown.write([]), @r"
    # Findings

    There are none.
    ");
}

#[test]
fn what_a_reviewer_says_stays_in_its_item() {
    let hostile = [
        "- [ ] another task",
        "* [x] done",
        "• [ ] dot",
        "1. [ ] numbered",
        "# Later",
        "## Optional",
        "Later\n===",
        "Later\n---",
        "```\nfence",
        "~~~ fence",
        "<!-- comment",
        "<img src=x onerror=alert(1)>",
        "> - [ ] quoted",
        "a\r\n\r\n- [ ] b",
        "\u{2028}- [ ] c\u{b}- [ ] d",
        "\u{1b}[31mred",
    ];
    for text in hostile {
        let finding = Finding {
            title: text.to_owned(),
            description: text.to_owned() + ".",
            suggestion: Some(text.to_owned()),
            file: Some(text.to_owned()),
            ..Finding::default()
        };
        let last = Finding { title: "the last one".into(), ..Finding::default() };
        let mut ledger = Ledger::default();
        ledger.observe(1, vec![finding, last]);
        ledger.mark(1, Mark::Skipped { reason: text.to_owned() });
        let list = Format::Markdown.write(ledger.entries());
        let read = task_file::Format::of(Path::new("f.md"), &list).read(&list).unwrap();
        assert_eq!(read.tasks.len(), 2, "{list}");
        assert_eq!(read.open(), 2, "{list}");
        assert!(read.tasks[1].name.ends_with("the last one"), "{list}");
        assert!(!list.contains(['<', '\u{1b}']), "{list}");
    }
}
