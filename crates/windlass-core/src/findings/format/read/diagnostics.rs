//! The Diagnostic Format of reviewdog: rdjson, one object with all, and rdjsonl, one a line.

use serde_json::{Map, Value};

use super::{
    super::{
        super::{Finding, Severity},
        rdjson,
    },
    FileError, line, split,
};

/// Reads the list of an rdjson file. A list that is null is empty, as protocol buffers have it.
pub(super) fn of_list(list: &Value, whole: &Value) -> Result<Vec<Finding>, FileError> {
    let none = Vec::new();
    let list = match list {
        Value::Null => &none,
        Value::Array(list) => list,
        _ => return Err(FileError::Unknown),
    };
    of_values(list, whole)
}

/// Reads rdjsonl; `None` where it is something else.
pub(super) fn of_lines(text: &str) -> Option<Result<Vec<Finding>, FileError>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let values: Option<Vec<Value>> = lines.map(|line| serde_json::from_str(line).ok()).collect();
    let values = values?;
    let is_diagnostic =
        |value: &Value| value["message"].is_string() && value.get("location").is_some();
    let are_all = !values.is_empty() && values.iter().all(is_diagnostic);
    are_all.then(|| of_values(&values, &Value::Null))
}

fn of_values(list: &[Value], whole: &Value) -> Result<Vec<Finding>, FileError> {
    let mut findings = Vec::with_capacity(list.len());
    for (at, value) in list.iter().enumerate() {
        let message = value["message"].as_str().unwrap_or_default().trim();
        if message.is_empty() {
            return Err(FileError::Senseless { number: at + 1, why: "has no message" });
        }
        let source = value["source"]["name"].as_str().or(whole["source"]["name"].as_str());
        let is_ours = source == Some(rdjson::SOURCE);
        let is_over = message.starts_with(rdjson::FIXED) || message.starts_with(rdjson::SKIPPED);
        if !(is_ours && is_over) {
            findings.push(finding(value, whole, message, source));
        }
    }
    Ok(findings)
}

fn finding(value: &Value, whole: &Value, message: &str, source: Option<&str>) -> Finding {
    let (title, description) = split(message);
    let location = &value["location"];
    let (first, last) = lines(&location["range"]);
    let mut extra = Map::new();
    let texts = [
        ("rule", value["code"]["value"].as_str()),
        ("url", value["code"]["url"].as_str()),
        ("tool", source.filter(|source| *source != rdjson::SOURCE)),
    ];
    for (name, text) in texts {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            extra.insert(name.to_owned(), text.into());
        }
    }
    let path = location["path"].as_str().map(|path| path.trim_start_matches("./"));
    Finding {
        severity: severity(&value["severity"]).or(severity(&whole["severity"])).unwrap_or_default(),
        file: path.filter(|path| !path.is_empty()).map(ToOwned::to_owned),
        line: first,
        end_line: last,
        title,
        description,
        suggestion: suggestion(&value["suggestions"]),
        extra,
    }
}

fn severity(value: &Value) -> Option<Severity> {
    match (value.as_str(), value.as_u64()) {
        (Some("ERROR"), _) | (_, Some(1)) => Some(Severity::High),
        (Some("WARNING"), _) | (_, Some(2)) => Some(Severity::Medium),
        (Some("INFO"), _) | (_, Some(3)) => Some(Severity::Low),
        _ => None,
    }
}

/// The first and the last line of a range. One that ends before the first column of a line ends
/// with the line before it.
fn lines(range: &Value) -> (Option<u32>, Option<u32>) {
    let first = line(range["start"].get("line"));
    let end = line(range["end"].get("line"));
    let is_before = range["end"]["column"].as_u64() == Some(1);
    let end =
        end.zip(first).map(|(end, first)| if is_before && end > first { end - 1 } else { end });
    (first, end.filter(|end| first.is_some_and(|first| *end >= first)))
}

/// The texts that are suggested, each with the lines that it is for.
fn suggestion(list: &Value) -> Option<String> {
    let texts = list.as_array()?.iter().filter_map(|one| {
        let text = one["text"].as_str()?;
        let place = match lines(&one["range"]) {
            (Some(first), Some(last)) if last > first => format!("lines {first} to {last}"),
            (Some(first), _) => format!("line {first}"),
            _ => return Some(text.to_owned()),
        };
        Some(match text {
            "" => format!("In {place}, leave it out."),
            text => format!("In {place}, write:\n{text}"),
        })
    });
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}
