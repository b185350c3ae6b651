//! Reads a reviewer's final message into findings. Deterministic and pure: the same words always
//! mean the same, and a message that cannot be read is an error, never a clean review.
//!
//! What counts, in this order: the **last fenced block** with an object that has a list
//! `findings`; the **whole message** as JSON; the **last object** with such a list in the prose;
//! and, where there is no list `findings` at all, the last fenced block that is a list of findings
//! or one finding by itself. Blocks in a quote, blocks within a block, and the form that was asked
//! for with nothing filled in do not count.
//!
//! A message is **clean** only if nothing in it says otherwise: where the last list is empty, and
//! an earlier one is not or cannot be read, or the prose lists a finding under its severity, or the
//! reviewer says that it could not review, the message contradicts itself and is unreadable. So is
//! a message whose last list is broken, though an earlier one were whole: that one is not the
//! reviewer's last word.

mod blocks;
mod candidate;
mod doubt;
pub(super) mod entry;

use self::{
    blocks::Block,
    candidate::{Candidate, Reading},
};
use super::Finding;

/// Why a reviewer's message cannot be read: a clause about the message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// There is nothing in it.
    #[error("it is empty")]
    Empty,
    /// There are only words.
    #[error("it has no JSON with a list `findings`")]
    NoFindings,
    /// It stops before its end.
    #[error("it was cut off: a block that begins in line {line} is never closed")]
    CutOff {
        /// The line, from 1.
        line: usize,
    },
    /// The JSON is none.
    #[error("its findings are not written as JSON: line {line}: {why}")]
    Broken {
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        why: String,
    },
    /// The findings are something else than a list.
    #[error("its `findings` is {what}, not a list")]
    NoList {
        /// What it is.
        what: &'static str,
    },
    /// The list is not where it was asked for.
    #[error("its list `findings` stands inside another object")]
    TooDeep,
    /// An entry says nothing, or not in a way that can be understood.
    #[error("its finding {number} {why}")]
    Senseless {
        /// Which, from 1.
        number: usize,
        /// What is wrong with it.
        why: &'static str,
    },
    /// It is the question, not an answer.
    #[error("it only repeats the form that was asked for, with nothing filled in")]
    Template,
    /// It says two things at once.
    #[error("it has an empty list of findings, and says otherwise: {why}")]
    Contradiction {
        /// What says otherwise.
        why: String,
    },
}

/// Reads the findings of a reviewer's final message; an empty list is a clean review.
pub fn read(text: &str) -> Result<Vec<Finding>, Unreadable> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(Unreadable::Empty);
    }
    match read_plain(text) {
        // Some wrap all they say in a block of Markdown, in which the findings are one more block.
        Err(Unreadable::NoFindings | Unreadable::CutOff { .. }) if unwrapped(text).is_some() => {
            read_plain(unwrapped(text).unwrap_or_default())
        }
        read => read,
    }
}

/// What a review comes to that somebody else has read into findings. That there are none is believed
/// only of plain words that say nothing else: not of a review that was cut off or whose own list is
/// broken, nor where it names a finding or says that there was no review.
pub fn confirm(review: &str, findings: Vec<Finding>) -> Result<Vec<Finding>, Unreadable> {
    if !findings.is_empty() {
        return Ok(findings);
    }
    match read(review) {
        Err(Unreadable::NoFindings) => {
            let whole = 0..review.len();
            match doubt::in_prose(review, std::slice::from_ref(&whole)) {
                Some(line) => Err(Unreadable::Contradiction { why: shown(&line) }),
                None => Ok(findings),
            }
        }
        read => read,
    }
}

fn read_plain(text: &str) -> Result<Vec<Finding>, Unreadable> {
    let blocks = blocks::find(text);
    let candidates = candidate::all(text, &blocks);
    let chosen = candidate::choose(&candidates);
    if let Some(open) = blocks.iter().find(|block| !block.is_closed && !is_json(text)) {
        return Err(Unreadable::CutOff { line: line_of(text, open.range.start) });
    }
    let Some(chosen) = chosen else {
        let is_template =
            candidates.iter().any(|candidate| matches!(candidate.reading, Reading::Template));
        return Err(if is_template { Unreadable::Template } else { Unreadable::NoFindings });
    };
    match &chosen.reading {
        Reading::Findings(findings) => Ok(findings.clone()),
        Reading::Unreadable(why) => Err(why.clone()),
        Reading::Clean { is_commented } => {
            match contradiction(text, &blocks, &candidates, *is_commented) {
                Some(why) => Err(Unreadable::Contradiction { why }),
                None => Ok(Vec::new()),
            }
        }
        Reading::Template => Err(Unreadable::Template),
    }
}

/// What says that a clean review is none.
fn contradiction(
    text: &str,
    blocks: &[Block<'_>],
    candidates: &[Candidate],
    is_commented: bool,
) -> Option<String> {
    if is_commented {
        return Some("there is a comment next to it".to_owned());
    }
    for candidate in candidates {
        let line = || line_of(text, candidate.range.start);
        match &candidate.reading {
            Reading::Findings(_) => return Some(format!("there are findings in line {}", line())),
            Reading::Unreadable(why) => {
                return Some(format!("there is more in line {}: {why}", line()));
            }
            Reading::Clean { .. } | Reading::Template => (),
        }
    }
    // The list itself is no prose, wherever it stands.
    let blocks = blocks.iter().map(|block| block.range.clone());
    let mut apart: Vec<_> = blocks.chain(candidates.iter().map(|c| c.range.clone())).collect();
    apart.sort_by_key(|range| range.start);
    let prose = blocks::outside(text, apart);
    doubt::in_prose(text, &prose).map(|line| shown(&line))
}

/// A line as it is quoted, of a long one the beginning.
fn shown(line: &str) -> String {
    let shown: String = line.chars().take(120).collect();
    format!("`{shown}`")
}

/// Whether a whole message is JSON, in which marks that look like those of a block are none.
fn is_json(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(['{', '['])
        && super::lenient::value(text, 0).is_ok_and(|parsed| parsed.end == text.len())
}

/// What stands in the block of Markdown that is the whole message.
fn unwrapped(text: &str) -> Option<&str> {
    let text = text.trim();
    let (first, rest) = text.split_once('\n')?;
    let info = first.trim_start_matches(['`', '~']);
    let marks = &first[..first.len() - info.len()];
    let is_markdown = ["markdown", "md"].contains(&info.trim().to_lowercase().as_str());
    let (inner, last) = rest.rsplit_once('\n')?;
    (is_markdown && marks.len() >= 3 && last.trim() == marks).then_some(inner)
}

/// The line of an offset, from 1.
fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests;
