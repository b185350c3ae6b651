//! A ledger as JSON: the form in which findings are asked for, with how each stands beside it. It
//! can be read back as a report.

use serde_json::{Map, Value, json};

use super::{super::Entry, pretty};

/// The fields that say how a finding stands; a reviewer's own of these names gives way.
pub(super) const OURS: [&str; 8] = [
    "number",
    "identity",
    "status",
    "standing",
    "reason",
    "first_iteration",
    "last_iteration",
    "times_back",
];

/// Writes `{"findings": [{"number": 1, "status": "open", …, "severity": "HIGH", …}]}`.
pub(crate) fn write<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> String {
    let list: Vec<Value> = entries.into_iter().map(entry).collect();
    pretty(&json!({ "findings": list }))
}

fn entry(entry: &Entry) -> Value {
    let mut fields = Map::new();
    let ours = [
        json!(entry.number),
        json!(entry.finding.identity()),
        json!(entry.status),
        json!(entry.standing),
        json!(entry.reason),
        json!(entry.first_iteration),
        json!(entry.last_iteration),
        json!(entry.times_back),
    ];
    let named = OURS.iter().zip(ours).filter(|(_, value)| !value.is_null());
    fields.extend(named.map(|(name, value)| ((*name).to_owned(), value)));
    if let Ok(Value::Object(finding)) = serde_json::to_value(&entry.finding) {
        for (name, value) in finding {
            fields.entry(name).or_insert(value);
        }
    }
    Value::Object(fields)
}
