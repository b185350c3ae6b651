//! A line that a program printed, as it reads in every run: without numbers, times, ids, bars and leaders, and
//! without paths where that is asked for. Pure.

use crate::text::{
    measure::{Measure, SIGNS, measure, unit},
    normalise::{is_id, is_path},
    output_words::OutputWords,
    stamps::{is_calendar, is_uuid},
};

/// What becomes of the paths in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paths {
    /// They stay, but for the numbers in them.
    Kept,
    /// They are all the same.
    Alike,
}

/// What stays of a line, with `#` in place of numbers. It is added to `out`.
pub(crate) fn push(line: &str, paths: Paths, out: &mut String) {
    let mut writer = Writer { out, paths, last: 0, opened: "", is_open: false };
    let mut words = OutputWords::of(line);
    let mut next = words.next();
    while let Some(word) = next {
        next = words.next();
        let parts = Parts::of(word);
        if parts.inner.is_empty() && writer.bracket(word) {
            continue;
        }
        match parts.joined(next) {
            Some((measure, after)) => {
                writer.measure(measure, parts.before, after);
                next = words.next();
            }
            None => writer.word(&parts),
        }
        writer.opened = "";
    }
}

/// Marks around a word, which are not part of it.
fn is_around(byte: &&u8) -> bool {
    matches!(
        byte,
        b'"' | b'\''
            | b'`'
            | b'('
            | b')'
            | b'['
            | b']'
            | b'{'
            | b'}'
            | b'<'
            | b'>'
            | b','
            | b';'
            | b':'
            | b'.'
            | b'!'
    )
}

/// A word, and the marks around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts<'a> {
    /// The marks before it.
    pub before: &'a str,
    /// The word.
    pub inner: &'a str,
    /// The marks after it.
    pub after: &'a str,
}

impl<'a> Parts<'a> {
    /// The parts of a word.
    pub(crate) fn of(word: &'a str) -> Self {
        let bytes = word.as_bytes();
        let start = bytes.iter().take_while(is_around).count();
        let end = bytes.len() - bytes[start..].iter().rev().take_while(is_around).count();
        Self { before: &word[..start], inner: &word[start..end], after: &word[end..] }
    }

    /// What it is together with the word after it, where it is a number and that its unit; and the marks after
    /// that.
    fn joined<'b>(&self, next: Option<&'b str>) -> Option<(Measure, &'b str)> {
        let ends_in_digit = self.inner.ends_with(|c: char| c.is_ascii_digit());
        if !ends_in_digit || !self.after.is_empty() || measure(self.inner) != Some(Measure::Number)
        {
            return None;
        }
        let next = Parts::of(next?);
        let unit = unit(next.inner).filter(|_| next.before.is_empty())?;
        Some((unit, next.after))
    }
}

struct Writer<'a> {
    out: &'a mut String,
    paths: Paths,
    /// Where the last word begins.
    last: usize,
    /// The bracket that stands alone before the next word.
    opened: &'static str,
    /// Whether such a bracket is written, and not yet closed.
    is_open: bool,
}

impl Writer<'_> {
    /// Takes a bracket that stands alone: next to a short number there is a blank where a long one has none. Says
    /// whether it is one.
    fn bracket(&mut self, word: &str) -> bool {
        match word {
            "(" => self.opened = "(",
            "[" => self.opened = "[",
            ")" | "]" => {
                if std::mem::take(&mut self.is_open) {
                    self.out.push_str(word);
                }
                self.opened = "";
            }
            _ => return false,
        }
        true
    }

    fn word(&mut self, parts: &Parts<'_>) {
        let inner = parts.inner;
        let has_digit = inner.bytes().any(|byte| byte.is_ascii_digit());
        if has_digit && let Some(measure) = measure(inner) {
            return self.measure(measure, parts.before, parts.after);
        }
        if has_digit && is_long_clock(inner) {
            return self.measure(Measure::Time, parts.before, parts.after);
        }
        self.begin();
        // A word keeps its bracket only where it has digits, and may be wider next time.
        self.out.push_str(if has_digit { self.opened } else { "" });
        self.is_open |= has_digit && !self.opened.is_empty();
        self.out.push_str(parts.before);
        match inner {
            inner if is_path(inner) && !is_fraction(inner) && !is_setting(inner) => {
                match self.paths {
                    Paths::Alike => self.out.push('/'),
                    Paths::Kept => self.pieces(inner),
                }
            }
            inner if is_calendar(inner) => self.out.push('@'),
            inner if !has_digit => self.out.push_str(inner),
            inner if is_uuid(inner) => self.out.push('#'),
            inner => self.pieces(inner),
        }
        self.out.push_str(parts.after);
        self.end();
    }

    /// A number. A time says nothing of what went wrong, and some programs tell it only when it was long.
    fn measure(&mut self, measure: Measure, before: &str, after: &str) {
        let text = match measure {
            Measure::Number => "#",
            Measure::Percent => "#%",
            Measure::Size => "#B",
            Measure::Time => return self.forget_estimate(),
        };
        self.begin();
        self.out.push_str(self.opened);
        self.is_open = !self.opened.is_empty() && !after.contains([')', ']']);
        self.out.push_str(before);
        self.out.push_str(text);
        self.out.push_str(after);
        self.end();
    }

    /// The parts of a word with digits in it, such as `failed=3` or `2026-11-15T23:01:02Z`.
    fn pieces(&mut self, inner: &str) {
        let start = self.out.len();
        let mut rest = inner;
        while !rest.is_empty() {
            let end = rest.find(|c| !is_of_piece(c)).unwrap_or(rest.len());
            let (piece, others) = rest.split_at(end);
            let mark = others.chars().next().map_or(0, char::len_utf8);
            self.piece(piece);
            // A clock is told with hours or without.
            if self.out[start..].ends_with("#:#") {
                self.out.truncate(self.out.len() - 2);
            }
            // A number has its sign or none.
            let is_sign = others.starts_with(SIGNS) && self.out.ends_with(['=', ':']);
            self.out.push_str(if is_sign { "" } else { &others[..mark] });
            rest = &others[mark..];
        }
    }

    fn piece(&mut self, piece: &str) {
        match measure(piece) {
            Some(Measure::Number) => self.out.push('#'),
            Some(Measure::Percent) => self.out.push_str("#%"),
            Some(Measure::Size) => self.out.push_str("#B"),
            Some(Measure::Time) => (),
            None if is_id(piece) || is_random(piece) => self.out.push('#'),
            None => without_digits(piece, self.out),
        }
    }

    fn begin(&mut self) {
        let is_first = self.out.is_empty();
        self.last = if is_first { 0 } else { self.out.len() + 1 };
        if !is_first {
            self.out.push(' ');
        }
    }

    /// A row of numbers is one: there may be more of them next time.
    fn end(&mut self) {
        let word = &self.out[self.last..];
        if !word.starts_with('#') || word.contains(|c: char| c.is_alphanumeric()) {
            return;
        }
        let before = &self.out[..self.last.saturating_sub(1)];
        if before.rsplit(' ').next() == Some(word) && !before.is_empty() {
            self.out.truncate(before.len());
            self.last = self.out.rfind(' ').map_or(0, |at| at + 1);
        }
    }

    /// Takes back that what follows is an estimate, of which nothing follows.
    fn forget_estimate(&mut self) {
        if self.out.ends_with(" estimated") {
            self.out.truncate(self.out.len() - " estimated".len());
            self.last = self.out.rfind(' ').map_or(0, |at| at + 1);
        }
    }
}

fn is_of_piece(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '%')
}

/// Hours, minutes and seconds; two parts may be a line and a column as well.
pub(crate) fn is_long_clock(text: &str) -> bool {
    let parts = text.split(':');
    parts.clone().count() == 3
        && parts.enumerate().all(|(nth, part)| {
            let whole = part.split(['.', ',']).next().unwrap_or(part);
            let is_long_enough = if nth == 0 { !whole.is_empty() } else { whole.len() == 2 };
            is_long_enough
                && part.bytes().all(|byte| byte.is_ascii_digit() || b".,".contains(&byte))
        })
}

/// Numbers with a slash between, which are no path.
pub(crate) fn is_fraction(text: &str) -> bool {
    text.contains('/')
        && text.trim_start_matches(SIGNS).split('/').all(|part| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_digit() || b".,%:".contains(&byte))
        })
}

/// A name with a number that it is set to: `took=1.2s`.
fn is_setting(text: &str) -> bool {
    text.rsplit_once('=').is_some_and(|(_, value)| measure(value).is_some())
}

/// Whether a long piece has letters and digits in such a disorder that nobody thought of it.
fn is_random(piece: &str) -> bool {
    let kinds = piece.bytes().map(|byte| byte.is_ascii_digit());
    let turns = kinds.clone().zip(kinds.skip(1)).filter(|(a, b)| a != b).count();
    piece.len() >= 10 && turns >= 4 && piece.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The piece with `#` in place of each row of digits, and of a number with a fraction.
fn without_digits(piece: &str, out: &mut String) {
    let mut in_number = false;
    let mut chars = piece.chars().peekable();
    while let Some(c) = chars.next() {
        let goes_on = c == '.' && in_number && chars.peek().is_some_and(|next| next.is_numeric());
        if c.is_numeric() || goes_on {
            if !in_number {
                out.push('#');
            }
            in_number = true;
        } else {
            in_number = false;
            out.push(c);
        }
    }
}

#[cfg(test)]
mod tests;
