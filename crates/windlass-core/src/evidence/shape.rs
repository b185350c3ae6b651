//! What stays of a text seen through coarser and coarser lenses: without dates and ids, without numbers,
//! without names, comments and style.

mod comments;
mod keywords;
mod layout;
mod scan;
mod token;

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use self::layout::Layout;
use super::files::FileChange;
use crate::text::normalise;

/// What stays of a text through each lens, as 12 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lenses {
    /// Without dates, times and ids.
    pub stamps: String,
    /// Without numbers either.
    pub numbers: String,
    /// Without numbers, comments and style; of code also without names.
    pub shape: String,
    /// Its different lines, without numbers and repeated characters.
    pub said: String,
    /// How many bytes it has that are no blanks.
    pub size: usize,
}

/// What the words and lines of a text are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// Code: words are names, lines may be comments, and indentation tells blocks.
    Code,
    /// Settings and other data: words are what it says, lines may be comments, and indentation tells blocks.
    Data,
    /// Prose: words are what it says; where a line ends does not matter.
    Prose,
}

impl Lenses {
    /// A larger content is not looked through.
    pub const LARGEST: usize = 1 << 20;

    /// Looks through them at a content; `None` for one that is not text, or is too large.
    pub fn of(content: &[u8], reading: Reading) -> Option<Self> {
        if content.len() > Self::LARGEST {
            return None;
        }
        let text = std::str::from_utf8(content).ok().filter(|text| !text.contains('\0'))?;
        Some(Self {
            stamps: lines(text, normalise::without_stamps),
            numbers: lines(text, normalise::line),
            shape: shape(text, reading),
            said: said(text),
            size: content.iter().filter(|byte| !byte.is_ascii_whitespace()).count(),
        })
    }

    /// How a text changed that looks like this now, and looked like `before`.
    pub fn change_from(&self, before: &Self) -> FileChange {
        if self.stamps == before.stamps {
            FileChange::Stamps
        } else if self.numbers == before.numbers {
            FileChange::Numbers
        } else if self.said == before.said && self.size > before.size {
            FileChange::Repeats
        } else if self.shape == before.shape {
            FileChange::Style
        } else {
            FileChange::Content
        }
    }
}

/// What stays of the words of each line. Indentation stays, for in some languages it is all that matters,
/// and so does a blank at the end of a line: taking it away is a matter of style.
fn lines(text: &str, normalised: impl Fn(&str) -> String) -> String {
    let mut hash = Sha256::new();
    for line in text.split('\n') {
        let words = line.trim_start();
        hash.update(&line[..line.len() - words.len()]);
        hash.update(normalised(words));
        hash.update(if words.ends_with(char::is_whitespace) { " \n" } else { "\n" });
    }
    short(hash)
}

/// What stays of a text that says the same line twice, or the same letter: `x`, `xx` and `x` on two lines are the
/// same.
fn said(text: &str) -> String {
    let mut different = BTreeSet::new();
    for line in text.split('\n').filter(|line| !line.trim().is_empty()) {
        let words = line.trim_start();
        let mut chars: Vec<char> = normalise::line(words).chars().collect();
        chars.dedup();
        let mut hash = Sha256::new();
        hash.update(&line[..line.len() - words.len()]);
        hash.update(chars.into_iter().collect::<String>());
        different.insert(hash.finalize());
    }
    let mut hash = Sha256::new();
    different.iter().for_each(|line| hash.update(line));
    short(hash)
}

fn shape(text: &str, reading: Reading) -> String {
    let mut hash = Sha256::new();
    let mut bytes = Vec::new();
    for token in Layout::of(text, reading) {
        token.write(&mut bytes);
        if bytes.len() > 1 << 12 {
            hash.update(&bytes);
            bytes.clear();
        }
    }
    hash.update(&bytes);
    short(hash)
}

fn short(hash: Sha256) -> String {
    hash.finalize()[..6].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
