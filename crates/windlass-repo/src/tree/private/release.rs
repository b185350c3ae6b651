//! Gives up the refs of a loop that is removed.

use super::{
    super::{Intended, Repository, Tree, TreeError},
    submodule::Submodule,
};
use crate::git::Call;

impl Tree {
    /// Removes the refs that were kept for a loop, here and in submodules, but for those with commits
    /// that are nowhere else; gives the names of these, as people read them.
    pub async fn release_refs(&self, loop_id: &str) -> Result<Vec<String>, TreeError> {
        let names = self.release_in(&self.repository, loop_id).await?;
        let mut kept: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        for submodule in Submodule::all(&self.repository).unwrap_or_default() {
            let shown = submodule.shown(&self.repository.top);
            let names = self.release_in(&submodule.repository, loop_id).await?;
            kept.extend(names.iter().map(|name| format!("`{name}` in the submodule `{shown}`")));
        }
        Ok(kept)
    }

    async fn release_in(
        &self,
        repository: &Repository,
        loop_id: &str,
    ) -> Result<Vec<String>, TreeError> {
        let call = || repository.call();
        let pattern = format!("refs/windlass/{loop_id}/");
        let listed = call().args(["for-each-ref", "--format=%(objectname) %(refname)"]);
        let output = self.git.run(listed.arg(&pattern)).await?.stdout;
        let (mut kept, mut removed, mut names) = (Vec::new(), String::new(), Vec::new());
        for line in String::from_utf8_lossy(&output).lines() {
            let Some((id, name)) = line.split_once(' ') else { continue };
            let elsewhere = self.git.run(containing(repository, id)).await?;
            if elsewhere.stdout.is_empty() {
                kept.push(name.to_owned());
            } else {
                removed += &format!("delete {name} {id}\n");
                names.push(name.to_owned());
            }
        }
        if !removed.is_empty() {
            // A lock that a killed git leaves in a submodule keeps nobody from anything.
            let is_ours = *repository == self.repository;
            let intent = is_ours.then(|| self.intend(Intended::Refs { names })).transpose()?;
            let update = call().args(["update-ref", "--stdin"]);
            self.git.run(update.stdin(removed.into_bytes())).await?;
            if let Some(intent) = intent {
                self.done(&intent);
            }
        }
        Ok(kept)
    }
}

/// Asks for a ref of the user's that contains a commit: a branch, a tag, or one of a remote.
pub(super) fn containing(repository: &Repository, id: &str) -> Call {
    let call = repository.call().args(["for-each-ref", "--count=1", "--contains", id]);
    let call = call.args(["refs/heads", "refs/tags", "refs/remotes"]);
    // What is no commit is in no branch.
    call.accepting(&[0, 128, 129])
}
