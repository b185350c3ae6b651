//! What kind of file a path is: prose or a log about the work, or part of it. By its name where that tells,
//! and by its text where it does not.

mod lists;
mod sentences;

use self::lists::{LISTS, Words};
use super::{files::FileKind, shape::Reading};

/// What a path's name says of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Named {
    /// Code.
    Code,
    /// Settings, data, or what is not text.
    Data,
    /// Text that is part of a program: what it reads, or pages that it is made of.
    Markup,
    /// Prose or a log.
    Prose,
    /// Nothing: its text tells.
    Unsure,
}

impl Named {
    /// What the name of this path says.
    pub fn of(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_shouted = !name.contains(char::is_lowercase);
        let path = path.to_lowercase();
        let parts = Parts::of(&path);
        let (ending, lists) = (parts.ending, &*LISTS);
        let is_prose = lists.prose.contains(ending);
        if lists.data_names.contains(parts.name) || parts.is_requirements() {
            Self::Data
        } else if lists.markup.contains(ending) || lists.markup_names.contains(parts.name) {
            Self::Markup
        } else if lists.code.contains(ending) {
            Self::Code
        } else if lists.data.contains(ending) {
            Self::Data
        } else if (is_prose || ending == "txt" || (ending.is_empty() && is_shouted))
            && [&lists.prose_names, &lists.note_names].iter().any(|names| parts.is_one_of(names))
        {
            Self::Prose
        } else if parts.is_in(&lists.markup_folders) {
            if is_prose { Self::Markup } else { Self::Data }
        } else if is_prose
            || [&lists.prose_folders, &lists.note_folders].iter().any(|names| parts.is_in(names))
        {
            Self::Prose
        } else {
            Self::Unsure
        }
    }

    /// What the file is, with this text; `None` for what is not text, or is too large.
    pub fn with(self, text: Option<&str>) -> (FileKind, Reading) {
        match (self, text) {
            (Self::Code, _) => (FileKind::Work, Reading::Code),
            (Self::Markup, _) => (FileKind::Work, Reading::Prose),
            (Self::Prose, _) => (FileKind::Prose, Reading::Prose),
            (Self::Unsure, Some(text)) if sentences::are_most_of(text) => {
                (FileKind::Prose, Reading::Prose)
            }
            (Self::Unsure, Some(text)) if sentences::is_code(text) => {
                (FileKind::Work, Reading::Code)
            }
            (Self::Data | Self::Unsure, _) => (FileKind::Work, Reading::Data),
        }
    }
}

/// Whether a path is one of notes or logs: text about the work, which is not what a task means that asks for
/// documentation.
pub(super) fn is_note(path: &str) -> bool {
    let path = path.to_lowercase();
    let parts = Parts::of(&path);
    parts.ending == "log"
        || parts.is_one_of(&LISTS.note_names)
        || parts.is_one_of(&LISTS.names_of_noted)
        || parts.is_in(&LISTS.note_folders)
}

/// The parts of a path, in lower case.
#[derive(Clone, Copy, Debug)]
struct Parts<'a> {
    folders: &'a str,
    name: &'a str,
    /// The name up to its first dot.
    stem: &'a str,
    ending: &'a str,
}

impl<'a> Parts<'a> {
    fn of(path: &'a str) -> Self {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        // A name that begins with a dot has no ending for that.
        let visible = name.trim_start_matches('.');
        let (stem, _) = visible.split_once('.').unwrap_or((visible, ""));
        let (_, ending) = visible.rsplit_once('.').unwrap_or(("", ""));
        Self { folders, name, stem, ending }
    }

    /// Whether the last word of the name is one of these: `release-notes-2` is of notes.
    fn is_one_of(&self, names: &Words) -> bool {
        let mut words = self.stem.split(|c: char| !c.is_alphabetic());
        names.contains(self.stem)
            || words.rfind(|word| !word.is_empty()).is_some_and(|word| names.contains(word))
    }

    fn is_in(&self, folders: &Words) -> bool {
        self.folders.split('/').any(|folder| folders.contains(folder))
    }

    /// What pip is told to install.
    fn is_requirements(&self) -> bool {
        self.ending == "txt"
            && (self.stem.starts_with("requirements") || self.folders.ends_with("requirements"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(named: Named, paths: &[&str]) {
        for path in paths {
            assert_eq!(Named::of(path), named, "{path}");
        }
    }

    #[test]
    fn a_name_tells_what_most_files_are() {
        all(Named::Code, &["src/a.rs", "docs/conf.py", "a.min.js", "NOTES.py", "logs/read.sh"]);
        all(Named::Data, &["a.json", "docs/logo.PNG", "Cargo.lock", "Makefile", "status.yaml"]);
        all(
            Named::Data,
            &["requirements.txt", "requirements-dev.txt", "requirements/dev.txt", "CMakeLists.txt"],
        );
        all(Named::Data, &["public/robots.txt", "tests/fixtures/a.txt", "VERSION"]);
        all(Named::Markup, &["pages/a.mdx", "skills/x/SKILL.md", "prompts/review.md"]);
        all(Named::Prose, &["README", "README.md", "a/b/guide.rst", "build.log", "x/LICENSE"]);
        all(Named::Prose, &["notes.txt", "log.txt", "my-worklog-2.txt", "tests/NOTES.md", "PLAN"]);
        all(
            Named::Prose,
            &["docs/guide", "docs/a.txt", "crates/x/docs/a", "logs/42", "Docs/A.TXT"],
        );
        all(
            Named::Unsure,
            &["a.txt", "src/b", "bin/status", ".gitignore", "x.foo", "status_codes.txt"],
        );
    }

    #[test]
    fn the_text_tells_what_others_are() {
        let kind = |text| Named::Unsure.with(text);
        let (work, prose) = (FileKind::Work, FileKind::Prose);
        assert_eq!(kind(Some("ok\n")), (work, Reading::Data));
        assert_eq!(kind(None), (work, Reading::Data));
        assert_eq!(kind(Some("#!/bin/sh\necho hi\n")), (work, Reading::Code));
        let page = "Today I looked at the parser. It is large, and most of it can stay as it is.\n";
        assert_eq!(kind(Some(page)), (prose, Reading::Prose));
        assert_eq!(Named::Code.with(Some(page)), (work, Reading::Code));
    }

    #[test]
    fn notes_are_told_from_other_prose() {
        for path in ["NOTES.md", "docs/plan.md", "a.log", "logs/x", "IMPLEMENTATION_SUMMARY.md"] {
            assert!(is_note(path), "{path}");
        }
        for path in ["README.md", "docs/guide.md", "CHANGELOG.md", "docs/logging.md"] {
            assert!(!is_note(path), "{path}");
        }
    }
}
