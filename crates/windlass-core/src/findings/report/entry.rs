//! One entry of a report's list as a finding: tolerant of how its values are written, strict about
//! whether it says anything.

use serde_json::{Map, Value};

use super::super::{Finding, Severity};

/// Values of unknown fields that are nested deeper than this are kept as text, so that a finding
/// can be stored inside other values without ever being too deep to be read back.
const DEEPEST: usize = 16;

/// A title that is taken from the description is at most so many characters long.
const LONGEST_TITLE: usize = 120;

/// What an entry is.
#[derive(Debug)]
pub(in crate::findings) enum Entry {
    /// A finding.
    Finding(Box<Finding>),
    /// The form that was asked for, with nothing filled in.
    Template,
    /// Neither, for this reason: a clause that follows "finding 3".
    Senseless(&'static str),
}

/// Reads an entry.
pub(in crate::findings) fn read(value: &Value) -> Entry {
    let Value::Object(fields) = value else {
        return Entry::Senseless("is no object");
    };
    let mut fields = fields.clone();
    let severity = text(fields.shift_remove("severity"));
    let title = text(fields.shift_remove("title"));
    let description = text(fields.shift_remove("description"));
    if severity.as_deref().is_some_and(|word| word.contains('|')) {
        return Entry::Template;
    }
    let said = |text: &Option<String>| text.as_deref().is_some_and(|text| !is_placeholder(text));
    if !said(&title) && !said(&description) {
        return match title.or(description) {
            Some(_) => Entry::Template,
            None => Entry::Senseless("has neither title nor description"),
        };
    }
    let description = description.unwrap_or_default();
    let title = match title.filter(|title| !is_placeholder(title)) {
        Some(title) => title,
        None => first_line(&description),
    };
    let (file, place) = split_place(file(text(fields.shift_remove("file"))));
    let (line, end_line) = lines(fields.shift_remove("line"), fields.shift_remove("end_line"));
    let (line, end_line) = if line.is_some() { (line, end_line) } else { place };
    let suggestion = text(fields.shift_remove("suggestion")).filter(|text| !is_placeholder(text));
    Entry::Finding(Box::new(Finding {
        severity: Severity::of_word(severity.as_deref().unwrap_or_default()),
        file,
        line,
        end_line,
        title,
        description,
        suggestion,
        extra: fields.into_iter().map(|(name, value)| (name, shallow(value))).collect(),
    }))
}

/// Whether an object looks like a finding where no list `findings` says that it is one.
pub(super) fn looks_like_one(fields: &Map<String, Value>) -> bool {
    fields.contains_key("severity") && fields.contains_key("title")
}

/// A value as text; `None` where it is missing or blank.
fn text(value: Option<Value>) -> Option<String> {
    let text = match value? {
        Value::Null => return None,
        Value::String(text) => text,
        Value::Array(list) if list.iter().all(Value::is_string) => {
            list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    };
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Whether a text only stands for another: `…`, `...`, `<title>`, `[description]`.
fn is_placeholder(text: &str) -> bool {
    let is_in = |open, close| {
        let inner = text.strip_prefix(open).and_then(|text| text.strip_suffix(close));
        inner.is_some_and(|inner: &str| {
            ["title", "description", "suggestion", "text", "string", "short title"].contains(&inner)
        })
    };
    text.chars().all(|c| ['.', '…'].contains(&c))
        || text == "string"
        || is_in('<', '>')
        || is_in('[', ']')
        || is_in('{', '}')
}

fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let end = line.find(". ").unwrap_or(line.len());
    line[..end].chars().take(LONGEST_TITLE).collect()
}

/// A file's name without what people put before it; `None` where a word says that there is none.
fn file(name: Option<String>) -> Option<String> {
    let name = name?;
    let mut name = name.trim_matches(['`', ' ']);
    while let Some(rest) = name.strip_prefix("./") {
        name = rest.trim_start_matches('/');
    }
    let lower = name.to_lowercase();
    let is_none = ["", ".", "null", "none", "n/a", "na", "-", "–", "…", "..."].contains(&&*lower);
    (!is_none).then(|| name.to_owned())
}

type Lines = (Option<u32>, Option<u32>);

/// Takes `:12` or `:12-14` off a file's name.
fn split_place(file: Option<String>) -> (Option<String>, Lines) {
    let Some(file) = file else { return (None, (None, None)) };
    if let Some((name, place)) = file.split_once(':')
        && !name.is_empty()
        && place.starts_with(|c: char| c.is_ascii_digit())
        && let (Some(line), end_line) = lines(Some(Value::String(place.to_owned())), None)
    {
        return (Some(name.to_owned()), (Some(line), end_line));
    }
    (Some(file), (None, None))
}

/// The first and the last line, of numbers or of texts such as `12`, `12-14`, `L12` and `12:5`.
fn lines(line: Option<Value>, end_line: Option<Value>) -> Lines {
    let (first, last) = range(line);
    let end = range(end_line).0.or(last);
    let end = end.filter(|end| first.is_some_and(|first| *end >= first));
    (first, end)
}

fn range(value: Option<Value>) -> Lines {
    match value {
        Some(Value::Number(number)) => (line_number(&number.to_string()), None),
        Some(Value::Array(list)) => {
            let mut numbers = list.into_iter().map(|value| range(Some(value)).0);
            (numbers.next().flatten(), numbers.next_back().flatten())
        }
        Some(Value::String(text)) => {
            let text = text.trim();
            let split = text.char_indices().skip(1).find(|(_, c)| "-–—,".contains(*c));
            let (first, last) = match split {
                Some((at, mark)) => (&text[..at], Some(&text[at + mark.len_utf8()..])),
                None => (text, None),
            };
            (line_number(first), last.and_then(line_number))
        }
        _ => (None, None),
    }
}

/// A line number above zero; a column after it does not matter.
fn line_number(text: &str) -> Option<u32> {
    let text = text.trim().trim_start_matches("line").trim_start_matches(['L', 'l', '#', ' ']);
    let text = text.split(':').next().unwrap_or(text);
    let text = text.strip_suffix(".0").unwrap_or(text);
    text.trim().parse().ok().filter(|line| *line > 0)
}

fn shallow(value: Value) -> Value {
    if depth(&value) > DEEPEST { Value::String(value.to_string()) } else { value }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(list) => 1 + list.iter().map(depth).max().unwrap_or(0),
        Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
