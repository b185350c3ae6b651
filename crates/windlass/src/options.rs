//! Options that several loop kinds share. They serve argv, config files and the loop itself; the
//! doc comments are the help texts. `Default` is what `default.toml` of the program documents, and
//! a test holds the two together.

use std::{fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A duration as people write it: `90s`, `15m`, `6h`, `250ms`, or a number of seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(pub Duration);

impl Span {
    /// A span of so many seconds.
    pub const fn seconds(seconds: u64) -> Self {
        Self(Duration::from_secs(seconds))
    }

    /// A span of so many minutes.
    pub const fn minutes(minutes: u64) -> Self {
        Self(Duration::from_secs(minutes * 60))
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let wrong = || format!("expected a duration such as `90s`, `15m` or `6h`, found `{text}`");
        let number: u64 = number.parse().map_err(|_| wrong())?;
        let duration = match unit.trim() {
            "ms" => Some(Duration::from_millis(number)),
            "" | "s" => Some(Duration::from_secs(number)),
            "m" => number.checked_mul(60).map(Duration::from_secs),
            "h" => number.checked_mul(3600).map(Duration::from_secs),
            _ => return Err(wrong()),
        };
        duration.map(Self).ok_or_else(wrong)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0.as_millis();
        if ms == 0 {
            write!(f, "0s")
        } else if ms.is_multiple_of(3_600_000) {
            write!(f, "{}h", ms / 3_600_000)
        } else if ms.is_multiple_of(60_000) {
            write!(f, "{}m", ms / 60_000)
        } else if ms.is_multiple_of(1000) {
            write!(f, "{}s", ms / 1000)
        } else {
            write!(f, "{ms}ms")
        }
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Seconds(u64),
            Text(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Seconds(seconds) => Ok(Self::seconds(seconds)),
            Written::Text(text) => text.parse().map_err(de::Error::custom),
        }
    }
}

/// What a claim is and what proves it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Proof {
    /// A command that must pass before a claim is accepted; windlass runs it itself
    ///
    /// Repeat it for several. Each runs by `sh -c` in the loop's directory, on exactly the tree
    /// that the claim is about. The output of one that fails goes into the next prompt.
    #[cfg_attr(feature = "clap", arg(long = "check", value_name = "CMD"))]
    pub checks: Vec<String>,

    /// How long one check may take
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    pub check_timeout: Span,

    /// Files that the agent must leave as they are: while one differs, claims are rejected
    ///
    /// A glob such as `tests/**`; repeat it for several.
    #[cfg_attr(feature = "clap", arg(long, value_name = "GLOB"))]
    pub protect: Vec<String>,

    /// Do not protect the files that a check's command names
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_protect_checks: bool,

    /// The words that claim: `<promise>TEXT</promise>` on a line of its own; empty: a clean exit
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "TEXT", visible_alias = "completion-promise")
    )]
    pub promise: String,

    /// Where the promise counts: as a tag, or as words anywhere in the output
    #[cfg_attr(feature = "clap", arg(long, value_name = "HOW"))]
    pub promise_match: PromiseMatch,
}

impl Default for Proof {
    fn default() -> Self {
        Self {
            checks: Vec::new(),
            check_timeout: Span::minutes(30),
            protect: Vec::new(),
            no_protect_checks: false,
            promise: "COMPLETE".to_owned(),
            promise_match: PromiseMatch::Tag,
        }
    }
}

/// Where the promise counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum PromiseMatch {
    /// As a tag alone on a line, or at the end of the last one
    #[default]
    Tag,
    /// As words anywhere in the output, upper or lower case
    Text,
}

/// How long a session may take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Pace {
    /// How long one session may take; 0 is no limit
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    pub timeout: Span,

    /// How long a session may go without output; 0 is no limit
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    pub idle_timeout: Span,

    /// How long processes have between TERM and KILL
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    pub grace: Span,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            timeout: Span::minutes(60),
            idle_timeout: Span::minutes(15),
            grace: Span::seconds(5),
        }
    }
}

/// When to give up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Rules {
    /// Iterations before giving up; 0 is no limit
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", visible_alias = "max-loops"))]
    pub max_iterations: u32,

    /// Failed sessions in a row before giving up; 0 is no limit
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub failure_threshold: u32,
}

impl Default for Rules {
    fn default() -> Self {
        Self { max_iterations: 20, failure_threshold: 5 }
    }
}

/// What the loop does with git, apart from its snapshots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct GitOptions {
    /// Commit after each iteration what it changed, never files that were dirty before the loop
    #[cfg_attr(feature = "clap", arg(long))]
    pub auto_commit: bool,

    /// The commit message; `{iteration}`, `{name}` and `{id}` are filled in
    #[cfg_attr(feature = "clap", arg(long, value_name = "TEMPLATE"))]
    pub commit_template: String,

    /// Create a branch for the loop and stay on it
    #[cfg_attr(feature = "clap", arg(long))]
    pub create_branch: bool,

    /// The branch's name; `{timestamp}`, `{name}` and `{id}` are filled in
    #[cfg_attr(feature = "clap", arg(long, value_name = "TEMPLATE"))]
    pub branch_template: String,

    /// Run in a worktree of its own, on a new or existing branch
    #[cfg_attr(feature = "clap", arg(long, value_name = "BRANCH[:BASE]"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktree: Option<String>,
}

impl Default for GitOptions {
    fn default() -> Self {
        Self {
            auto_commit: false,
            commit_template: "loop: iteration {iteration}".to_owned(),
            create_branch: false,
            branch_template: "loop/{timestamp}".to_owned(),
            worktree: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_reads_what_people_write_and_writes_it_back() {
        for (text, seconds) in [("90s", 90), ("15m", 900), ("6h", 21_600), ("45", 45), ("0", 0)] {
            assert_eq!(text.parse::<Span>(), Ok(Span::seconds(seconds)), "{text}");
        }
        for span in [Span::seconds(90), Span::minutes(15), Span(Duration::from_millis(250))] {
            assert_eq!(span.to_string().parse::<Span>(), Ok(span));
        }
        for text in ["", "s", "5x", "-1", "1.5h", "99999999999999999h"] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
    }
}
