//! A ledger in the Diagnostic Format of reviewdog. That format has no word for what is fixed or
//! skipped, and its readers refuse fields that they do not know, so the message says it.

use serde_json::{Value, json};

use super::{
    super::{Entry, Finding, Severity, Status},
    message, pretty, rule,
};

/// What the message of a finding begins with that is fixed.
pub(super) const FIXED: &str = "[fixed] ";
/// What the message of a finding begins with that was skipped.
pub(super) const SKIPPED: &str = "[skipped] ";
/// The name under which we write.
pub(super) const SOURCE: &str = "windlass";

/// Writes `{"source": …, "diagnostics": […]}`.
pub(crate) fn write<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> String {
    let list: Vec<Value> = entries.into_iter().map(diagnostic).collect();
    pretty(&json!({ "source": { "name": SOURCE }, "diagnostics": list }))
}

fn diagnostic(entry: &Entry) -> Value {
    let finding = &entry.finding;
    let prefix = match entry.status {
        Status::Open => "",
        Status::Fixed => FIXED,
        Status::Skipped => SKIPPED,
    };
    let severity = match finding.severity {
        Severity::High => "ERROR",
        Severity::Medium => "WARNING",
        Severity::Low => "INFO",
    };
    let mut diagnostic = json!({ "message": format!("{prefix}{}", message(finding)) });
    if let Some(location) = location(finding) {
        diagnostic["location"] = location;
    }
    diagnostic["severity"] = json!(severity);
    if let Some(rule) = rule(finding) {
        diagnostic["code"] = json!({ "value": rule });
    }
    diagnostic
}

fn location(finding: &Finding) -> Option<Value> {
    let path = finding.file.as_deref()?;
    let mut location = json!({ "path": path });
    if let Some(line) = finding.line {
        // Without columns a range is of whole lines, and its end is part of it.
        location["range"] = json!({ "start": { "line": line } });
        if let Some(end) = finding.end_line {
            location["range"]["end"] = json!({ "line": end });
        }
    }
    Some(location)
}
