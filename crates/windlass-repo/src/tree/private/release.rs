//! Gives up the refs of a loop that is removed.

use super::super::{Intended, Tree, TreeError};

impl Tree {
    /// Removes the refs that were kept for a loop, but for those with commits that are nowhere else;
    /// gives the names of these.
    pub async fn release_refs(&self, loop_id: &str) -> Result<Vec<String>, TreeError> {
        let pattern = format!("refs/windlass/{loop_id}/");
        let call = self.in_repository().args(["for-each-ref", "--format=%(objectname) %(refname)"]);
        let output = self.git.run(call.arg(&pattern)).await?.stdout;
        let (mut kept, mut removed, mut names) = (Vec::new(), String::new(), Vec::new());
        for line in String::from_utf8_lossy(&output).lines() {
            let Some((id, name)) = line.split_once(' ') else { continue };
            let call = self.in_repository().args(["for-each-ref", "--count=1", "--contains", id]);
            let call = call.args(["refs/heads", "refs/tags", "refs/remotes"]);
            // What is no commit is in no branch.
            let elsewhere = self.git.run(call.accepting(&[0, 128, 129])).await?;
            if elsewhere.stdout.is_empty() {
                kept.push(name.to_owned());
            } else {
                removed += &format!("delete {name} {id}\n");
                names.push(name.to_owned());
            }
        }
        if !removed.is_empty() {
            let intent = self.intend(Intended::Refs { names })?;
            let call = self.in_repository().args(["update-ref", "--stdin"]);
            self.git.run(call.stdin(removed.into_bytes())).await?;
            self.done(&intent);
        }
        Ok(kept)
    }
}
