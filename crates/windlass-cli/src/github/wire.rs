//! The JSON of GitHub, as far as windlass reads and writes it.

use serde::{Deserialize, Serialize};
use windlass_core::forge::{self, FileStatus, PullFile, PullState, ReviewPost};

/// A pull request.
#[derive(Debug, Deserialize)]
pub(super) struct Pull {
    pub(super) number: u64,
    pub(super) title: String,
    state: String,
    #[serde(default)]
    draft: bool,
    merged_at: Option<String>,
    user: Option<User>,
    pub(super) body: Option<String>,
    html_url: String,
    pub(super) head: Side,
    pub(super) base: Side,
}

/// One side of a pull request.
#[derive(Debug, Deserialize)]
pub(super) struct Side {
    #[serde(rename = "ref")]
    pub(super) branch: String,
    pub(super) sha: String,
    pub(super) repo: Option<Named>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Named {
    pub(super) id: Option<u64>,
    pub(super) full_name: String,
    #[serde(default)]
    pub(super) clone_url: Option<String>,
}

#[derive(Debug, Deserialize)]
struct User {
    login: String,
}

impl From<Pull> for forge::Pull {
    fn from(pull: Pull) -> Self {
        let state = match (pull.state.as_str(), pull.merged_at) {
            ("open", _) => PullState::Open,
            (_, Some(_)) => PullState::Merged,
            _ => PullState::Closed,
        };
        Self {
            number: pull.number,
            title: pull.title,
            author: pull.user.map_or_else(|| "ghost".to_owned(), |user| user.login),
            state,
            draft: pull.draft,
            base_ref: pull.base.branch,
            base_sha: pull.base.sha,
            head_ref: pull.head.branch,
            head_sha: pull.head.sha,
            is_at_origin: None,
            head_address: pull.head.repo.as_ref().and_then(|repo| repo.clone_url.clone()),
            head_repository: pull.head.repo.map(|repo| repo.full_name),
            body: pull.body,
            url: pull.html_url,
        }
    }
}

/// A file of a pull request.
#[derive(Debug, Deserialize)]
pub(super) struct File {
    filename: String,
    status: FileStatus,
    previous_filename: Option<String>,
    patch: Option<String>,
}

impl From<File> for PullFile {
    fn from(file: File) -> Self {
        Self {
            path: file.filename,
            status: file.status,
            previous_path: file.previous_filename,
            patch: file.patch,
        }
    }
}

/// A review that is there.
#[derive(Debug, Deserialize)]
pub(super) struct Review {
    pub(super) id: u64,
    #[serde(default)]
    pub(super) body: Option<String>,
    pub(super) html_url: String,
}

/// A review to be made.
#[derive(Debug, Serialize)]
pub(super) struct NewReview<'a> {
    commit_id: &'a str,
    event: &'static str,
    pub(super) body: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) comments: Vec<NewComment>,
}

/// A comment beside lines, as they are after the change.
#[derive(Debug, Serialize)]
pub(super) struct NewComment {
    path: String,
    body: String,
    line: u32,
    side: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_side: Option<&'static str>,
}

impl<'a> NewReview<'a> {
    /// The review of a post; `clean` goes over every text.
    pub(super) fn new(post: &'a ReviewPost, body: String, clean: impl Fn(&str) -> String) -> Self {
        const AFTER: &str = "RIGHT";
        let comments = post.comments.iter().map(|comment| NewComment {
            path: comment.path.clone(),
            body: clean(&comment.body),
            line: comment.line,
            side: AFTER,
            start_line: comment.start_line,
            start_side: comment.start_line.map(|_| AFTER),
        });
        let event = post.event.word();
        Self { commit_id: &post.commit, event, body, comments: comments.collect() }
    }
}

/// A change of a pull request.
#[derive(Debug, Default, Serialize)]
pub(super) struct Edit<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) body: Option<&'a str>,
}

/// What GitHub says where it does not do it.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Refusal {
    #[serde(default)]
    pub(super) message: String,
    #[serde(default)]
    pub(super) errors: Vec<serde_json::Value>,
}
