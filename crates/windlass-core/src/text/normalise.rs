//! What stays of a text when all that differs from one run to the next is taken out: numbers,
//! times, addresses and ids; in errors also paths. So the same error is known again.

use sha2::{Digest, Sha256};

use crate::text::sanitise;

/// Of an error, so many characters are kept.
const LONGEST: usize = 300;

/// A line without numbers, times and ids.
pub fn line(text: &str) -> String {
    normalised(text, false)
}

/// An error without numbers, times, ids, addresses and paths.
pub(crate) fn error(text: &str) -> String {
    let clean = sanitise::line(text);
    normalised(&clean, true).chars().take(LONGEST).collect()
}

/// What identifies a whole output, however long, beyond numbers, times, ids and paths.
pub(crate) fn fingerprint(output: &str) -> String {
    let mut hash = Sha256::new();
    for text in output.lines() {
        let clean = sanitise::line(text);
        let line = normalised(&clean, true);
        if !line.is_empty() {
            hash.update(line.as_bytes());
            hash.update(b"\n");
        }
    }
    hex(&hash.finalize()[..12])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn normalised(text: &str, without_paths: bool) -> String {
    let words = text.split_whitespace().map(|word| normalised_word(word, without_paths));
    let joined: Vec<String> = words.collect();
    joined.join(" ")
}

/// Marks around a word, which are not part of it.
const AROUND: &[char] =
    &['"', '\'', '`', '(', ')', '[', ']', '{', '}', '<', '>', ',', ';', ':', '.', '!'];

fn normalised_word(word: &str, without_paths: bool) -> String {
    let inner = word.trim_matches(AROUND);
    let Some(start) = word.find(inner).filter(|_| !inner.is_empty()) else {
        return word.to_owned();
    };
    let (before, after) = (&word[..start], &word[start + inner.len()..]);
    let core = if without_paths && is_path(inner) {
        "/".to_owned()
    } else if is_calendar(inner) {
        "@".to_owned()
    } else if is_uuid(inner) {
        "#".to_owned()
    } else {
        inner.split('-').map(part).collect::<Vec<_>>().join("-")
    };
    format!("{before}{core}{after}")
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
fn is_id(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let is_hex = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit());
    is_hex
        && (digits.len() < text.len()
            || (text.len() >= 7 && text.contains(|c: char| c.is_ascii_digit())))
}

/// Eight, four, four, four and twelve hexadecimal digits.
fn is_uuid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths = parts.iter().map(|part| part.len());
    lengths.eq([8, 4, 4, 4, 12])
        && parts.iter().all(|part| part.chars().all(|c| c.is_ascii_hexdigit()))
}

fn is_path(text: &str) -> bool {
    let has_slash = text.contains('/') || text.contains('\\');
    let file = text.split(':').next().unwrap_or(text);
    let is_file = file.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (1..=4).contains(&ending.len())
            && ending.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
            && ending.chars().any(|c| c.is_ascii_lowercase())
            && stem.contains(|c: char| c.is_ascii_alphabetic())
    });
    (has_slash && text.len() > 1) || is_file
}

fn is_calendar(word: &str) -> bool {
    const NAMES: &[&str] = &[
        "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Jan", "Feb", "Mar", "Apr", "May", "Jun",
        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "AM", "PM", "UTC",
    ];
    NAMES.contains(&word)
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

    #[test]
    fn an_output_is_known_again_by_all_its_lines() {
        let output = |n: u32| format!("running {n} tests\ntest adds ... FAILED\n\nin {n}.{n}s");
        assert_eq!(fingerprint(&output(1)), fingerprint(&output(22)));
        assert_ne!(fingerprint(&output(1)), fingerprint("test adds ... ok"));
    }
}
