//! One finding: what a reviewer wants changed, and where. A value only; what becomes of it over
//! iterations is the ledger's.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Severity;

/// One thing that a reviewer wants changed, in the form in which it is asked for and stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// How grave it is.
    #[serde(default)]
    pub severity: Severity,
    /// The file that it is about, as the reviewer names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its first line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Its last line, never before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// What is wrong, in a line.
    pub title: String,
    /// What is wrong, at length; may be empty.
    #[serde(default)]
    pub description: String,
    /// What the reviewer would do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// Whatever else the reviewer said of it.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Finding {
    /// Where it is, as people write it: `src/a.rs:12`, `src/a.rs:12-14`, `src/a.rs`; `None` where
    /// no file is named.
    #[must_use]
    pub fn place(&self) -> Option<String> {
        let file = self.file.as_deref()?;
        Some(match (self.line, self.end_line) {
            (Some(line), Some(end)) if end != line => format!("{file}:{line}-{end}"),
            (Some(line), _) => format!("{file}:{line}"),
            (None, _) => file.to_owned(),
        })
    }

    /// The same finding with its file told from a directory, where it lies below it: tools often
    /// name files by their whole path, and reviewers do not.
    #[must_use]
    pub fn relative_to(mut self, root: &str) -> Self {
        let root = root.trim_end_matches('/');
        let below =
            self.file.as_deref().and_then(|file| file.strip_prefix(root)?.strip_prefix('/'));
        if let Some(below) = below.filter(|below| !below.is_empty()) {
            self.file = Some(below.trim_start_matches('/').to_owned());
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_written_as_people_write_it() {
        let place = |line, end_line| {
            Finding { file: Some("src/a.rs".into()), line, end_line, ..Finding::default() }.place()
        };
        assert_eq!(place(Some(12), Some(14)).as_deref(), Some("src/a.rs:12-14"));
        assert_eq!(place(Some(12), Some(12)).as_deref(), Some("src/a.rs:12"));
        assert_eq!(place(Some(12), None).as_deref(), Some("src/a.rs:12"));
        assert_eq!(place(None, None).as_deref(), Some("src/a.rs"));
        assert_eq!(Finding::default().place(), None);
    }

    #[test]
    fn a_file_below_a_directory_is_told_from_there() {
        let told = |file: &str, root| {
            let finding = Finding { file: Some(file.into()), ..Finding::default() };
            finding.relative_to(root).file.unwrap_or_default()
        };
        assert_eq!(told("/home/user/project/src/a.rs", "/home/user/project"), "src/a.rs");
        assert_eq!(told("/home/user/project/src/a.rs", "/home/user/project/"), "src/a.rs");
        assert_eq!(
            told("/home/user/project2/a.rs", "/home/user/project"),
            "/home/user/project2/a.rs"
        );
        assert_eq!(told("src/a.rs", "/home/user/project"), "src/a.rs");
    }

    #[test]
    fn it_is_stored_in_the_form_in_which_it_is_asked_for() {
        let text = r#"{"severity":"HIGH","file":"src/a.rs","line":12,"end_line":14,"title":"t","description":"d","suggestion":"s","cwe":"CWE-79"}"#;
        let finding: Finding = serde_json::from_str(text).unwrap();
        assert_eq!(finding.extra["cwe"], "CWE-79");
        assert_eq!(serde_json::to_string(&finding).unwrap(), text);
        let least: Finding = serde_json::from_str(r#"{"title":"t"}"#).unwrap();
        let written = r#"{"severity":"MEDIUM","title":"t","description":""}"#;
        assert_eq!(serde_json::to_string(&least).unwrap(), written);
    }
}
