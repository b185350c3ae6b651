//! The words next to a number that make it no figure: attempts, ports, exit codes and their like. They ship as
//! data.

use std::{collections::HashSet, sync::LazyLock};

use crate::text::measure::is_rate;

/// The words.
struct Lists {
    before: HashSet<&'static str>,
    after: HashSet<&'static str>,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let mut lists = Lists { before: HashSet::new(), after: HashSet::new() };
    let mut is_before = true;
    for line in include_str!("counters.txt").lines() {
        match line {
            "[before]" => is_before = true,
            "[after]" => is_before = false,
            _ if line.starts_with('#') => (),
            _ if is_before => lists.before.extend(line.split_whitespace()),
            _ => lists.after.extend(line.split_whitespace()),
        }
    }
    lists
});

/// Whether a number after this word is no figure.
pub(super) fn counts_before(word: &str) -> bool {
    is_rate(word) || !is_file(word) && LISTS.before.contains(&*last_part(word))
}

/// Whether a number before this word is no figure.
pub(super) fn counts_after(word: &str) -> bool {
    LISTS.after.contains(&*last_part(word))
}

/// Whether a word says nothing of the number that it leads to, such as the `is` of `the seed is 7`.
pub(super) fn leads(word: &str) -> bool {
    const WORDS: &[&str] = &["is", "was", "with", "number", "no", "nr", "num", "about", "=", "->"];
    WORDS.contains(&&*word.to_ascii_lowercase())
}

fn is_file(word: &str) -> bool {
    word.contains(['/', '.'])
}

/// The part of a name that says what it is: the `code` of `exit_code` and `exitCode`, the `run` of `run_number`.
fn last_part(word: &str) -> String {
    let mut parts: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for c in word.chars() {
        let begins = !c.is_alphabetic() || c.is_uppercase() && was_lower;
        if begins && parts.last().is_some_and(|part| !part.is_empty()) {
            parts.push(String::new());
        }
        was_lower = c.is_lowercase();
        if let Some(part) = parts.last_mut().filter(|_| c.is_alphabetic()) {
            part.extend(c.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    let last = parts.pop().unwrap_or_default();
    match last.as_str() {
        "number" | "no" | "nr" | "num" => parts.pop().unwrap_or(last),
        _ => last,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_looked_up_by_what_it_says_at_its_end() {
        for word in [
            "attempt",
            "Attempt",
            "exit_code",
            "exitCode",
            "elapsedMs",
            "run-number",
            "PID",
            "BUILD_NUMBER",
        ] {
            assert!(counts_before(word), "{word}");
        }
        for word in [
            "failed",
            "score",
            "build_errors",
            "Lines",
            "left",
            "coverage",
            "numFailedTests",
            "src/process.go",
            "",
        ] {
            assert!(!counts_before(word), "{word}");
        }
        assert!(counts_after("retries") && !counts_after("tests"));
    }
}
