//! Moves the user's branch, or a HEAD that is on none, to where the agent has it: forward only, with
//! the index, if it is where it was.

use super::{
    super::{
        super::{IndexChange, Intended, Tree, TreeError, shown},
        counterpart::Counterpart,
        parts::Parts,
        refs::{Head, Refs},
    },
    index::IndexChanges,
};
use crate::git::GitError;

/// What became of the user's branch.
pub(super) enum Followed {
    /// The branch, and the commit that it is at.
    Moved(String, String),
    /// Why it did not move.
    Not(String),
    /// There was nothing to do.
    Nothing,
}

impl Tree {
    /// Moves the user's branch, or a HEAD that is on none, to where the agent has it.
    pub(super) async fn follow(
        &self,
        place: &Counterpart,
        refs: &Refs,
        parts: &Parts<'_>,
    ) -> Result<Followed, TreeError> {
        let (branch, commit) = self.head().await?;
        // A HEAD on no branch follows the agent onto a branch, without being on it.
        let theirs = branch.as_deref().or(match &refs.head {
            Head::Branch(name) => Some(name),
            Head::Detached(_) | Head::Unknown => None,
        });
        let new = match (theirs, &refs.head) {
            (Some(name), _) => refs.ids.get(name),
            (None, Head::Detached(id)) => Some(id),
            (None, Head::Branch(_) | Head::Unknown) => None,
        };
        let Some(new) = new.filter(|new| Some(*new) != commit.as_ref()) else {
            return Ok(Followed::Nothing);
        };
        let name = branch.as_deref().unwrap_or("HEAD");
        let kept = place.name_of(theirs.unwrap_or("HEAD"));
        let short = name.strip_prefix("refs/heads/").unwrap_or(name);
        let not = |why: &str| {
            Followed::Not(format!(
                "`{short}` stays where it is: {why}; the agent's commits are at `{kept}`"
            ))
        };
        if let Some(commit) = &commit
            && !self.follows(commit, new).await?
        {
            let is_behind = self.follows(new, commit).await?;
            let why = "the agent's commits do not follow the last one of yours";
            return Ok(if is_behind { Followed::Nothing } else { not(why) });
        }
        let old = commit.as_deref();
        let changes = match self.may_follow(old, new, parts).await? {
            Ok(changes) => changes,
            Err(why) => return Ok(not(&why)),
        };
        let entries = self.in_users_index(&changes).await?;
        match self.place((name, branch.clone()), old, new, entries).await {
            Ok(()) => Ok(Followed::Moved(short.to_owned(), new.clone())),
            Err(TreeError::Git(GitError::Failed { .. })) => Ok(not("it was moved meanwhile")),
            Err(error) => Err(error),
        }
    }

    /// What differs between two commits; or why the user's branch must not go from one to the other.
    async fn may_follow(
        &self,
        old: Option<&str>,
        new: &str,
        parts: &Parts<'_>,
    ) -> Result<Result<IndexChanges, String>, TreeError> {
        if !self.is_checked_out() {
            return Ok(Err("it is not checked out in your work tree".to_owned()));
        }
        if let Some(what) = self.repository.under_way() {
            return Ok(Err(format!("a {what} is under way in your repository")));
        }
        let changes = self.index_changes(old, new).await?;
        if let Some(path) = &changes.nested {
            return Ok(Err(format!(
                "they add a repository inside of it, `{path}`, which your git would enter"
            )));
        }
        Ok(match self.missing_in(&changes, parts).await? {
            Some(path) => {
                Err(format!("they name a commit of the submodule `{path}` that you do not have"))
            }
            None => Ok(changes),
        })
    }

    /// A submodule that has not got the commit which is named for it.
    async fn missing_in(
        &self,
        changes: &IndexChanges,
        parts: &Parts<'_>,
    ) -> Result<Option<String>, TreeError> {
        for (path, id) in changes.submodules() {
            let top = self.repository.top.join(path);
            let is_there = |(tree, _): &&(Self, Counterpart)| tree.repository.top == top;
            let Some((tree, _)) = parts.submodules.iter().find(is_there) else { continue };
            let commit = format!("{id}^{{commit}}");
            let call = tree.in_repository().args(["cat-file", "-e", &commit]);
            if tree.git.run(call.accepting(&[0, 1, 128])).await?.code != Some(0) {
                return Ok(Some(shown(path.as_os_str().as_encoded_bytes())));
            }
        }
        Ok(None)
    }

    /// Brings the user's index to a commit and then the branch, which is written down before.
    async fn place(
        &self,
        (name, branch): (&str, Option<String>),
        old: Option<&str>,
        new: &str,
        entries: Vec<IndexChange>,
    ) -> Result<(), TreeError> {
        let mark = format!("windlass commit {new}\n");
        let change = Intended::Commit {
            mark: mark.clone(),
            branch,
            id: new.to_owned(),
            entries: entries.clone(),
        };
        let intent = self.intend(change)?;
        let wanted: Vec<_> =
            entries.iter().map(|entry| (entry.path.as_path(), entry.after.as_ref())).collect();
        let placed = async {
            self.set_entries(&mark, &wanted).await?;
            Ok(self.move_head_to(name, old, new).await?)
        };
        let placed = placed.await;
        // What cannot be undone now is undone later.
        if placed.is_ok() || self.settle_index(&mark, &entries).await.is_ok() {
            self.done(&intent);
        }
        placed
    }

    async fn move_head_to(&self, name: &str, old: Option<&str>, new: &str) -> Result<(), GitError> {
        let zero = self.own.zero_id();
        let call =
            self.in_repository().args(["update-ref", "-m", "windlass: what the agent committed"]);
        let call = if name == "HEAD" { call.arg("--no-deref") } else { call };
        let call = call.args(["--end-of-options", name, new, old.unwrap_or(&zero)]);
        self.git.run(call).await.map(|_| ())
    }
}
