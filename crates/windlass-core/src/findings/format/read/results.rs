//! SARIF 2.1.0: the results of its runs, with what their rules say of them.

mod rules;

use serde_json::{Map, Value};

use self::rules::Rules;
use super::{
    super::{
        super::{Finding, Severity},
        sarif, uri,
    },
    FileError, line, split,
};

/// So many characters of what a rule says of itself are taken.
const LONGEST: usize = 1_000;

/// Reads the runs of a log.
pub(super) fn of_runs(runs: &Value, version: Option<&Value>) -> Result<Vec<Finding>, FileError> {
    let version = version.and_then(Value::as_str).unwrap_or("of no version");
    if version != "2.1.0" {
        return Err(FileError::Version { version: version.to_owned() });
    }
    let runs = runs.as_array().filter(|runs| !runs.is_empty()).ok_or(FileError::Unknown)?;
    let mut findings = Vec::new();
    for run in runs {
        of_run(run, &mut findings)?;
    }
    Ok(findings)
}

fn of_run(run: &Value, findings: &mut Vec<Finding>) -> Result<(), FileError> {
    let tool = run["tool"]["driver"]["name"].as_str().unwrap_or("the tool").to_owned();
    let Some(results) = run["results"].as_array() else {
        return Err(FileError::NoResults { tool });
    };
    let invocations = run["invocations"].as_array().map(Vec::as_slice).unwrap_or_default();
    let has_failed = invocations.iter().any(|one| one["executionSuccessful"] == false);
    if results.is_empty() && has_failed {
        return Err(FileError::Failed { tool });
    }
    let reader = Reader { run, tool, rules: Rules::of(run), bases: bases(run, invocations) };
    for result in results.iter().filter(|result| counts(result)) {
        let number = findings.len() + 1;
        let finding = reader.finding(result);
        findings.push(finding.ok_or(FileError::Senseless { number, why: "has no message" })?);
    }
    Ok(())
}

/// The directories that paths are told from.
fn bases(run: &Value, invocations: &[Value]) -> Vec<String> {
    let named = run["originalUriBaseIds"].as_object().into_iter().flat_map(Map::values);
    let named = named.filter_map(|base| base["uri"].as_str());
    let worked = invocations.iter().filter_map(|one| one["workingDirectory"]["uri"].as_str());
    named.chain(worked).map(ToOwned::to_owned).collect()
}

/// Whether a result is something to change: not absent, not suppressed, and no check that passed.
fn counts(result: &Value) -> bool {
    let suppressions = result["suppressions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_suppressed = !suppressions.is_empty()
        && suppressions
            .iter()
            .all(|one| !matches!(one["status"].as_str(), Some("rejected" | "underReview")));
    let has_passed = matches!(result["kind"].as_str(), Some("pass" | "notApplicable"));
    result["baselineState"] != "absent" && !is_suppressed && !has_passed
}

struct Reader<'a> {
    run: &'a Value,
    tool: String,
    rules: Rules<'a>,
    bases: Vec<String>,
}

impl Reader<'_> {
    fn finding(&self, result: &Value) -> Option<Finding> {
        let (id, rule) = self.rules.of_result(result);
        let message = rules::message(&result["message"], rule);
        let about = [&rule["fullDescription"], &rule["shortDescription"]];
        let about = about.iter().find_map(|text| text["text"].as_str());
        let (title, mut description) = split(&message.or(about.map(ToOwned::to_owned))?);
        if title.is_empty() {
            return None;
        }
        if description.is_empty() {
            let about = about.map(str::trim).unwrap_or_default();
            description = if about == title { String::new() } else { shortened(about) };
        }
        for related in related(result) {
            description = format!("{description}\n{related}").trim().to_owned();
        }
        let physical = &result["locations"][0]["physicalLocation"];
        let first = line(physical["region"].get("startLine"));
        let last = line(physical["region"].get("endLine"));
        let finding = Finding {
            severity: severity(result, rule),
            file: self.file(&physical["artifactLocation"]),
            line: first,
            end_line: last.filter(|last| first.is_some_and(|first| *last >= first)),
            title,
            description,
            suggestion: suggestion(result),
            extra: self.extra(id, rule),
        };
        Some(if self.tool == sarif::TOOL {
            of_ours(finding, &result["properties"])
        } else {
            finding
        })
    }

    fn file(&self, artifact: &Value) -> Option<String> {
        let index = artifact["index"].as_u64().and_then(|index| usize::try_from(index).ok());
        let listed = index.map(|index| &self.run["artifacts"][index]["location"]["uri"]);
        let uri = artifact["uri"].as_str().or(listed.and_then(Value::as_str))?;
        let path = uri::path(uri, &self.bases);
        (!path.is_empty()).then_some(path)
    }

    fn extra(&self, id: Option<&str>, rule: &Value) -> Map<String, Value> {
        let url = rule["helpUri"].as_str();
        let texts = [("rule", id), ("url", url), ("tool", Some(self.tool.as_str()))];
        let texts = texts.into_iter().filter_map(|(name, text)| Some((name, text?)));
        texts.map(|(name, text)| (name.to_owned(), text.into())).collect()
    }
}

/// What a result says at other places, which is often how to mend it.
fn related(result: &Value) -> impl Iterator<Item = &str> {
    let places = result["relatedLocations"].as_array().map(Vec::as_slice).unwrap_or_default();
    places.iter().filter_map(|place| place["message"]["text"].as_str()).map(str::trim)
}

/// Some rules bring whole pages along.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

fn severity(result: &Value, rule: &Value) -> Severity {
    let level = result["level"].as_str();
    // A result that is not a failure has no level of its own.
    if level.is_none() && result["kind"] == "informational" {
        return Severity::Low;
    }
    match level.or(rule["defaultConfiguration"]["level"].as_str()) {
        Some("error") => Severity::High,
        Some("note" | "none") => Severity::Low,
        _ => Severity::Medium,
    }
}

fn suggestion(result: &Value) -> Option<String> {
    let fixes = result["fixes"].as_array()?.iter();
    let texts = fixes.filter_map(|fix| fix["description"]["text"].as_str());
    let texts: Vec<&str> = texts.filter(|text| !text.trim().is_empty()).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// What we wrote ourselves comes back as it was.
fn of_ours(mut finding: Finding, properties: &Value) -> Finding {
    let text = |name: &str| properties[name].as_str().map(ToOwned::to_owned);
    if let Some(title) = text("title").filter(|title| !title.trim().is_empty()) {
        finding.title = title;
        finding.description = text("description").unwrap_or_default();
        finding.suggestion = text("suggestion");
        finding.extra = properties["extra"].as_object().cloned().unwrap_or_default();
    }
    finding
}
