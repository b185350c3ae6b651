//! The prompts that there are: their names, what each gets, and their built-in texts.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// One of windlass's prompts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PromptName {
    /// What the developer of `develop` is asked.
    Develop,
    /// What the reviewer of `develop` is asked.
    ReviewDiff,
    /// The review of `heal`.
    HealReview,
    /// Turns a review in prose into findings.
    HealParse,
    /// One finding, to be fixed.
    HealFix,
    /// The tests fail after the fixes.
    HealTests,
    /// What each auditor of `pr` is asked.
    Audit,
    /// The part of the auditor `correctness`.
    AuditorCorrectness,
    /// The part of the auditor `security`.
    AuditorSecurity,
    /// The part of the auditor `architecture`.
    AuditorArchitecture,
    /// The part of the auditor `api-stability`.
    AuditorApiStability,
    /// The part of the auditor `project-rules`.
    AuditorProjectRules,
    /// The part of the auditor `performance`.
    AuditorPerformance,
    /// The part of the auditor `tests`.
    AuditorTests,
    /// All findings of an audit, to be fixed.
    PrFix,
    /// What is worth reporting; others include it.
    WhatToReport,
    /// The form of findings; others include it.
    FindingsForm,
}

/// What is known of a prompt.
struct Known {
    /// Its name as people type it.
    word: &'static str,
    /// What it is for.
    about: &'static str,
    /// The text.
    text: &'static str,
}

/// Makes the entry of a prompt from its name, which is that of its file too.
macro_rules! known {
    ($word:literal, $about:literal) => {
        Known {
            word: $word,
            about: $about,
            text: include_str!(concat!("../../prompts/", $word, ".md")),
        }
    };
}

impl PromptName {
    /// All of them, in the order of the loops that use them.
    pub const ALL: [Self; 17] = [
        Self::Develop,
        Self::ReviewDiff,
        Self::HealReview,
        Self::HealParse,
        Self::HealFix,
        Self::HealTests,
        Self::Audit,
        Self::AuditorCorrectness,
        Self::AuditorSecurity,
        Self::AuditorArchitecture,
        Self::AuditorApiStability,
        Self::AuditorProjectRules,
        Self::AuditorPerformance,
        Self::AuditorTests,
        Self::PrFix,
        Self::WhatToReport,
        Self::FindingsForm,
    ];

    /// The auditors that are built in, in the order of their results: each with its name, its part
    /// of the prompt, and whether it is on unless somebody says otherwise.
    pub const AUDITORS: [(&'static str, Self, bool); 7] = [
        ("correctness", Self::AuditorCorrectness, true),
        ("security", Self::AuditorSecurity, true),
        ("architecture", Self::AuditorArchitecture, true),
        ("api-stability", Self::AuditorApiStability, true),
        ("project-rules", Self::AuditorProjectRules, true),
        ("performance", Self::AuditorPerformance, false),
        ("tests", Self::AuditorTests, false),
    ];

    /// The name as people type it, such as `review-diff`.
    pub fn as_str(self) -> &'static str {
        self.known().word
    }

    /// The name of its file, by which templates include each other.
    pub(crate) fn file(self) -> String {
        format!("{}.md", self.as_str())
    }

    /// What it is for, in some words.
    pub fn about(self) -> &'static str {
        self.known().about
    }

    /// The variables that it gets; its text says what each is.
    pub fn variables(self) -> &'static [&'static str] {
        match self {
            Self::Develop => &[
                "task",
                "plan",
                "iteration",
                "max_iterations",
                "feedback",
                "failure",
                "reasons",
                "failed",
                "checks",
            ],
            Self::ReviewDiff => &[
                "task",
                "plan",
                "iteration",
                "max_iterations",
                "feedback",
                "checks",
                "diff",
                "left_out",
                "binary",
            ],
            Self::HealReview => &[
                "scope",
                "base",
                "paths",
                "diff",
                "left_out",
                "binary",
                "iteration",
                "max_iterations",
                "earlier",
            ],
            Self::HealParse => &["review"],
            Self::HealFix => &["finding", "number", "total"],
            Self::HealTests => &["command", "status", "output", "attempt", "max_attempts"],
            Self::Audit => &[
                "auditor",
                "brief",
                "pr",
                "description",
                "files",
                "paths",
                "diff",
                "left_out",
                "binary",
            ],
            Self::PrFix => {
                &["pr", "groups", "total", "iteration", "max_iterations", "checks", "failed"]
            }
            Self::AuditorCorrectness
            | Self::AuditorSecurity
            | Self::AuditorArchitecture
            | Self::AuditorApiStability
            | Self::AuditorProjectRules
            | Self::AuditorPerformance
            | Self::AuditorTests
            | Self::WhatToReport
            | Self::FindingsForm => &[],
        }
    }

    /// The text that is built in.
    pub fn built_in(self) -> &'static str {
        self.known().text
    }

    fn known(self) -> Known {
        match self {
            Self::Develop => known!("develop", "what the developer of `develop` is asked"),
            Self::ReviewDiff => known!("review-diff", "what the reviewer of `develop` is asked"),
            Self::HealReview => known!("heal-review", "the review of `heal`"),
            Self::HealParse => known!("heal-parse", "turns a review in prose into findings"),
            Self::HealFix => known!("heal-fix", "one finding, to be fixed"),
            Self::HealTests => known!("heal-tests", "the tests fail after the fixes"),
            Self::Audit => known!("audit", "what each auditor of `pr` is asked"),
            Self::AuditorCorrectness => {
                known!("auditor-correctness", "the part of the auditor `correctness`")
            }
            Self::AuditorSecurity => {
                known!("auditor-security", "the part of the auditor `security`")
            }
            Self::AuditorArchitecture => {
                known!("auditor-architecture", "the part of the auditor `architecture`")
            }
            Self::AuditorApiStability => {
                known!("auditor-api-stability", "the part of the auditor `api-stability`")
            }
            Self::AuditorProjectRules => {
                known!("auditor-project-rules", "the part of the auditor `project-rules`")
            }
            Self::AuditorPerformance => {
                known!("auditor-performance", "the part of the auditor `performance`")
            }
            Self::AuditorTests => known!("auditor-tests", "the part of the auditor `tests`"),
            Self::PrFix => known!("pr-fix", "all findings of an audit, to be fixed"),
            Self::WhatToReport => known!(
                "what-to-report",
                "what is worth reporting; `heal-review` and `audit` include it"
            ),
            Self::FindingsForm => known!(
                "findings-form",
                "the form of findings; `heal-review`, `heal-parse` and `audit` include it"
            ),
        }
    }
}

impl fmt::Display for PromptName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for PromptName {
    type Err = UnknownPrompt;

    fn from_str(word: &str) -> Result<Self, UnknownPrompt> {
        let found = Self::ALL.into_iter().find(|name| name.as_str() == word);
        found.ok_or_else(|| UnknownPrompt(word.to_owned()))
    }
}

/// A name that no prompt has.
#[derive(Debug, thiserror::Error)]
#[error("there is no prompt `{0}`")]
pub struct UnknownPrompt(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_same_typed_and_stored() {
        for name in PromptName::ALL {
            assert_eq!(serde_json::to_value(name).unwrap(), name.as_str());
            assert_eq!(name.as_str().parse::<PromptName>().unwrap(), name);
        }
        assert_eq!(
            "reveiw".parse::<PromptName>().unwrap_err().to_string(),
            "there is no prompt `reveiw`"
        );
    }

    #[test]
    fn each_file_says_which_variables_it_gets() {
        for name in PromptName::ALL {
            let head = name.built_in().strip_prefix("{#").and_then(|text| text.split_once("#}"));
            let head = head.unwrap_or_else(|| panic!("{name} begins with a comment")).0;
            let told = head.lines().filter_map(|line| line.strip_prefix("- ")?.split_once(':'));
            let told: Vec<_> = told.map(|(variable, _)| variable).collect();
            assert_eq!(told, name.variables(), "{name}");
            assert!(!told.is_empty() || head.contains("No variables."), "{name}");
        }
    }

    #[test]
    fn every_file_is_a_prompt() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/prompts");
        let files = std::fs::read_dir(folder).unwrap();
        let mut files: Vec<_> =
            files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        let mut known: Vec<_> = PromptName::ALL.into_iter().map(PromptName::file).collect();
        known.sort();
        assert_eq!(files, known);
    }
}
