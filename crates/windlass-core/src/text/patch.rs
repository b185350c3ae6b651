//! A diff as a reviewer gets it: cut by whole files to what a prompt can hold, with a list of what
//! is not in it. Pure; the diff comes from `windlass-repo`.

mod parts;

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::count::{agree, count};

pub use parts::{Part, parts};

/// How much of a diff a reviewer gets, in bytes, unless a prompt can hold less.
pub const LIMIT: usize = 256 * 1024;

/// How many paths each list names; the rest is counted.
const MOST_PATHS: usize = 500;

/// What changed since a loop began, as far as a prompt can hold it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffReport {
    /// Who was asked; `None` outside a repository, where nobody can tell what changed.
    pub by: Option<DiffedBy>,
    /// The diff of the files that fit, whole files only, in the order of their paths.
    pub text: String,
    /// How many files changed, in the text or not.
    pub files: u32,
    /// Files whose diff did not fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// Files that changed and are not text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub binary: Vec<String>,
    /// How many files are neither in the text nor in a list, because the lists are full.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unlisted: u32,
    /// What people should know about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Who says what changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffedBy {
    /// Git, from the snapshots.
    Git,
    /// Jujutsu.
    Jj,
}

/// A file whose diff is not in the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The file.
    pub path: String,
    /// How many bytes its diff has; `None` where it could not be had at all.
    pub bytes: Option<u64>,
}

impl DiffReport {
    /// A report with nothing in it yet.
    pub fn new(by: DiffedBy) -> Self {
        Self { by: Some(by), ..Self::default() }
    }

    /// The report on a whole diff in git's format, cut to `limit` bytes.
    pub fn of(by: DiffedBy, diff: &[u8], limit: usize) -> Self {
        let mut report = Self::new(by);
        parts(diff).for_each(|part| report.add(&part, limit));
        report
    }

    /// Adds one file, which goes into the text only whole.
    pub fn add(&mut self, part: &Part<'_>, limit: usize) {
        self.files = self.files.saturating_add(1);
        if part.is_binary {
            let path = part.path.clone();
            return if self.binary.len() < MOST_PATHS {
                self.binary.push(path);
            } else {
                self.unlisted += 1;
            };
        }
        let text = String::from_utf8_lossy(part.bytes);
        if self.text.len() + text.len() <= limit {
            self.text.push_str(&text);
        } else {
            self.leave_out(part.path.clone(), Some(part.bytes.len() as u64));
        }
    }

    /// Adds one file whose diff could not be had.
    pub fn add_unknown(&mut self, path: String) {
        self.files = self.files.saturating_add(1);
        self.leave_out(path, None);
    }

    fn leave_out(&mut self, path: String, bytes: Option<u64>) {
        if self.left_out.len() < MOST_PATHS {
            self.left_out.push(LeftOut { path, bytes });
        } else {
            self.unlisted += 1;
        }
    }

    /// The changed files with what became of each, in a word.
    pub fn changed_files(&self) -> Vec<(String, &'static str)> {
        let has = |part: &Part<'_>, line: &str| {
            let head =
                part.bytes.split(|byte| *byte == b'\n').take_while(|l| !l.starts_with(b"@@"));
            head.take(8).any(|found| found.starts_with(line.as_bytes()))
        };
        let shown = parts(self.text.as_bytes()).map(|part| {
            let change = match () {
                () if has(&part, "new file mode") => "added",
                () if has(&part, "deleted file mode") => "deleted",
                () if has(&part, "rename to") => "renamed",
                () => "changed",
            };
            (part.path, change)
        });
        let left_out = self.left_out.iter().map(|file| (file.path.clone(), "changed"));
        let binary = self.binary.iter().map(|path| (path.clone(), "changed"));
        shown.chain(left_out).chain(binary).collect()
    }

    /// The files that are not in the text, a line each, with how much it would be.
    pub fn left_out_lines(&self) -> Vec<String> {
        let named = |path: &str| path.replace(char::is_control, "?");
        let size = |bytes: &Option<u64>| match bytes {
            Some(bytes) => format!("{} of diff", count(*bytes, "byte")),
            None => "of unknown size".to_owned(),
        };
        let files = self.left_out.iter();
        let mut lines: Vec<String> =
            files.map(|file| format!("{} ({})", named(&file.path), size(&file.bytes))).collect();
        if self.unlisted > 0 {
            let (files, are) = self.unlisted_files();
            lines.push(format!("and {files} that {are} not named here"));
        }
        lines
    }

    /// How many files are not named, with the verb that follows.
    fn unlisted_files(&self) -> (String, &'static str) {
        (count(self.unlisted, "more file"), agree(self.unlisted, "is", "are"))
    }

    /// What is not in the text, in words for a prompt; empty where all of it is.
    pub fn remarks(&self) -> String {
        let mut remarks = String::new();
        let named = |path: &str| path.replace(char::is_control, "?");
        if !self.left_out.is_empty() {
            remarks.push_str("Left out of this diff:\n");
            for LeftOut { path, bytes } in &self.left_out {
                let why = match bytes {
                    Some(bytes) => format!("too long: {}", count(*bytes, "byte")),
                    None => "it could not be compared".to_owned(),
                };
                let _ = writeln!(remarks, "- {} ({why})", named(path));
            }
        }
        if !self.binary.is_empty() {
            remarks.push_str("Binary files that changed:\n");
            for path in &self.binary {
                let _ = writeln!(remarks, "- {}", named(path));
            }
        }
        if self.unlisted > 0 {
            let (files, are) = self.unlisted_files();
            let _ = writeln!(remarks, "And {files} that {are} not named here.");
        }
        remarks
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests;
