//! How grave a finding is. Reading a reviewer's word for it never fails.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

/// How grave a finding is; the gravest is the greatest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Severity {
    /// It can wait.
    Low,
    /// It should be changed; also whatever a reviewer says in a word that is not known.
    #[default]
    Medium,
    /// It must be changed.
    High,
}

/// Words that mean high, beside the word itself.
const HIGH: &[&str] = &["high", "critical", "blocker", "blocking", "error", "severe", "fatal"];

/// Words that mean low, beside the word itself.
const LOW: &[&str] = &[
    "low",
    "minor",
    "info",
    "informational",
    "note",
    "nit",
    "nitpick",
    "trivial",
    "style",
    "hint",
    "suggestion",
];

impl Severity {
    /// Reads a word, whatever its case and the marks around it: `critical`, `blocker`, `blocking`,
    /// `error`, `severe` and `fatal` are high; `minor`, `info`, `informational`, `note`, `nit`,
    /// `nitpick`, `trivial`, `style`, `hint` and `suggestion` are low; any other word is medium.
    #[must_use]
    pub(crate) fn of_word(word: &str) -> Self {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let first = word.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if HIGH.contains(&first) {
            Self::High
        } else if LOW.contains(&first) {
            Self::Low
        } else {
            Self::Medium
        }
    }

    /// The word as it is written down.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::High => "HIGH",
            Self::Medium => "MEDIUM",
            Self::Low => "LOW",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl std::str::FromStr for Severity {
    type Err = UnknownSeverity;

    /// Reads one of the three words, for what a user gives; unlike a reviewer's, it must be one.
    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match word.trim().to_ascii_lowercase().as_str() {
            "high" => Ok(Self::High),
            "medium" => Ok(Self::Medium),
            "low" => Ok(Self::Low),
            _ => Err(UnknownSeverity { word: word.to_owned() }),
        }
    }
}

/// A word that is no severity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` is no severity: `high`, `medium` or `low`")]
pub struct UnknownSeverity {
    /// The word.
    pub word: String,
}

impl<'de> Deserialize<'de> for Severity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|word| Self::of_word(&word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_any_case_are_known_and_others_are_medium() {
        for (word, severity) in [
            ("HIGH", Severity::High),
            ("high", Severity::High),
            (" Critical ", Severity::High),
            ("🔴 **BLOCKER**", Severity::High),
            ("High (security)", Severity::High),
            ("MEDIUM", Severity::Medium),
            ("warning", Severity::Medium),
            ("major", Severity::Medium),
            ("not high", Severity::Medium),
            ("", Severity::Medium),
            ("低", Severity::Medium),
            ("Low", Severity::Low),
            ("[nit]", Severity::Low),
            ("info/style", Severity::Low),
        ] {
            assert_eq!(Severity::of_word(word), severity, "{word}");
        }
    }

    #[test]
    fn the_gravest_is_the_greatest() {
        assert!(Severity::High > Severity::Medium && Severity::Medium > Severity::Low);
    }

    #[test]
    fn a_user_must_say_one_of_the_three() {
        assert_eq!("High".parse(), Ok(Severity::High));
        assert_eq!(
            "grave".parse::<Severity>().unwrap_err().to_string(),
            "`grave` is no severity: `high`, `medium` or `low`"
        );
    }
}
