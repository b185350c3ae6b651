//! What a check's output says, in a form that can be compared: its lines without what differs from run to
//! run, and the figures in them.

mod figures;
mod labels;
mod tokens;

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use self::figures::Figures;
use crate::text::{
    output_line::{self, Paths},
    sanitise,
};

/// What comes after so many bytes of a line is not looked at.
const LONGEST_LINE: usize = 16 * 1024;

/// What a check's output says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OutputMark {
    /// What identifies its different lines, sorted. Of very many, the same few are kept whatever their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// How many different lines there are.
    #[serde(default)]
    pub different: u32,
    /// The figures that it tells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<Figure>,
}

/// One number that a check tells, such as the 7 of `7 tests left`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The line that it stands in, with `#` in place of numbers, cut short; with `(2)` after it for its second
    /// number.
    pub of: String,
    /// The number.
    pub value: f64,
}

impl OutputMark {
    /// So many different lines are kept: those with the smallest hashes.
    pub const MOST_LINES: usize = 200;

    /// So many lines of an output are read.
    pub const MOST_READ: usize = 100_000;

    /// In so many of them figures are looked for.
    pub const MOST_TOLD: usize = 2000;

    /// Reads an output. It takes time in proportion to its length, but of more than [`Self::MOST_READ`] lines only
    /// the last are read, and figures are looked for in the last [`Self::MOST_TOLD`]: summaries stand at the end.
    pub fn of(output: &str) -> Self {
        let mut hashes = Vec::new();
        let mut figures = Figures::default();
        let mut shape = String::new();
        for (from_end, line) in output.rsplit(['\n', '\r']).take(Self::MOST_READ).enumerate() {
            let line = sanitise::line(&line[..line.floor_char_boundary(LONGEST_LINE)]);
            shape.clear();
            output_line::push(&line, Paths::Alike, &mut shape);
            if shape.is_empty() || is_build_note(&line) {
                continue;
            }
            hashes.push(hash(&shape));
            if from_end < Self::MOST_TOLD {
                figures.line(&line);
            }
        }
        hashes.sort_unstable();
        hashes.dedup();
        let lines = hashes.iter().take(Self::MOST_LINES).map(|hash| format!("{hash:08x}"));
        Self {
            lines: lines.collect(),
            different: u32::try_from(hashes.len()).unwrap_or(u32::MAX),
            figures: figures.finish(),
        }
    }

    /// What identifies the output beyond numbers, times, ids and paths, and beyond the order of its lines and how
    /// often each comes.
    pub fn id(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.different.to_be_bytes());
        self.lines.iter().for_each(|line| hash.update(line));
        hash.finalize()[..12].iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }
}

/// Whether a line only tells that something was built or fetched, which is not told where it is there already:
/// `Compiling serde v1.0.228`.
fn is_build_note(line: &str) -> bool {
    const VERBS: &[&str] = &[
        "Adding",
        "Checking",
        "Compiling",
        "Downloaded",
        "Downloading",
        "Fresh",
        "Installing",
        "Locking",
        "Updating",
        "downloading",
    ];
    let line = line.strip_prefix("go: ").unwrap_or(line);
    let mut words = line.split_whitespace();
    let is_verb = words.next().is_some_and(|word| VERBS.contains(&word));
    let version = is_verb.then(|| words.nth(1)).flatten().and_then(|word| word.strip_prefix('v'));
    version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
}

/// FNV-1a, mixed once more so that the smallest are any: it must be the same in every version.
fn hash(text: &str) -> u32 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mixed = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let [a, b, c, d, ..] = mixed.to_be_bytes();
    u32::from_be_bytes([a, b, c, d])
}

#[cfg(test)]
mod tests;
