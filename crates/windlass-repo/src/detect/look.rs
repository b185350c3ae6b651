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

    /// The first file that is meant in a directory of that name or `deep` levels of its own
    /// directories, by its path from here.
    pub(super) fn find_below(
        self,
        name: &str,
        deep: usize,
        is_meant: &impl Fn(&str) -> bool,
    ) -> Option<String> {
        let walk = walkdir::WalkDir::new(self.0.join(name)).max_depth(deep).follow_links(false);
        let files = walk.sort_by_file_name().into_iter().take(ENTRIES).flatten();
        let mut files = files.filter(|file| file.file_type().is_file());
        let file = files.find(|file| file.file_name().to_str().is_some_and(is_meant))?;
        file.path().strip_prefix(self.0).ok()?.to_str().map(str::to_owned)
    }

    /// The files that are meant in the directory itself.
    pub(super) fn names_here(self, is_meant: &impl Fn(&str) -> bool) -> Vec<String> {
        self.names_in("", is_meant)
    }

    /// The files that are meant in a directory of that name, by their names.
    pub(super) fn names_in(self, name: &str, is_meant: &impl Fn(&str) -> bool) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.0.join(name)) else { return Vec::new() };
        let names = entries.take(ENTRIES).flatten().map(|entry| entry.file_name());
        let names = names.filter_map(|name| name.into_string().ok());
        let mut names: Vec<String> = names.filter(|name| is_meant(name)).collect();
        names.sort();
        names
    }
}

/// The name of the section that a line opens.
pub(super) fn section(line: &str) -> Option<&str> {
    let name = line.trim().strip_prefix('[')?.split(']').next()?;
    Some(name.trim())
}
