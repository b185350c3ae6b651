//! Where in a line the tag stands, and what the sentence says that holds it.

use crate::text::prose::after_list_mark;

use super::near_miss::Why;

/// Where the tag stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stands {
    /// On a line that has nothing else to say.
    Alone,
    /// At the end of a line, which counts if that is the last.
    AtEnd,
    /// Where it does not count.
    Not(Why),
}

/// Words that make a sentence with the tag no claim.
const NEGATIONS: [&str; 6] = ["not", "cannot", "never", "until", "before", "unless"];

/// What may stand around a tag and says nothing: emphasis, backticks, quotes, marks of headings.
const MARKS: &[char] =
    &['*', '_', '`', '"', '\'', '“', '”', '„', '‘', '’', '«', '»', '‹', '›', '#'];

/// Judges a tag by what stands before and after it on its line.
pub(super) fn place(before: &str, after: &str) -> Stands {
    if is_quoted(before) {
        return Stands::Not(Why::Quoted);
    }
    if !is_closing(after) {
        return Stands::Not(Why::InsideALine);
    }
    if is_bare(without_list_marks(before)) {
        return Stands::Alone;
    }
    let sentence = last_sentence(before);
    if negates(sentence) { Stands::Not(Why::Negated) } else { Stands::AtEnd }
}

fn is_mark(c: char) -> bool {
    c.is_whitespace() || MARKS.contains(&c)
}

/// Whether a text has nothing to say.
fn is_bare(text: &str) -> bool {
    text.chars().all(is_mark)
}

/// Whether nothing follows a tag but marks and the end of a sentence.
fn is_closing(after: &str) -> bool {
    after.chars().all(|c| is_mark(c) || matches!(c, '.' | '!' | '。'))
}

/// Without the marks of list items, and their boxes.
fn without_list_marks(text: &str) -> &str {
    let mut text = text.trim_start();
    // The words are gone that a mark must be followed by.
    while let Some(rest) = after_list_mark(text) {
        text = rest;
        for mark in ["[ ]", "[x]", "[X]"] {
            text = text.strip_prefix(mark).unwrap_or(text).trim_start();
        }
    }
    text
}

/// Whether the line is a quote, or the tag follows a quote's mark; an arrow is none.
fn is_quoted(before: &str) -> bool {
    let text = without_list_marks(before);
    let end = text.trim_end_matches(is_mark);
    let stands_apart = end.strip_suffix('>').is_some_and(|rest| {
        rest.is_empty() || rest.ends_with(|c: char| c.is_whitespace() || c == '>')
    });
    text.starts_with('>') || stands_apart
}

/// What follows the last end of a sentence.
fn last_sentence(before: &str) -> &str {
    let mut start = 0;
    let mut chars = before.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？');
        let is_apart = chars.peek().is_none_or(|&(_, next)| is_mark(next) || next == ')');
        if ends && is_apart {
            start = at + c.len_utf8();
        }
    }
    &before[start..]
}

fn negates(sentence: &str) -> bool {
    let sentence = sentence.to_lowercase().replace('’', "'");
    sentence.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '_'))).any(|word| {
        let word = word.trim_matches(['\'', '_']);
        word.ends_with("n't") || NEGATIONS.contains(&word)
    })
}
