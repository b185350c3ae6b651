//! Repositories of windlass's own in which the head of a pull request is audited, and the user's files
//! while that happens.

use std::path::Path;

use windlass_repo::tree::TreeError;

use super::{
    Files, Tree,
    call::{RawPath, TreeCall},
};

impl Tree {
    /// Makes a repository of windlass's own at `path`, which borrows from this one.
    pub(crate) async fn make_apart(&self, path: &Path) -> Result<(), TreeError> {
        self.line.ask(TreeCall::MakeApart { path: RawPath::of(path) }).await
    }

    /// Checks a commit out, in a work tree in which nobody has worked yet.
    pub(crate) async fn start_at(&self, commit: &str, detach: bool) -> Result<(), TreeError> {
        self.line.ask(TreeCall::StartAt { commit: commit.to_owned(), detach }).await
    }

    /// Has the base of a pull request be at a commit, in a repository of windlass's own.
    pub(crate) async fn set_base(&self, branch: &str, commit: &str) -> Result<(), TreeError> {
        let (branch, commit) = (branch.to_owned(), commit.to_owned());
        self.line.ask(TreeCall::SetBase { branch, commit }).await
    }

    /// Whether a commit is another one, or comes before it.
    pub(crate) async fn is_before(&self, one: &str, other: &str) -> Result<bool, TreeError> {
        let [one, other] = [one, other].map(str::to_owned);
        self.line.ask(TreeCall::IsBefore { one, other }).await
    }

    /// The files of another place.
    pub(crate) async fn files_at(&self, directory: &Path) -> Result<Files, TreeError> {
        Ok(Box::pin(self.opening.open(directory)).await?.files)
    }
}
