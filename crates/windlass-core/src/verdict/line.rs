//! What one line of a review says, apart from where it stands.

use super::{
    marks::{Bare, EMPHASIS, bare, trimmed, without_closing},
    words::{CONDITIONS, CROSSES, FOLLOWING, LEADING, NO, NOT},
};
use crate::text::prose::after_list_mark;

const APPROVED: &str = "APPROVED";
const FEEDBACK: &str = "FEEDBACK";

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says<'a> {
    Nothing,
    Approval {
        remark: &'a str,
        /// It ends with a colon or a comma: the next line goes on with it.
        is_open: bool,
    },
    Denial,
    Feedback {
        words: Words,
    },
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
    let Bare { text, is_crossed } = bare(text);
    if is_denial(text) {
        return Says::Denial;
    }
    match approval(text) {
        Some(_) if is_crossed => Says::Denial,
        Some(remark) if takes_back(remark) || sets_conditions(remark) => Says::Denial,
        Some(remark) => {
            Says::Approval { remark, is_open: without_closing(text).ends_with([':', '：', ',']) }
        }
        None => Says::Nothing,
    }
}

/// Whether words make an approval depend on something, or ask for something.
pub(super) fn sets_conditions(words: &str) -> bool {
    words
        .to_lowercase()
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\'' | '’')))
        .any(|word| CONDITIONS.contains(&word))
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
    let rest = bare(inner).text.strip_prefix(FEEDBACK)?;
    let rest = rest.trim_start_matches(EMPHASIS).trim_start();
    match rest.strip_prefix([':', '：']) {
        Some(_) if is_item => Some(Words::Unmarked),
        Some(words) if without_closing(words).is_empty() => Some(Words::Below),
        Some(_) => Some(Words::Follow),
        None if without_closing(rest).is_empty() => Some(Words::Unmarked),
        None => None,
    }
}

/// The remark of a line that is `APPROVED`, which may be followed by `:`, `,`, `.` or `!` and
/// words.
fn approval(text: &str) -> Option<&str> {
    let after = text.strip_prefix(APPROVED)?;
    if without_closing(after).is_empty() {
        return Some(if after.contains(CROSSES) { "no" } else { "" });
    }
    let rest = bare(after).text;
    let unmarked = rest.trim_start_matches('!');
    let (mark, after) = if unmarked.len() < rest.len() {
        ('!', unmarked)
    } else {
        (rest.chars().next()?, rest.strip_prefix([':', '：', ',', '.'])?)
    };
    let words = after.trim_start_matches(EMPHASIS);
    // `APPROVED.md`, `APPROVED::new` and `APPROVED...` are no verdicts.
    let is_apart = words.len() < after.len()
        || without_closing(words).is_empty()
        || words.starts_with(char::is_whitespace);
    let is_joined = matches!(mark, ':' | '：' | ',') && words.starts_with(char::is_alphanumeric);
    let remark = words.trim().trim_end_matches(['*', '_']).trim_end();
    let has_stray_mark = remark.matches('`').count() % 2 == 1;
    let remark = if has_stray_mark { remark.trim_end_matches('`') } else { remark };
    let is_mere_sign = without_closing(remark).is_empty() && !remark.contains(CROSSES);
    let remark = if is_mere_sign { "" } else { remark };
    (is_apart || is_joined).then_some(remark)
}

/// `NOT APPROVED`, `DISAPPROVED` and the like, in the form of a verdict.
fn is_denial(text: &str) -> bool {
    let is_not = text.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("not"));
    let without = if is_not {
        let rest = bare(text[3..].trim_start_matches(['-', '\u{a0}'])).text;
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
    let Bare { text, is_crossed } = bare(remark);
    if is_crossed || is_denial(text) {
        return true;
    }
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || "*_([\"'`".contains(c));
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let (first, rest) = (text[..end].to_lowercase(), &text[end..]);
    let next = rest.trim_start().chars().next();
    let is_compound = rest.starts_with('-') && rest[1..].starts_with(char::is_alphanumeric);
    let stands_alone = !is_compound && next.is_none_or(|c| !c.is_alphanumeric());
    let second = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
    let second = second.trim_end_matches(|c: char| !c.is_alphanumeric());
    (NO.contains(&first.as_str()) && stands_alone) || (first == "not" && NOT.contains(&second))
}
