//! What stays of a text when all that differs from one run to the next is taken out: numbers,
//! times, addresses and ids; in errors also paths. So the same error is known again.

use super::stamps;
use crate::text::{
    output_line::{self, Paths},
    sanitise,
};

/// Of an error, so many characters are kept.
const LONGEST: usize = 300;

/// A line without numbers, times and ids.
pub fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        add_word(&mut out, word);
    }
    out
}

/// A line without dates, times and ids; its other numbers stay.
pub fn without_stamps(text: &str) -> String {
    stamps::without(text)
}

/// An error without numbers, times, ids, addresses and paths.
pub(crate) fn error(text: &str) -> String {
    let mut error = String::new();
    output_line::push(&sanitise::line(text), Paths::Alike, &mut error);
    error.chars().take(LONGEST).collect()
}

fn add_word(out: &mut String, word: &str) {
    let Some((before, inner, after)) = stamps::unwrapped(word) else {
        return out.push_str(word);
    };
    out.push_str(before);
    if stamps::is_calendar(inner) {
        out.push('@');
    } else if stamps::is_uuid(inner) {
        out.push('#');
    } else if !inner.contains(|c: char| c.is_numeric() || c == '#') {
        out.push_str(inner);
    } else {
        for (number, text) in inner.split('-').enumerate() {
            if number > 0 {
                out.push('-');
            }
            out.push_str(&part(text));
        }
    }
    out.push_str(after);
}

/// A part of a word without what is a number or an id in it.
fn part(text: &str) -> String {
    if is_id(text) {
        return "#".to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut in_number = false;
    for c in text.chars() {
        if c.is_numeric() {
            if !in_number {
                out.push('#');
            }
            in_number = true;
        } else {
            in_number = false;
            out.push(c);
        }
    }
    // A duration is told in the unit that suits it, and a number with or without a fraction.
    let out = out.replace("#.#", "#").replace("#:#:#", "#").replace("#:#", "#");
    match out.as_str() {
        "#ns" | "#us" | "#µs" | "#ms" | "#s" | "#m" | "#h" => "#s".to_owned(),
        _ => out,
    }
}

/// An address, a hash, or another long word of hexadecimal digits.
pub(crate) fn is_id(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let is_hex = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit());
    is_hex
        && (digits.len() < text.len()
            || (text.len() >= 7 && text.contains(|c: char| c.is_ascii_digit())))
}

pub(crate) fn is_path(text: &str) -> bool {
    if !text.bytes().any(|byte| matches!(byte, b'/' | b'\\' | b'.')) {
        return false;
    }
    let has_slash = text.contains('/') || text.contains('\\');
    let file = text.split([':', '(']).next().unwrap_or(text);
    let is_file = file.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (1..=4).contains(&ending.len())
            && ending.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
            && ending.chars().any(|c| c.is_ascii_lowercase())
            && stem.contains(|c: char| c.is_ascii_alphabetic())
    });
    (has_slash && text.len() > 1) || is_file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn same(a: &str, b: &str) {
        assert_eq!(error(a), error(b));
    }

    #[test]
    fn the_same_error_is_known_again() {
        same("error at line 12: expected 4, found 5", "error at line 340: expected 4, found 7");
        same("panicked at src/a.rs:12:5", "panicked at tests/deep/b.rs:7:19");
        same("segfault at 0x7ffc12ab", "segfault at 0x55d0aa");
        same(
            "request 3fa85f64-5717-4562-b3fc-2c963f66afa6 failed",
            "request 9b2d7c11-0c1f-4b0e-8f6a-77e0c0ffee00 failed",
        );
        same(
            "2026-11-15T23:01:02Z timed out after 1.5s",
            "2026-11-16T04:11:59Z timed out after 980ms",
        );
        same("Sun Nov 15 23:00:01 UTC 2026 no space", "Mon Dec  7 01:00:01 UTC 2026 no space");
        same("cannot open /tmp/x1/y", "cannot open /var/run/z");
        same("commit 1a2b3c4d is bad", "commit 99ffee0 is bad");
        same("\u{1b}[31merror\u{1b}[0m: x", "error: x");
    }

    #[test]
    fn different_errors_stay_different() {
        for (a, b) in [
            ("cannot find `foo` in scope", "cannot find `bar` in scope"),
            ("test adds ... FAILED", "test subtracts ... FAILED"),
            ("expected string", "expected number"),
        ] {
            assert_ne!(error(a), error(b));
        }
    }

    #[test]
    fn paths_count_in_a_line_that_is_no_error() {
        assert_ne!(line("see src/a.rs"), line("see src/b.rs"));
        assert_eq!(line("built 2026-11-15, run 12"), line("built 2026-11-16, run 13"));
    }
}
