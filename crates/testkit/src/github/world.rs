//! What the stand-in knows: the pull requests of `ada/engine`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// All that the stand-in knows.
#[derive(Clone, Debug)]
pub struct World {
    /// The token that it accepts; `None` accepts any.
    pub token: Option<String>,
    /// The most entries on one page, whatever is asked for.
    pub most_per_page: usize,
    /// The pull requests, by number.
    pub pulls: BTreeMap<u64, PullRequest>,
}

/// A pull request.
#[derive(Clone, Debug)]
pub struct PullRequest {
    /// Its title.
    pub title: String,
    /// Its description.
    pub body: Option<String>,
    /// Whether it is open.
    pub is_open: bool,
    /// The branch that it comes from.
    pub head_ref: String,
    /// The commit that is at.
    pub head_sha: String,
    /// The repository that it comes from: its id and its name.
    pub head_repository: (u64, String),
    /// The address of that repository, as git takes it.
    pub head_address: Option<String>,
    /// The commit that the base is at.
    pub base_sha: String,
    /// The files that it changes, as GitHub tells them.
    pub files: Vec<Value>,
    /// Its reviews, as GitHub tells them.
    pub reviews: Vec<Value>,
}

impl Default for World {
    fn default() -> Self {
        Self { token: None, most_per_page: 100, pulls: BTreeMap::new() }
    }
}

impl World {
    /// The pull request of that number; it is there from the first time that it is asked for.
    pub fn pull(&mut self, number: u64) -> &mut PullRequest {
        self.pulls.entry(number).or_insert_with(|| PullRequest {
            title: "Add a pump".to_owned(),
            body: Some("Adds a pump.".to_owned()),
            is_open: true,
            head_ref: "pump".to_owned(),
            head_sha: sha(1),
            head_repository: (1, "ada/engine".to_owned()),
            head_address: None,
            base_sha: sha(2),
            files: Vec::new(),
            reviews: Vec::new(),
        })
    }
}

impl PullRequest {
    /// Adds a changed file.
    pub fn add_file(&mut self, path: &str, patch: &str) {
        self.files.push(json!({
            "sha": sha(3), "filename": path, "status": "modified", "additions": 1, "deletions": 1,
            "changes": 2, "blob_url": "", "raw_url": "", "contents_url": "", "patch": patch,
        }));
    }

    /// The patch of a file.
    pub(super) fn patch(&self, path: &str) -> Option<&str> {
        self.files.iter().find(|file| file["filename"] == path)?["patch"].as_str()
    }

    /// How GitHub tells it.
    pub(super) fn json(&self, number: u64) -> Value {
        let repository = json!({"id": 1, "full_name": "ada/engine"});
        let (id, name) = &self.head_repository;
        let from = json!({"id": id, "full_name": name, "clone_url": self.head_address});
        json!({
            "number": number,
            "title": self.title,
            "state": if self.is_open { "open" } else { "closed" },
            "draft": false,
            "merged_at": null,
            "user": {"login": "ada"},
            "body": self.body,
            "html_url": format!("https://github.com/ada/engine/pull/{number}"),
            "head": {"ref": self.head_ref, "sha": self.head_sha, "repo": from},
            "base": {"ref": "main", "sha": self.base_sha, "repo": repository},
        })
    }
}

/// A commit's id that is known by its last digit.
fn sha(digit: u8) -> String {
    format!("{digit:040}")
}
