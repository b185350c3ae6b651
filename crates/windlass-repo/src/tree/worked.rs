//! What became of a loop's work in the user's repository, as local refs and files tell it now: the commits
//! since its start, whether a remote has them, and which of its files are not committed. It only looks.

use std::{collections::BTreeSet, ffi::OsStr, os::unix::ffi::OsStrExt, path::PathBuf};

use serde::{Deserialize, Serialize};
use windlass_core::tree::Snapshot;

use super::{
    Tree, TreeError,
    dirty::paths,
    listing::RawPath,
    repository::object_id,
    shown,
    tracked::{Tracked, TrackedPaths},
};
use crate::git::{Call, GitError};

/// How many commits and files are named.
const MOST: usize = 500;

/// A commit in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitLine {
    /// Its id.
    pub id: String,
    /// The first line of its message.
    pub subject: String,
    /// Whether a remote-tracking branch has it.
    pub pushed: bool,
}

/// What became of a loop's work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worked {
    /// The branch that is checked out now, without `refs/heads/`.
    pub branch: Option<String>,
    /// The commits that were made between two snapshots, oldest first.
    pub commits: Vec<CommitLine>,
    /// The remote-tracking branches that have the last of them.
    pub on_remotes: Vec<String>,
    /// The files that differ between the snapshots.
    pub changed: Vec<String>,
    /// Files that differ between the snapshots, were as committed before, and are not committed now.
    pub uncommitted: Vec<String>,
    /// The same of files that were not as committed before: whose work is whose cannot be told apart.
    pub changed_before: Vec<String>,
    /// Whether a path cannot be written on a line, or there are too many of them.
    pub is_cut: bool,
}

impl Tree {
    /// What became of the work between two snapshots.
    pub async fn worked(&self, from: &Snapshot, to: &Snapshot) -> Result<Worked, TreeError> {
        let (branch, head) = self.head_of_work().await?;
        let commits = self.commits_between(from.head.as_deref(), to.head.as_deref()).await?;
        let on_remotes = match commits.last() {
            Some(last) => self.remotes_with(&last.id).await?,
            None => Vec::new(),
        };
        let mut worked = Worked { branch, commits, on_remotes, ..Worked::default() };
        let changed = self.raw_changes(&from.tree, &to.tree).await?;
        let changed: BTreeSet<RawPath> = changed.into_iter().map(|change| change.path).collect();
        worked.changed = changed.iter().map(|path| shown(path)).collect();
        let before = self.uncommitted_at(from).await?;
        for path in self.still_uncommitted(changed, head.as_deref()).await? {
            let is_plain = std::str::from_utf8(&path).is_ok_and(is_plain);
            let list = match before.contains(&path) {
                true => &mut worked.changed_before,
                false => &mut worked.uncommitted,
            };
            match list.len() < MOST && is_plain {
                true => list.push(shown(&path)),
                false => worked.is_cut = true,
            }
        }
        Ok(worked)
    }

    /// The tops of all work trees of the repository, the main one first.
    pub async fn worktrees(&self) -> Result<Vec<PathBuf>, TreeError> {
        let call = self.in_repository().args(["worktree", "list", "--porcelain", "-z"]);
        let listed = self.among_worktrees(call).await?.stdout;
        let top = |line: RawPath| {
            let path = line.strip_prefix(b"worktree ")?;
            Some(PathBuf::from(OsStr::from_bytes(path)))
        };
        Ok(paths(&listed).filter_map(top).collect())
    }

    /// The commits after `from` up to `to`, oldest first; none where one of them is gone.
    async fn commits_between(
        &self,
        from: Option<&str>,
        to: Option<&str>,
    ) -> Result<Vec<CommitLine>, TreeError> {
        let id = |text: &str| object_id(text.as_bytes());
        let Some(to) = to.and_then(id).filter(|to| Some(to.as_str()) != from) else {
            return Ok(Vec::new());
        };
        let without = from.and_then(id).map(|from| format!("^{from}"));
        let range = || self.in_repository().args(["rev-list", "--reverse", "--topo-order"]);
        let listed = range().args(["--format=%H%x09%s", &to]).args(without.clone());
        let listed = self.lines(listed).await?;
        let unpushed = range().arg(&to).args(without).args(["--not", "--remotes"]);
        let unpushed: BTreeSet<String> = self.lines(unpushed).await?.into_iter().collect();
        let line = |line: &String| {
            let (id, subject) = line.split_once('\t')?;
            let (id, subject) = (id.to_owned(), subject.to_owned());
            let pushed = !unpushed.contains(&id);
            Some(CommitLine { id, subject, pushed })
        };
        Ok(listed.iter().filter_map(line).collect())
    }

    async fn remotes_with(&self, commit: &str) -> Result<Vec<String>, TreeError> {
        let call = self.in_repository().args(["for-each-ref", "--format=%(refname:lstrip=2)"]);
        let names = self.lines(call.args(["--contains", commit, "refs/remotes/"])).await?;
        Ok(names.into_iter().filter(|name| !name.ends_with("/HEAD")).collect())
    }

    /// What git prints, line by line; nothing where it does not know the commit.
    async fn lines(&self, call: Call) -> Result<Vec<String>, TreeError> {
        match self.git.run(call).await {
            Ok(output) => {
                Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
            }
            Err(GitError::Failed { .. }) => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }

    /// The paths that a snapshot has otherwise than the commit that HEAD was at.
    async fn uncommitted_at(&self, snapshot: &Snapshot) -> Result<BTreeSet<RawPath>, TreeError> {
        let Some(head) = &snapshot.head else { return self.paths_of(&snapshot.tree).await };
        let changes = match self.tree_of(head).await {
            Ok(tree) => self.raw_changes(&tree, &snapshot.tree).await?,
            // The commit is gone, and with it what was committed then.
            Err(_) => return self.paths_of(&snapshot.tree).await,
        };
        Ok(changes.into_iter().map(|change| change.path).collect())
    }

    /// Those of these paths that are not in the commit at HEAD as they are in the work tree.
    async fn still_uncommitted(
        &self,
        changed: BTreeSet<RawPath>,
        head: Option<&str>,
    ) -> Result<Vec<RawPath>, TreeError> {
        if changed.is_empty() {
            return Ok(Vec::new());
        }
        let differing = self.differing(head).await?;
        let tracked = TrackedPaths::read(&self.git, &self.own, &self.repository).await?;
        let is_new = |path: &RawPath| {
            let is_tracked =
                matches!(tracked.get(path), Some(Tracked::File { dropped: false, .. }));
            let file = self.repository.top.join(OsStr::from_bytes(path));
            !is_tracked && file.symlink_metadata().is_ok()
        };
        let is_open = |path: &RawPath| differing.contains(path) || is_new(path);
        Ok(changed.into_iter().filter(is_open).collect())
    }
}

/// Whether a path can stand on a line.
fn is_plain(path: &str) -> bool {
    !path.chars().any(char::is_control)
}
