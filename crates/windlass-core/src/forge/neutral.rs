//! Words that are not ours, made harmless for a forge that renders Markdown: they notify nobody,
//! point at no issue, load nothing, and cannot pass for windlass's own markers. They stay readable,
//! and code stays code. Pure.
//!
//! | what comes in | what becomes of it |
//! |---|---|
//! | fenced blocks | fenced anew by a fence that they cannot get out of, as plain code |
//! | spans of code within a line | kept, unless a table could cut them apart |
//! | `@name`, `#12`, `GH-12`, `owner/name#12` | a zero-width space keeps them from being links |
//! | addresses of pages | shown as code, so they are no links and no references |
//! | images, links, footnotes, boxes to tick | shown as they were written |
//! | `<`, `&`, `\`, stray backticks | written so that they stand for themselves |
//! | headings, bars of tables, deep indents | plain text |
//! | what a terminal would not be shown either | gone |

use crate::text::{fence, sanitise};

/// What keeps a name from being a mention, and a number from being a reference.
const APART: char = '\u{200b}';

/// Words after a fence that make a forge do more than show code.
const ACTING: [&str; 6] = ["suggestion", "mermaid", "geojson", "topojson", "stl", "math"];

/// How far in a line may stand; from four spaces on it would be code.
const DEEPEST_INDENT: usize = 3;

/// A text of any length.
#[must_use]
pub(crate) fn block(text: &str) -> String {
    let text = sanitise::text(text);
    let mut out = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some((mark, length, info)) = opened(line) else {
            out.push(outside(line));
            continue;
        };
        let is_end = |line: &&str| closes(line, mark, length);
        let code: Vec<&str> = lines.by_ref().take_while(|line| !is_end(line)).collect();
        out.push(fence::fenced(&info, &code.join("\n")));
    }
    out.join("\n").trim_end().to_owned()
}

/// A text as one line.
#[must_use]
pub fn line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    outside(&sanitise::line(&words.join(" ")))
}

/// A text as a span of code, on one line.
#[must_use]
pub fn code(text: &str) -> String {
    let text = sanitise::line(text);
    let text = text.trim();
    if text.is_empty() {
        return String::new();
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let marks = "`".repeat(longest + 1);
    if longest == 0 { format!("{marks}{text}{marks}") } else { format!("{marks} {text} {marks}") }
}

/// The mark, its length and the language of the fence that a line opens.
fn opened(line: &str) -> Option<(char, usize, String)> {
    let text = line.trim_start();
    let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let info = text.trim_start_matches(mark);
    let length = text.len() - info.len();
    if length < 3 || (mark == '`' && info.contains('`')) {
        return None;
    }
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || "+-_".contains(*c);
    let info: String = info.trim_start().chars().take_while(is_plain).take(20).collect();
    let acts = ACTING.iter().any(|word| info.eq_ignore_ascii_case(word));
    Some((mark, length, if acts { String::new() } else { info }))
}

fn closes(line: &str, mark: char, length: usize) -> bool {
    let text = line.trim();
    text.len() >= length && text.chars().all(|c| c == mark)
}

/// A line outside of fences.
fn outside(line: &str) -> String {
    let text = line.trim_start();
    let indent: usize = line[..line.len() - text.len()].chars().map(width).sum();
    let mut out = " ".repeat(indent.min(DEEPEST_INDENT));
    let mut rest = text;
    if is_heading(text) {
        out.push_str("&#35;");
        rest = &text[1..];
    }
    while let Some(c) = rest.chars().next() {
        let before = out.chars().next_back();
        let taken = match c {
            '`' => backticks(rest, &mut out),
            _ => match address(rest, before) {
                0 => plain(c, rest, before, &mut out),
                length => {
                    keep_apart(&mut out);
                    out.push_str(&code(&rest[..length]));
                    length
                }
            },
        };
        rest = &rest[taken..];
    }
    out
}

/// Two spans of code side by side would have other marks than each has by itself.
fn keep_apart(out: &mut String) {
    if out.ends_with('`') {
        out.push(APART);
    }
}

fn width(c: char) -> usize {
    if c == '\t' { 4 } else { 1 }
}

fn is_heading(text: &str) -> bool {
    let after = text.trim_start_matches('#');
    (1..=6).contains(&(text.len() - after.len())) && (after.is_empty() || after.starts_with(' '))
}

/// Takes a run of backticks, with the span of code that it may open; gives how much it took.
fn backticks(rest: &str, out: &mut String) -> usize {
    let length = rest.len() - rest.trim_start_matches('`').len();
    let marks = &rest[..length];
    if let Some(inner) = span(&rest[length..], length) {
        // In a table, cells are cut at bars before spans of code are looked for.
        if !inner.contains('|') && !inner.trim().is_empty() {
            let whole = length + inner.len() + length;
            keep_apart(out);
            out.push_str(&rest[..whole]);
            return whole;
        }
    }
    // One that stays alone could pair up with one of another line, and turn code and text about.
    out.push_str(&marks.replace('`', "&#96;"));
    length
}

/// What stands before the next run of exactly so many backticks.
fn span(text: &str, length: usize) -> Option<&str> {
    let mut at = 0;
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        let run = text[start..].len() - text[start..].trim_start_matches('`').len();
        if run == length {
            return Some(&text[..start]);
        }
        at = start + run;
    }
    None
}

/// How long the address of a page is that the text begins with; 0 where it begins with none.
fn address(rest: &str, before: Option<char>) -> usize {
    let may_begin = rest.starts_with(['h', 'H', 'f', 'F', 'w', 'W']);
    if !may_begin || before.is_some_and(char::is_alphanumeric) {
        return 0;
    }
    let starts = |scheme: &str| {
        rest.get(..scheme.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
    };
    if !["http://", "https://", "ftp://", "www."].into_iter().any(starts) {
        return 0;
    }
    let is_part = |c: char| c.is_alphanumeric() || "-._~:/?#@!$&'*+,;=%".contains(c);
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    rest[..end].trim_end_matches(|c| ".,:;!?'*_~".contains(c)).len()
}

/// Takes one character that is neither code nor the start of an address.
fn plain(c: char, rest: &str, before: Option<char>, out: &mut String) -> usize {
    let next = rest[c.len_utf8()..].chars().next();
    let is_number = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    match c {
        '<' => out.push_str("&lt;"),
        '&' => out.push_str("&amp;"),
        '\\' => out.push_str("&#92;"),
        '|' => out.push_str("&#124;"),
        '[' if before == Some('!') || next == Some('^') || is_box(rest) => out.push_str("&#91;"),
        ']' if matches!(next, Some('(' | '[' | ':')) => out.push_str("&#93;"),
        '@' | '#' if next.is_some_and(|c| !c.is_whitespace()) => out.extend([c, APART]),
        '-' if is_number(next) && ends_with_gh(out) => out.extend([c, APART]),
        // What is left of `://` belongs to a scheme that is no page: `ssh://`, say.
        ':' if rest.starts_with("://") => out.extend([c, APART]),
        _ => out.push(c),
    }
    c.len_utf8()
}

/// Whether a box to be ticked begins here.
fn is_box(rest: &str) -> bool {
    let after = ["[ ]", "[x]", "[X]"].iter().find_map(|ticked| rest.strip_prefix(ticked));
    after.is_some_and(|after| after.is_empty() || after.starts_with(char::is_whitespace))
}

/// Whether the last word so far is `GH`.
fn ends_with_gh(out: &str) -> bool {
    let mut last = out.chars().rev().map(|c| c.to_ascii_lowercase());
    let is_gh = last.next() == Some('h') && last.next() == Some('g');
    is_gh && !last.next().is_some_and(char::is_alphanumeric)
}

#[cfg(test)]
mod tests;
