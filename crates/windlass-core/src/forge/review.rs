//! A review on its way to a pull request, and what came of it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A review to be posted, all decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewPost {
    /// The pull request.
    pub number: u64,
    /// The commit that was audited. If the head is another one, nothing is posted.
    pub commit: String,
    /// What it says beside its words.
    pub event: ReviewEvent,
    /// Its words, in Markdown; what came from an agent in it was made harmless before.
    pub body: String,
    /// Words that stand beside lines.
    #[serde(default)]
    pub comments: Vec<InlineComment>,
    /// What it is known again by.
    pub marker: MarkerKey,
}

/// What a review says beside its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewEvent {
    /// Nothing.
    #[default]
    Comment,
    /// That the changes may go in.
    Approve,
    /// That they may not.
    RequestChanges,
}

impl ReviewEvent {
    /// What the forge calls it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Comment => "COMMENT",
            Self::Approve => "APPROVE",
            Self::RequestChanges => "REQUEST_CHANGES",
        }
    }
}

/// Words beside a line, or beside several lines of one hunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InlineComment {
    /// The file.
    pub path: String,
    /// The last line, as it is after the change.
    pub line: u32,
    /// The first line, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_line: Option<u32>,
    /// The words.
    pub body: String,
}

/// A review that is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Posted {
    /// Where people look at it.
    pub url: String,
    /// Its id.
    pub id: u64,
    /// Whether it was there already, or was found only by reading back after a lost answer.
    pub found_again: bool,
    /// Whether the words beside lines had to go into the body, for the forge refused their places.
    #[serde(default)]
    pub folded: bool,
}

/// A review that was posted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostedReview {
    /// `APPROVE`, `COMMENT` or `REQUEST_CHANGES`.
    pub event: String,
    /// The commit that was audited.
    pub commit: String,
    /// Where people look at it.
    pub url: String,
    /// Why it is no approval; `None` where it is one.
    pub why: Option<String>,
}

/// What one post is known again by: the loop's id, and what else tells it from its other posts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct MarkerKey(String);

impl MarkerKey {
    /// A key of letters, digits, `.`, `_` and `-`; any other character becomes `-`.
    #[must_use]
    pub fn new(key: &str) -> Self {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._".contains(c) { c } else { '-' };
        // Two dashes end a comment in some readers of HTML.
        let mut key: String = key.chars().map(plain).collect();
        while key.contains("--") {
            key = key.replace("--", "-");
        }
        Self(key.trim_matches('-').to_owned())
    }

    /// The marker as it stands in a body, where people do not see it.
    #[must_use]
    pub fn comment(&self) -> String {
        format!("<!-- windlass:review {} -->", self.0)
    }

    /// Whether a body has this marker.
    #[must_use]
    pub fn is_in(&self, body: &str) -> bool {
        body.contains(&self.comment())
    }
}

impl From<String> for MarkerKey {
    fn from(key: String) -> Self {
        Self::new(&key)
    }
}

impl From<MarkerKey> for String {
    fn from(key: MarkerKey) -> Self {
        key.0
    }
}

impl fmt::Display for MarkerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_gets_out_of_its_comment() {
        let key = MarkerKey::new("brave-otter --> <b> 3");
        assert_eq!(key.comment(), "<!-- windlass:review brave-otter-b-3 -->");
        assert!(key.is_in("words\n\n<!-- windlass:review brave-otter-b-3 -->\n"));
        assert!(!MarkerKey::new("brave-otter-b").is_in(&key.comment()));
        let stored = serde_json::to_string(&key).unwrap();
        assert_eq!(stored, "\"brave-otter-b-3\"");
        assert_eq!(serde_json::from_str::<MarkerKey>(&stored).unwrap(), key);
    }
}
