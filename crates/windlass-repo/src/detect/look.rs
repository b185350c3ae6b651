//! A look at files that anybody may have written: it never waits, and never reads without end.

use std::{fs, path::Path};

use windlass_system::below::{self, Links, Root};

/// More than this is no file that a person wrote to set a project up.
const LIMIT: u64 = 1024 * 1024;

/// How many entries of a directory are looked at.
const ENTRIES: usize = 10_000;

/// The directory that is looked at.
#[derive(Clone, Copy)]
pub(super) struct Look<'a>(pub(super) &'a Path);

impl Look<'_> {
    /// Whether there is a file of that name.
    pub(super) fn has(self, name: &str) -> bool {
        let root = Root::open(self.0).ok();
        root.is_some_and(|root| below::open_file(root, name.as_bytes(), Links::Inside).is_ok())
    }

    /// The text of a file, if there is one that can be read.
    pub(super) fn text(self, name: &str) -> Option<String> {
        let root = Root::open(self.0).ok()?;
        below::read_text(root, name.as_bytes(), LIMIT).ok()
    }

    /// The names of sections such as `[tool.mypy]` in an INI or TOML file.
    pub(super) fn sections(self, name: &str) -> Vec<String> {
        let text = self.text(name).unwrap_or_default();
        text.lines().filter_map(|line| section(line).map(str::to_owned)).collect()
    }

    /// Whether a file has a section that is meant.
    pub(super) fn has_section(self, name: &str, is_meant: impl Fn(&str) -> bool) -> bool {
        self.sections(name).iter().any(|section| is_meant(section))
    }

    /// Whether a directory of that name holds, or its own directories hold, a file that is meant.
    pub(super) fn has_below(self, name: &str, is_meant: &impl Fn(&str) -> bool) -> bool {
        let walk = walkdir::WalkDir::new(self.0.join(name)).max_depth(4).follow_links(false);
        let files = walk.into_iter().take(ENTRIES).flatten();
        let mut files = files.filter(|file| file.file_type().is_file());
        files.any(|file| file.file_name().to_str().is_some_and(is_meant))
    }

    /// Whether the directory itself holds a file that is meant.
    pub(super) fn has_here(self, is_meant: &impl Fn(&str) -> bool) -> bool {
        let Ok(entries) = fs::read_dir(self.0) else { return false };
        let mut names = entries.take(ENTRIES).flatten().map(|entry| entry.file_name());
        names.any(|name| name.to_str().is_some_and(is_meant))
    }
}

/// The name of the section that a line opens.
pub(super) fn section(line: &str) -> Option<&str> {
    let name = line.trim().strip_prefix('[')?.split(']').next()?;
    Some(name.trim())
}
