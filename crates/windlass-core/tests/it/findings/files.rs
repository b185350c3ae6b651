//! What real tools write is read, and what we write is valid by the schemas of both formats.

use serde_json::Value;
use windlass_core::findings::{
    Finding, Ledger, Mark, Severity,
    format::{Format, read_file},
};

const SARIF_SCHEMA: &str = include_str!("schemas/sarif-2.1.0.json");
const RDJSON_SCHEMA: &str = include_str!("schemas/rdjson.json");

/// Findings as lines, told from the directory in which the tools ran.
fn lines(text: &str) -> String {
    let findings = read_file(text).unwrap().into_iter();
    let findings = findings.map(|finding| finding.relative_to("/home/user/project"));
    let line = |finding: Finding| {
        let place = finding.place().unwrap_or_default();
        let rule = finding.extra.get("rule").and_then(Value::as_str).unwrap_or_default();
        let suggestion = finding.suggestion.map(|text| format!(" ({text})")).unwrap_or_default();
        format!("{} {place}: [{rule}] {}{suggestion}", finding.severity, finding.title)
    };
    findings.map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn ruff_is_read() {
    insta::assert_snapshot!(lines(include_str!("fixtures/ruff.sarif")), @r"
    HIGH src/app.py:1: [F401] `os` imported but unused (Remove unused import: `os`)
    HIGH src/app.py:2: [F401] `sys` imported but unused (Remove unused import: `sys`)
    HIGH src/app.py:8: [E722] Do not use bare `except`
    ");
    insta::assert_snapshot!(lines(include_str!("fixtures/ruff.rdjson")), @r"
    MEDIUM src/app.py:1: [F401] `os` imported but unused (In line 1, leave it out.)
    MEDIUM src/app.py:2: [F401] `sys` imported but unused (In line 2, leave it out.)
    MEDIUM src/app.py:8: [E722] Do not use bare `except`
    ");
}

#[test]
fn clippy_is_read() {
    let text = include_str!("fixtures/clippy.sarif");
    insta::assert_snapshot!(lines(text), @r"
    MEDIUM src/lib.rs:2: [unused_variables] unused variable: `unused`
    MEDIUM src/lib.rs:1: [clippy::ptr_arg] writing `&Vec` instead of `&[_]` involves a new object where a slice will do
    MEDIUM src/lib.rs:3: [clippy::len_zero] length comparison to zero
    ");
    let help = "using `is_empty` is clearer and more explicit \"list.is_empty()\"";
    assert!(read_file(text).unwrap()[2].description.ends_with(help));
}

#[test]
fn semgrep_is_read() {
    insta::assert_snapshot!(lines(include_str!("fixtures/semgrep.sarif")), @r"
    MEDIUM src/app.py:6-9: [bare-except] A bare except hides every error
    HIGH src/app.py:7: [no-eval] `eval` runs whatever it is given
    ");
}

#[test]
fn eslint_is_read() {
    insta::assert_snapshot!(lines(include_str!("fixtures/eslint.sarif")), @r"
    MEDIUM src/app.js:1: [no-unused-vars] 'unused' is assigned a value but never used.
    HIGH src/app.js:3: [eqeqeq] Expected '===' and instead saw '=='.
    HIGH src/app.js:4: [no-debugger] Unexpected 'debugger' statement.
    HIGH src/app.js:6: [no-undef] 'undefinedThing' is not defined.
    ");
}

/// What a validator says against a text.
fn complaints(schema: &str, text: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let value: Value = serde_json::from_str(text).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    validator
        .iter_errors(&value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

/// A ledger with findings of every kind.
fn ledger() -> Ledger {
    let mut ledger = Ledger::default();
    let odd = Finding {
        severity: Severity::High,
        file: Some("a b/ü#?%.rs".into()),
        line: Some(1),
        end_line: Some(u32::MAX),
        title: "{0} [x](1) <b>\u{1b}\u{202e}".into(),
        description: "\n```\n".into(),
        suggestion: Some("\"".into()),
        extra: serde_json::Map::from_iter([
            ("rule".to_owned(), "a/b c".into()),
            ("tags".to_owned(), serde_json::json!({"deep": [1, null]})),
        ]),
    };
    let bare = Finding { title: "t".into(), ..Finding::default() };
    let absolute = Finding { file: Some("/etc/x".into()), severity: Severity::Low, ..bare.clone() };
    ledger.observe(1, vec![odd.clone(), bare.clone(), absolute.clone()]);
    ledger.observe(2, vec![odd.clone(), bare.clone()]);
    ledger.observe(3, vec![odd, bare.clone(), bare, absolute]);
    ledger.observe(4, vec![]);
    let again = ledger.entries().iter().map(|entry| entry.finding.clone()).take(3).collect();
    ledger.observe(5, again);
    ledger.mark(2, Mark::Skipped { reason: "by design".into() });
    ledger
}

#[test]
fn sarif_is_valid_by_the_official_schema() {
    assert!(complaints(SARIF_SCHEMA, &Format::Sarif.write(ledger().entries())).is_empty());
    assert!(complaints(SARIF_SCHEMA, &Format::Sarif.write([])).is_empty());
    assert_eq!(complaints(SARIF_SCHEMA, r#"{"version": "2.1.0"}"#).len(), 1, "it does complain");
    for fixture in ["clippy", "eslint", "ruff", "semgrep"] {
        let path = format!("tests/it/findings/fixtures/{fixture}.sarif");
        let text = std::fs::read_to_string(path).unwrap();
        assert!(complaints(SARIF_SCHEMA, &text).is_empty(), "{fixture}");
    }
}

#[test]
fn rdjson_is_valid_and_has_no_field_that_its_readers_refuse() {
    assert!(complaints(RDJSON_SCHEMA, &Format::Rdjson.write(ledger().entries())).is_empty());
    assert!(complaints(RDJSON_SCHEMA, &Format::Rdjson.write([])).is_empty());
    assert!(complaints(RDJSON_SCHEMA, include_str!("fixtures/ruff.rdjson")).is_empty());
    assert!(!complaints(RDJSON_SCHEMA, r#"{"diagnostics": [{}]}"#).is_empty(), "it does complain");
}
