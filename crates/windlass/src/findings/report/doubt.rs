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
    "i won't",
];

/// What it says that it could not do.
const REVIEWING: &[&str] = &[
    "review", "access", "read", "help", "assist", "analyse", "analyze", "open", "complete",
    "inspect", "finish", "load", "view", "examine", "audit", "comply", "fulfil", "fulfill",
    "perform", "carry",
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
    "would be",
    "would look",
    "would return",
    "would answer",
    "would say",
    "would report",
    "instead of",
    "rather than",
    "cannot say",
    "can't say",
    "should not be",
];

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
    EXAMPLE.iter().any(|words| line.contains(words))
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
    UNABLE.iter().any(|unable| {
        line.match_indices(unable).any(|(at, _)| {
            let is_word = !line[..at].ends_with(|c: char| c.is_alphanumeric());
            let next = line[at + unable.len()..].split_whitespace().take(3);
            let mut next = next.map(|word| word.trim_matches(|c: char| !c.is_alphabetic()));
            is_word && next.any(|word| REVIEWING.contains(&word))
        })
    })
}

fn plain(line: &str) -> String {
    line.to_lowercase().replace('’', "'")
}
