//! What one line of a review says, apart from where it stands.

use crate::text::prose::after_list_mark;

const APPROVED: &str = "APPROVED";
const FEEDBACK: &str = "FEEDBACK";

/// Marks of emphasis.
const EMPHASIS: [char; 2] = ['*', '_'];

/// Words that begin a remark which takes the approval back, where nothing but punctuation follows
/// them: `APPROVED: no issues` approves, and `APPROVED: no` and `APPROVED: no, …` do not.
const NO: [&str; 10] =
    ["0", "denied", "false", "n", "nah", "never", "no", "nope", "not", "rejected"];

/// Words that do so after `not`, whatever follows.
const NOT: [&str; 6] = ["approved", "ready", "really", "quite", "until", "yet"];

/// Signs that do so.
const CROSSES: [char; 6] = ['❌', '❎', '✗', '✘', '🚫', '👎'];

/// Words that no sentence ends with: what follows on the next line belongs to them.
const LEADING: [&str; 24] = [
    "as", "barely", "be", "before", "being", "cannot", "hardly", "if", "never", "non", "nor",
    "not", "once", "or", "say", "saying", "than", "to", "un", "unless", "until", "when", "without",
    "yet",
];

/// Words that go on with the sentence of the line before, in lower case.
const FOLLOWING: [&str; 12] = [
    "after", "as", "but", "except", "if", "only", "or", "pending", "provided", "unless", "until",
    "when",
];

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says<'a> {
    Nothing,
    Approval { remark: &'a str },
    Denial,
    Feedback { words: Words },
}

/// What becomes of the words after `FEEDBACK`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// They stand on the line.
    Follow,
    /// There are none on the line.
    Below,
    /// It is a heading or an item of a list, and does not say where the feedback begins.
    Unmarked,
}

/// Reads one line.
pub(super) fn read(line: &str) -> Says<'_> {
    let text = trimmed(line);
    // Whatever else ends a line somewhere begins one here, as far as saying no goes.
    let mut parts = text.split(['\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']);
    if let Some(words) = parts.find_map(|part| feedback(trimmed(part))) {
        return Says::Feedback { words };
    }
    let text = without_marks(text);
    if is_denial(text) {
        return Says::Denial;
    }
    match approval(text) {
        Some(remark) if takes_back(remark) => Says::Denial,
        Some(remark) => Says::Approval { remark },
        None => Says::Nothing,
    }
}

/// Whether a text has nothing to read.
pub(super) fn is_blank(text: &str) -> bool {
    trimmed(text).is_empty()
}

/// Whether the sentence of this line goes on in the next.
pub(super) fn leads_on(line: &str) -> bool {
    let text = trimmed(line).trim_end_matches(EMPHASIS);
    let start = text.rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’')));
    let last = text
        [start.map_or(0, |at| at + text[at..].chars().next().map_or(0, char::len_utf8))..]
        .to_lowercase();
    let refuses = last.ends_with("n't") || last.ends_with("n’t");
    text.ends_with(',') || refuses || LEADING.contains(&last.as_str())
}

/// Whether this line goes on with the sentence of the line before.
pub(super) fn goes_on(line: &str) -> bool {
    let text = trimmed(line);
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    FOLLOWING.contains(&&text[..end])
}

fn feedback(text: &str) -> Option<Words> {
    let mut inner = text;
    while let Some(item) = after_list_mark(inner) {
        inner = item;
    }
    let is_item = inner.len() < text.len();
    let rest = without_marks(inner).strip_prefix(FEEDBACK)?.trim_start_matches(EMPHASIS);
    let rest = rest.trim_start();
    match rest.strip_prefix([':', '：']) {
        Some(_) if is_item => Some(Words::Unmarked),
        Some(words) if closing_only(words) => Some(Words::Below),
        Some(_) => Some(Words::Follow),
        None if closing_only(rest) => Some(Words::Unmarked),
        None => None,
    }
}

/// The remark of a line that is `APPROVED`, which may be followed by `:` or `.` and words.
fn approval(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(APPROVED)?.trim_start_matches(EMPHASIS);
    if closing_only(rest) {
        return Some("");
    }
    let after = rest.strip_prefix([':', '.'])?;
    let words = after.trim_start_matches(EMPHASIS);
    // `APPROVED.md`, `APPROVED::new` and `APPROVED...` are no verdicts.
    let is_apart = words.len() < after.len() || words.is_empty() || words.starts_with(' ');
    let is_joined = rest.starts_with(':') && words.starts_with(char::is_alphanumeric);
    let remark = words.trim().trim_end_matches(EMPHASIS).trim_end();
    (is_apart || is_joined || words.starts_with('\t')).then_some(remark)
}

/// `NOT APPROVED`, `DISAPPROVED` and the like, in the form of a verdict.
fn is_denial(text: &str) -> bool {
    let is_not = text.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("not"));
    let without = if is_not {
        let rest = text[3..].trim_start_matches(['*', '_', ' ', '\t', '-', '\u{a0}']);
        (rest.len() < text.len() - 3).then_some(rest)
    } else {
        ["DIS", "UN", "Dis", "Un", "UN-", "NON-"].iter().find_map(|no| {
            let rest = text.strip_prefix(no)?;
            rest.starts_with(APPROVED).then_some(rest)
        })
    };
    without.is_some_and(|text| approval(text.trim_end_matches(['!', ','])).is_some())
}

fn takes_back(remark: &str) -> bool {
    let text = remark.trim_start_matches(|c: char| c.is_whitespace() || "*_([\"'`".contains(c));
    if text.starts_with(CROSSES) {
        return true;
    }
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let (first, rest) = (text[..end].to_lowercase(), &text[end..]);
    let next = rest.trim_start().chars().next();
    let is_compound = rest.starts_with('-') && rest[1..].starts_with(char::is_alphanumeric);
    let stands_alone = !is_compound && next.is_none_or(|c| !c.is_alphanumeric());
    let second = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
    let second = second.trim_end_matches(|c: char| !c.is_alphanumeric());
    (NO.contains(&first.as_str()) && stands_alone) || (first == "not" && NOT.contains(&second))
}

/// Without the marks of a heading and of emphasis before the words.
fn without_marks(text: &str) -> &str {
    text.trim_start_matches('#').trim_start().trim_start_matches(EMPHASIS)
}

/// Whether nothing is left but what closes a heading or an emphasis.
fn closing_only(text: &str) -> bool {
    text.trim().trim_end_matches('#').trim_end().trim_matches(EMPHASIS).is_empty()
}

/// Without white space around it, also the kind that has no width.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
    })
}
