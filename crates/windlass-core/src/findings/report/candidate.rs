//! Everything in a message that may be its list of findings, and which of it is.

use std::ops::Range;

use serde_json::{Map, Value};

use super::{
    super::{
        Finding,
        lenient::{self, Broken, Parsed},
    },
    Unreadable,
    blocks::{self, Block},
    doubt, entry,
    entry::Entry,
    line_of,
};

/// So many objects in prose may turn out to be broken; a message with more is not looked through.
const MOST_BROKEN: usize = 64;

/// Something that may be the list of findings.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) range: Range<usize>,
    pub(super) reading: Reading,
    rank: Rank,
}

/// How much a candidate weighs; of those with the same weight the last counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Findings in a block, without the list `findings` around them.
    Loose,
    /// An object with a list `findings` in the prose.
    InProse,
    /// The whole message.
    Whole,
    /// An object with a list `findings` in a block.
    InBlock,
}

/// What a candidate says.
#[derive(Debug)]
pub(super) enum Reading {
    /// There are findings.
    Findings(Vec<Finding>),
    /// There is none.
    Clean {
        /// Whether there is a comment in it, which may stand for something.
        is_commented: bool,
    },
    /// The form that was asked for, with nothing filled in.
    Template,
    /// It is meant to be a list of findings, and is none.
    Unreadable(Unreadable),
}

/// All candidates of a message, in their order.
pub(super) fn all(text: &str, blocks: &[Block<'_>]) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> =
        blocks.iter().filter_map(|block| in_block(text, block)).collect();
    let start = text.len() - text.trim_start().len();
    let end = text.trim_end().len();
    if text[start..].starts_with(['{', '[']) {
        let whole = lenient::value(text, start).ok().filter(|parsed| parsed.end == end);
        let reading = whole.and_then(|parsed| {
            let (reading, _) = reading(&parsed)?;
            Some(Candidate { range: start..end, reading, rank: Rank::Whole })
        });
        if let Some(whole) = reading {
            return vec![whole];
        }
    }
    for stretch in blocks::outside(text, blocks.iter().map(|block| block.range.clone())) {
        in_prose(text, stretch, &mut candidates);
    }
    candidates.sort_by_key(|candidate| candidate.range.start);
    candidates
}

/// The one that counts.
pub(super) fn choose(candidates: &[Candidate]) -> Option<&Candidate> {
    let fit = candidates.iter().filter(|c| !matches!(c.reading, Reading::Template));
    // Of equals, the last is the greatest.
    fit.max_by_key(|candidate| candidate.rank)
}

fn in_block(text: &str, block: &Block<'_>) -> Option<Candidate> {
    if block.is_quoted {
        return None;
    }
    let range = block.range.clone();
    let may_be_json = block.info.is_empty() || block.info.starts_with("json");
    let (reading, rank) = match &block.json {
        Some(Ok(parsed)) => reading(parsed)?,
        Some(Err(broken)) if is_meant(block.inner) => {
            (Reading::Unreadable(broken_at(text, broken)), Rank::InBlock)
        }
        None if may_be_json && is_meant(block.inner) => {
            let why = "it does not begin with a brace".to_owned();
            let line = line_of(text, range.start) + 1;
            (Reading::Unreadable(Unreadable::Broken { line, why }), Rank::InBlock)
        }
        _ => return None,
    };
    // Code of other languages may look like findings; it is one only if it says so.
    let is_loose_code = rank == Rank::Loose && !may_be_json;
    let is_example =
        matches!(reading, Reading::Clean { .. }) && doubt::is_example(text, range.start);
    (!is_loose_code && !is_example).then_some(Candidate { range, reading, rank })
}

/// Whether a block that cannot be read is meant to hold findings.
fn is_meant(inner: &str) -> bool {
    let inner = inner.to_lowercase();
    inner.contains("\"findings\"")
        || (inner.contains("\"severity\"") && inner.contains("\"title\""))
}

fn broken_at(text: &str, broken: &Broken) -> Unreadable {
    Unreadable::Broken { line: line_of(text, broken.at), why: broken.why.clone() }
}

/// The objects with `findings` in a stretch of prose; quoted lines are left out.
fn in_prose(text: &str, stretch: Range<usize>, candidates: &mut Vec<Candidate>) {
    let mut at = stretch.start;
    let mut broken_ones = 0;
    let mut line = at;
    while let Some(found) = text[at..stretch.end].find('{') {
        let start = at + found;
        line = text[at..start].rfind('\n').map_or(line, |end| at + end + 1);
        at = start + 1;
        let before = text[line..start].trim();
        let is_first = text[at..].trim_start().starts_with("\"findings\"");
        if before.starts_with('>') || !(is_first || before.is_empty()) || broken_ones > MOST_BROKEN
        {
            continue;
        }
        match lenient::value(&text[..stretch.end], start) {
            Ok(parsed) => {
                at = parsed.end;
                let Some((reading, Rank::InBlock)) = reading(&parsed) else { continue };
                let is_clean = matches!(reading, Reading::Clean { .. });
                if !is_clean || stands_alone(text, start..parsed.end) {
                    candidates.push(Candidate {
                        range: start..parsed.end,
                        reading,
                        rank: Rank::InProse,
                    });
                }
            }
            Err(broken) => {
                broken_ones += 1;
                if is_first {
                    let reading = Reading::Unreadable(broken_at(text, &broken));
                    candidates.push(Candidate { range: start..at, reading, rank: Rank::InProse });
                }
            }
        }
    }
}

/// Whether an empty list in prose is an answer and not a part of a sentence: nothing follows it in
/// its line, what stands before it ends with a colon, and nothing makes it an example.
fn stands_alone(text: &str, range: Range<usize>) -> bool {
    let is_mark = |c: char| c.is_whitespace() || "`*_.".contains(c);
    let line = text[..range.start].rfind('\n').map_or(0, |end| end + 1);
    let before = text[line..range.start].trim_matches(is_mark);
    let after = text[range.end..].lines().next().unwrap_or_default().trim_matches(is_mark);
    // A block may stand in one line, marks and all.
    after.is_empty()
        && (before.is_empty() || before == "json" || before.ends_with(':'))
        && !doubt::is_example(text, range.start)
}

/// What a value says, where it is about findings at all.
fn reading(parsed: &Parsed) -> Option<(Reading, Rank)> {
    match &parsed.value {
        Value::Object(fields) => match named(fields) {
            Some(list) => Some((listed(list, fields, parsed.has_comment), Rank::InBlock)),
            None if entry::looks_like_one(fields) => {
                Some((entries(std::slice::from_ref(&parsed.value)), Rank::Loose))
            }
            None => {
                let is_hidden = fields.values().any(has_list);
                is_hidden.then_some((Reading::Unreadable(Unreadable::TooDeep), Rank::Loose))
            }
        },
        Value::Array(list) => {
            let looks = |value: &Value| value.as_object().is_some_and(entry::looks_like_one);
            list.iter().any(looks).then(|| (entries(list), Rank::Loose))
        }
        _ => None,
    }
}

/// The value under `findings`, in whatever case.
fn named(fields: &Map<String, Value>) -> Option<&Value> {
    fields.iter().find(|(name, _)| name.eq_ignore_ascii_case("findings")).map(|(_, value)| value)
}

fn has_list(value: &Value) -> bool {
    value.as_object().is_some_and(|fields| named(fields).is_some())
}

fn listed(list: &Value, fields: &Map<String, Value>, is_commented: bool) -> Reading {
    if fields.keys().filter(|name| name.eq_ignore_ascii_case("findings")).count() > 1 {
        return Reading::Unreadable(Unreadable::NoList { what: "there twice" });
    }
    match list {
        Value::Array(list) if !list.is_empty() => entries(list),
        Value::Array(_) => match denial(fields) {
            Some(name) => {
                let why = format!("there is `{name}` next to it");
                Reading::Unreadable(Unreadable::Contradiction { why })
            }
            None => Reading::Clean { is_commented },
        },
        Value::Object(one) if one.contains_key("title") || one.contains_key("description") => {
            entries(std::slice::from_ref(list))
        }
        other => Reading::Unreadable(Unreadable::NoList { what: kind(other) }),
    }
}

/// The field beside an empty list that says that it is not the whole truth: an error, or a number
/// of findings.
fn denial(fields: &Map<String, Value>) -> Option<&str> {
    let denies = |name: &str, value: &Value| match name.to_ascii_lowercase().as_str() {
        "error" | "errors" | "refusal" | "truncated" | "incomplete" => match value {
            Value::Null | Value::Bool(false) => false,
            Value::String(text) => !text.trim().is_empty(),
            Value::Array(list) => !list.is_empty(),
            _ => true,
        },
        "count" | "total" | "total_findings" | "findings_count" | "finding_count" => {
            value.as_f64().is_some_and(|number| number != 0.0)
        }
        _ => false,
    };
    fields.iter().find(|(name, value)| denies(name, value)).map(|(name, _)| name.as_str())
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn entries(list: &[Value]) -> Reading {
    let mut findings = Vec::with_capacity(list.len());
    let mut templates = 0;
    for (at, value) in list.iter().enumerate() {
        match entry::read(value) {
            Entry::Finding(finding) => findings.push(*finding),
            Entry::Template => templates += 1,
            Entry::Senseless(why) => {
                return Reading::Unreadable(Unreadable::Senseless { number: at + 1, why });
            }
        }
        if templates > 0 && !findings.is_empty() {
            let why = "is filled in only in part";
            return Reading::Unreadable(Unreadable::Senseless { number: at + 1, why });
        }
    }
    if templates > 0 { Reading::Template } else { Reading::Findings(findings) }
}
