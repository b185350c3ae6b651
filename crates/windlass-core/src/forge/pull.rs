//! A pull request and its files, as plain data that can be written down.

use serde::{Deserialize, Serialize};

/// A pull request, as it was when it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pull {
    /// Its number.
    pub number: u64,
    /// Its title.
    pub title: String,
    /// Who opened it; `ghost` where the account is gone.
    pub author: String,
    /// Whether it is open.
    pub state: PullState,
    /// Whether it is a draft.
    #[serde(default)]
    pub draft: bool,
    /// The branch that it is to go into.
    pub base_ref: String,
    /// The commit that branch is at.
    pub base_sha: String,
    /// The branch that it comes from.
    pub head_ref: String,
    /// The commit that branch is at.
    pub head_sha: String,
    /// The repository that it comes from, `OWNER/NAME`; `None` where that is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_repository: Option<String>,
    /// The address of that repository, as git takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_address: Option<String>,
    /// Whether `origin` is that repository, as far as that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_at_origin: Option<bool>,
    /// Its description; `None` where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Where people look at it.
    pub url: String,
}

/// Whether a pull request is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PullState {
    /// It is.
    #[default]
    Open,
    /// It was closed, and its changes are nowhere.
    Closed,
    /// Its changes are in.
    Merged,
}

/// A file that a pull request changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PullFile {
    /// Its path, from the top of the repository.
    pub path: String,
    /// What became of it.
    #[serde(default)]
    pub status: FileStatus,
    /// The path that it had before, where it was renamed or copied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_path: Option<String>,
    /// What changed in it, as hunks of a unified diff; `None` where it is not text or too long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<String>,
}

/// What became of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It has another path.
    Renamed,
    /// It is a copy of another.
    Copied,
    /// Its mode was changed.
    Changed,
    /// It stayed as it was.
    Unchanged,
    /// It was changed; also whatever a forge says in a word that is not known.
    #[default]
    #[serde(other)]
    Modified,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_that_is_not_known_yet_counts_as_modified() {
        let file: PullFile = serde_json::from_str(r#"{"path":"a","status":"blessed"}"#).unwrap();
        assert_eq!(file.status, FileStatus::Modified);
        let file: PullFile = serde_json::from_str(r#"{"path":"a","status":"removed"}"#).unwrap();
        assert_eq!(file.status, FileStatus::Removed);
    }
}
