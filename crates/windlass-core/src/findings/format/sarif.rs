//! A ledger as SARIF 2.1.0, for code scanning and viewers. What is fixed is `absent`, what was
//! skipped is suppressed with its reason.

use serde_json::{Map, Value, json};

use super::{
    super::{Entry, Finding, Severity, Standing, Status},
    message, pretty, rule, uri,
};

/// The name of the tool under which we write.
pub(super) const TOOL: &str = "windlass";

/// The rule of findings for which none is named.
const FINDING: &str = "finding";

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Writes a log with one run.
pub(crate) fn write<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> String {
    let mut rules: Vec<&str> = Vec::new();
    let mut indexes = std::collections::HashMap::new();
    let mut results = Vec::new();
    for entry in entries {
        let rule = rule(&entry.finding).unwrap_or(FINDING);
        let index = *indexes.entry(rule).or_insert_with(|| {
            rules.push(rule);
            rules.len() - 1
        });
        results.push(result(entry, rule, index));
    }
    let rules: Vec<Value> = rules.into_iter().map(described).collect();
    let driver = json!({
        "name": TOOL,
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    });
    pretty(&json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    }))
}

fn described(rule: &str) -> Value {
    let about = if rule == FINDING { "What a reviewer wants changed" } else { rule };
    json!({ "id": rule, "shortDescription": { "text": about } })
}

fn result(entry: &Entry, rule: &str, index: usize) -> Value {
    let finding = &entry.finding;
    let level = match finding.severity {
        Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low => "note",
    };
    let state = match (entry.status, entry.standing) {
        (Status::Fixed, _) => "absent",
        (_, Standing::Open) => "unchanged",
        (_, Standing::New | Standing::Back) => "new",
    };
    let mut result = json!({
        "ruleId": rule,
        "ruleIndex": index,
        "level": level,
        "message": { "text": message(finding) },
    });
    if let Some(location) = location(finding) {
        result["locations"] = json!([{ "physicalLocation": location }]);
    }
    result["partialFingerprints"] = json!({ "windlassIdentity/v1": finding.identity() });
    result["baselineState"] = json!(state);
    if entry.status == Status::Skipped {
        let reason = entry.reason.as_deref().unwrap_or_default();
        result["suppressions"] = json!([{ "kind": "external", "justification": reason }]);
    }
    result["properties"] = properties(entry);
    result
}

fn location(finding: &Finding) -> Option<Value> {
    let file = finding.file.as_deref()?;
    let artifact = if file.starts_with('/') {
        json!({ "uri": format!("file://{}", uri::encoded(file)) })
    } else {
        json!({ "uri": uri::encoded(file), "uriBaseId": "%SRCROOT%" })
    };
    let mut location = json!({ "artifactLocation": artifact });
    if let Some(line) = finding.line {
        location["region"] = json!({ "startLine": line });
        if let Some(end) = finding.end_line {
            location["region"]["endLine"] = json!(end);
        }
    }
    Some(location)
}

/// What SARIF has no place for; enough to read the finding back as it is.
fn properties(entry: &Entry) -> Value {
    let finding = &entry.finding;
    let mut bag = Map::new();
    bag.insert("number".into(), json!(entry.number));
    bag.insert("status".into(), json!(entry.status));
    bag.insert("standing".into(), json!(entry.standing));
    bag.insert("firstIteration".into(), json!(entry.first_iteration));
    bag.insert("lastIteration".into(), json!(entry.last_iteration));
    bag.insert("title".into(), json!(finding.title));
    bag.insert("description".into(), json!(finding.description));
    if let Some(suggestion) = &finding.suggestion {
        bag.insert("suggestion".into(), json!(suggestion));
    }
    if !finding.extra.is_empty() {
        bag.insert("extra".into(), Value::Object(finding.extra.clone()));
    }
    Value::Object(bag)
}
