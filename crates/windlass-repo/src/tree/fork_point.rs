//! What a branch is compared with: the point where it left its base.

use serde::{Deserialize, Serialize};

use super::{Tree, TreeError};
use crate::git::GitError;

/// Where to look for the base of a branch that nobody named.
const USUAL: [&str; 5] = [
    "refs/remotes/origin/HEAD",
    "refs/heads/main",
    "refs/heads/master",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
];

/// What a branch is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Base {
    /// What people call it.
    pub name: String,
    /// The tree at the point where the branch left it; `None` where there is no commit yet.
    pub tree: Option<String>,
    /// The commit at that point.
    pub commit: Option<String>,
}

impl Tree {
    /// The base of what is checked out: the first that is there of those that are wanted; where
    /// nothing is, the usual branch, else HEAD, which leaves what is not committed.
    pub async fn base(&self, wanted: &[String]) -> Result<Base, TreeError> {
        let Some(head) = self.head().await?.1 else {
            if let Some(name) = wanted.last() {
                return Err(TreeError::NoSuchCommit { name: name.to_owned() });
            }
            let name = "an empty repository".to_owned();
            return Ok(Base { name, tree: None, commit: None });
        };
        let usual = USUAL.map(str::to_owned);
        for reference in if wanted.is_empty() { &usual[..] } else { wanted } {
            match self.commit_id(reference).await {
                Ok(commit) => return self.left(short(reference), &commit, &head).await,
                Err(TreeError::NoSuchCommit { .. }) => (),
                Err(error) => return Err(error),
            }
        }
        if let Some(name) = wanted.last() {
            return Err(TreeError::NoSuchCommit { name: name.clone() });
        }
        self.base_at("the last commit", &head).await
    }

    /// A base at a commit, whose files are kept: what is compared with it later must not depend on
    /// what becomes of them in the repository.
    async fn base_at(&self, name: &str, commit: &str) -> Result<Base, TreeError> {
        let tree = self.tree_of(commit).await?;
        self.keep_tree(&tree).await?;
        Ok(Base { name: name.to_owned(), tree: Some(tree), commit: Some(commit.to_owned()) })
    }

    /// The point where `head` left `commit`; without one in common, `commit` itself.
    async fn left(&self, name: &str, commit: &str, head: &str) -> Result<Base, TreeError> {
        let call = self.in_repository().args(["merge-base", "--end-of-options", commit, head]);
        let output = self.git.run(call.accepting(&[0, 1])).await?;
        let common = last_line(&output.stdout);
        let point = if common.is_empty() { commit } else { &common };
        self.base_at(name, point).await
    }

    pub(super) async fn tree_of(&self, commit: &str) -> Result<String, TreeError> {
        let peeled = format!("{commit}^{{tree}}");
        let call = self.in_repository().args(["rev-parse", "--verify", "--quiet"]);
        match self.git.run(call.args(["--end-of-options", &peeled])).await {
            Err(GitError::Failed { .. }) => {
                Err(TreeError::NoSuchCommit { name: commit.to_owned() })
            }
            // It repeats the marker on its output, so the id is the last line.
            output => Ok(last_line(&output?.stdout)),
        }
    }
}

/// What people call a reference.
fn short(reference: &str) -> &str {
    let name = reference.trim_start_matches("refs/heads/");
    name.trim_start_matches("refs/remotes/").trim_end_matches("/HEAD")
}

fn last_line(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    text.trim().lines().next_back().unwrap_or_default().to_owned()
}
