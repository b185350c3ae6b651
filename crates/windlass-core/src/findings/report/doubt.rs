//! What makes it doubtful that a report without findings is a clean review: words beside it that
//! name findings, say that the review was not done, or make it an example.

use std::ops::Range;

use crate::findings::text::after_bullet;

/// Labels under which reviewers list findings.
const LABELS: &[&str] =
    &["high", "medium", "low", "critical", "blocker", "major", "minor", "severe"];

/// First words after a label that say that there are none.
const NOTHING: &[&str] = &["0", "no", "none", "nothing", "nil", "zero", "n/a", "na"];

/// What a reviewer who could not review says of itself.
const UNABLE: &[&str] = &[
    "i can't",
    "i cannot",
    "i can not",
    "i could not",
    "i couldn't",
    "i am unable to",
    "i'm unable to",
    "i was unable to",
    "i am not able to",
    "i'm not able to",
    "i was not able to",
    "i wasn't able to",
    "i did not",
    "i didn't",
    "i have not",
    "i haven't",
    "i won't",
    "we were unable to",
    "we cannot",
];

/// The same without its subject, which counts at the beginning of a line.
const UNABLE_AT_START: &[&str] =
    &["unable to", "not able to", "cannot", "can't", "could not", "couldn't", "failed to"];

/// What it says that it could not do.
const REVIEWING: &[&str] = &[
    "review",
    "reviewed",
    "access",
    "read",
    "help",
    "assist",
    "analyse",
    "analyze",
    "open",
    "complete",
    "completed",
    "inspect",
    "finish",
    "finished",
    "load",
    "view",
    "examine",
    "audit",
    "comply",
    "fulfil",
    "fulfill",
    "perform",
    "proceed",
    "continue",
];

/// Words before a block that make it an example.
const EXAMPLE: &[&str] = &[
    "example",
    "e.g.",
    "for instance",
    "if there were",
    "if there was",
    "if nothing",
    "would have",
    "would look",
    "would return",
    "would answer",
    "would say",
    "would report",
    "cannot say",
    "can't say",
];

/// Words that do so only where the block is what follows a colon.
const EXAMPLE_BEFORE_COLON: &[&str] =
    &["instead of", "rather than", "would be", "should not be", "not"];

/// The line of some prose that contradicts a clean review, if there is one.
pub(super) fn in_prose(text: &str, stretches: &[Range<usize>]) -> Option<String> {
    let lines = stretches.iter().flat_map(|stretch| text[stretch.clone()].lines());
    let mut own = lines.map(str::trim).filter(|line| !line.starts_with('>'));
    own.find(|line| names_a_finding(line) || says_not_reviewed(line)).map(ToOwned::to_owned)
}

/// Whether what stands before a block makes it an example: the line before it, or what is left of
/// it in its own.
pub(super) fn is_example(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches(|c: char| c.is_whitespace() || "`*_".contains(c));
    let line = before.rsplit('\n').next().unwrap_or_default();
    let line = plain(line);
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| has_words(&line, phrase));
    has(EXAMPLE) || (line.ends_with(':') && has(EXAMPLE_BEFORE_COLON))
}

/// Whether a phrase stands in a line, and not as a part of other words.
fn has_words(line: &str, phrase: &str) -> bool {
    line.match_indices(phrase).any(|(at, _)| {
        !line[..at].ends_with(char::is_alphanumeric)
            && !line[at + phrase.len()..].starts_with(char::is_alphanumeric)
    })
}

/// Whether a line begins with a label such as `- **HIGH**: …`, `[Medium] …` or `### Low – …`, and
/// goes on to say something other than that there is nothing.
fn names_a_finding(line: &str) -> bool {
    let mut rest = line.trim_start_matches(['#', ' ', '|']);
    while let Some(inner) = after_bullet(rest) {
        rest = inner.trim_start_matches(['#', ' ']);
    }
    let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    let label = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    if !LABELS.contains(&label.to_lowercase().as_str()) {
        return false;
    }
    let after = &rest[label.len()..];
    let after = after.strip_prefix(" severity").unwrap_or(after);
    let marks: String = after.chars().take_while(|c| !c.is_alphanumeric()).collect();
    let is_label =
        marks.contains([':', ']', ')', '*', '_', '|', '–', '—', '`', '(']) || marks.contains(" - ");
    let said = after[marks.len()..].trim();
    let first = said.split(|c: char| c.is_whitespace() || ",.;)".contains(c)).next();
    let first = first.unwrap_or_default().to_lowercase();
    is_label && !said.is_empty() && !NOTHING.contains(&first.as_str())
}

fn says_not_reviewed(line: &str) -> bool {
    let line = plain(line);
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let at_start = UNABLE_AT_START.iter().filter_map(|unable| line.strip_prefix(unable));
    let anywhere = UNABLE.iter().flat_map(|unable| {
        let found = line.match_indices(unable);
        let found = found.filter(|(at, _)| !line[..*at].ends_with(char::is_alphanumeric));
        found.map(|(at, unable)| &line[at + unable.len()..])
    });
    at_start.chain(anywhere).any(|rest| {
        let words =
            rest.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphabetic()));
        // "I could not fully review", "I cannot be of help".
        let mut words =
            words.skip_while(|word| word.ends_with("ly") || ["be", "of"].contains(word));
        words.next().is_some_and(|word| REVIEWING.contains(&word))
    })
}

fn plain(line: &str) -> String {
    line.to_lowercase().replace('’', "'")
}
