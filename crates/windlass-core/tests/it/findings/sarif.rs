//! The turns of SARIF and rdjson that the fixtures do not take, and what is no report at all.

use serde_json::{Value, json};
use windlass_core::findings::{Finding, Severity, format::read_file};

fn log(run: Value) -> String {
    json!({ "version": "2.1.0", "runs": [run] }).to_string()
}

fn read_run(run: Value) -> Vec<Finding> {
    read_file(&log(run)).unwrap()
}

fn why(text: &str) -> String {
    read_file(text).unwrap_err().to_string()
}

#[test]
fn rules_give_names_levels_and_messages() {
    let run = json!({
        "tool": {
            "driver": { "name": "lint", "rules": [
                { "id": "R1", "defaultConfiguration": { "level": "error" }, "messageStrings": { "m": { "text": "{0} hides {1}" } } },
                { "id": "R2", "defaultConfiguration": { "level": "note" }, "shortDescription": { "text": "Short" } },
            ] },
            "extensions": [{ "name": "more", "rules": [{ "id": "X1", "defaultConfiguration": { "level": "none" } }] }],
        },
        "results": [
            { "ruleIndex": 0, "message": { "id": "m", "arguments": ["a", "b"] } },
            { "ruleId": "R1/sub", "message": { "text": "below" } },
            { "rule": { "id": "R2", "index": 1 }, "message": {} },
            { "rule": { "id": "X1", "index": 0, "toolComponent": { "index": 0 } }, "message": { "text": "x" } },
            { "ruleId": "unknown", "message": { "text": "y" } },
            { "ruleId": "R1", "level": "warning", "message": { "text": "z" } },
            { "message": { "text": "as information" }, "kind": "informational" },
        ],
    });
    let read = read_run(run);
    let read: Vec<(Severity, &str)> = read.iter().map(|f| (f.severity, f.title.as_str())).collect();
    let expected = [
        (Severity::High, "a hides b"),
        (Severity::High, "below"),
        (Severity::Low, "Short"),
        (Severity::Low, "x"),
        (Severity::Medium, "y"),
        (Severity::Medium, "z"),
        (Severity::Low, "as information"),
    ];
    assert_eq!(read, expected);
}

#[test]
fn files_are_told_from_the_base_that_a_run_names() {
    let place = |uri: Value| {
        let location = json!({ "physicalLocation": { "artifactLocation": uri, "region": { "startLine": 3 } } });
        json!({ "message": { "text": "m" }, "locations": [location] })
    };
    let run = json!({
        "tool": { "driver": { "name": "lint" } },
        "originalUriBaseIds": { "%SRCROOT%": { "uri": "file:///home/user/project/" } },
        "artifacts": [{ "location": { "uri": "src/listed.rs" } }],
        "results": [
            place(json!({ "uri": "src/a%20b.rs", "uriBaseId": "%SRCROOT%" })),
            place(json!({ "uri": "file:///home/user/project/src/c.rs" })),
            place(json!({ "uri": "file:///elsewhere/d.rs" })),
            place(json!({ "index": 0 })),
            place(json!({})),
        ],
    });
    let places: Vec<Option<String>> = read_run(run).iter().map(Finding::place).collect();
    let places: Vec<&str> = places.iter().map(|p| p.as_deref().unwrap_or("-")).collect();
    assert_eq!(places, ["src/a b.rs:3", "src/c.rs:3", "/elsewhere/d.rs:3", "src/listed.rs:3", "-"]);
}

#[test]
fn what_is_over_is_left_out_and_several_runs_are_one_list() {
    let result = |more: Value| {
        let mut result = json!({ "message": { "text": "m" } });
        result.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        result
    };
    let run = json!({ "tool": { "driver": { "name": "lint" } }, "results": [
        result(json!({ "baselineState": "absent" })),
        result(json!({ "suppressions": [{ "kind": "inSource" }] })),
        result(json!({ "suppressions": [{ "kind": "external", "status": "rejected" }] })),
        result(json!({ "suppressions": [] })),
        result(json!({ "kind": "pass" })),
        result(json!({ "baselineState": "unchanged" })),
    ]});
    let two = json!({ "version": "2.1.0", "runs": [run.clone(), run] }).to_string();
    assert_eq!(read_file(&two).unwrap().len(), 6);
}

#[test]
fn a_tool_that_found_nothing_is_told_from_one_that_did_not_look() {
    let driver = json!({ "driver": { "name": "lint" } });
    assert_eq!(read_run(json!({ "tool": driver, "results": [] })), []);
    assert_eq!(
        why(&log(json!({ "tool": driver }))),
        "lint gave no list of results, so it is not known whether it found anything"
    );
    let failed =
        json!({ "tool": driver, "results": [], "invocations": [{ "executionSuccessful": false }] });
    assert_eq!(why(&log(failed)), "lint says that it failed, and has no results");
}

#[test]
fn rdjson_and_its_lines_are_read() {
    let one = json!({ "message": "m\nmore", "severity": 1, "code": { "value": "E1" },
        "location": { "path": "./a.rs", "range": { "start": { "line": 3, "column": 2 }, "end": { "line": 5, "column": 1 } } },
        "suggestions": [{ "range": { "start": { "line": 3 }, "end": { "line": 4 } }, "text": "x" }] });
    let two = json!({ "message": "n", "location": { "path": "b.rs" } });
    let whole =
        json!({ "source": { "name": "lint" }, "severity": "INFO", "diagnostics": [one, two] });
    let read = read_file(&whole.to_string()).unwrap();
    assert_eq!(read[0].place().as_deref(), Some("a.rs:3-4"));
    assert_eq!((read[0].title.as_str(), read[0].description.as_str()), ("m", "m\nmore"));
    assert_eq!(read[0].suggestion.as_deref(), Some("In lines 3 to 4, write:\nx"));
    assert_eq!((read[0].severity, read[1].severity), (Severity::High, Severity::Low));
    assert_eq!(read[1].extra["tool"], "lint");
    let lines = read_file(&format!("{one}\n\n{two}\r\n")).unwrap();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[1].severity, Severity::Medium);
    assert_eq!(read_file(&two.to_string()).unwrap().len(), 1);
}

#[test]
fn what_is_no_report_is_an_error_that_says_so() {
    let known = "it is neither SARIF (a list `runs`), nor rdjson (a list `diagnostics`), nor a list `findings`";
    for (text, expected) in [
        ("", "it is empty"),
        ("\u{feff} \n", "it is empty"),
        ("findings: none", "it is no JSON: line 1, column 2: expected ident"),
        ("{\"runs\": [", "it is no JSON: line 1, column 10: EOF while parsing a list"),
        ("{}", known),
        ("[]", known),
        ("{\"findings\": 0}", known),
        ("{\"version\": \"2.1.0\", \"runs\": []}", known),
        (
            "{\"version\": \"2.0.0\", \"runs\": [{}]}",
            "it is SARIF 2.0.0, and only 2.1.0 can be read",
        ),
        ("{\"diagnostics\": [{}]}", "its finding 1 has no message"),
        (
            "{\"findings\": [{\"severity\": \"LOW\"}]}",
            "its finding 1 has neither title nor description",
        ),
    ] {
        assert_eq!(why(text), expected, "{text}");
    }
}
