//! The work tree and its history, asked of the helper.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use windlass_core::{ids::LoopId, text::patch::DiffReport, tree::Snapshot};
use windlass_repo::{
    differ::DiffError,
    tree::{
        Base, Changed, Committed, Compacted, Intent, Joined, Known, Lines, PrivatePlace, PutBack,
        Repository, Restored, TreeError, Worked, Worktree, snapshot_progress,
    },
};

use super::{
    Line,
    call::{BranchCall, Call, FileCall, IntentCall, PrivateCall, RawPath, Recorded, TreeCall},
    open::Opening,
};

/// The work tree of a repository. Calls that change it need the work tree's lock.
pub(crate) struct Tree {
    pub(super) line: Line,
    pub(super) repository: Repository,
    /// The committer's name and address.
    pub(super) committer: (Option<String>, Option<String>),
    /// What commits pass over that the user has set up.
    pub(super) unheeded: Option<String>,
    /// Where agents have a git directory of their own, if they can.
    pub(super) private: Option<PrivatePlace>,
    /// How it was opened, for the other work trees of the repository.
    pub(super) opening: Opening,
}

impl Tree {
    /// The top of the work tree.
    pub(crate) fn top(&self) -> &Path {
        &self.repository.top
    }

    /// Its git directory, and the one that all work trees of the repository share.
    pub(crate) fn git_directories(&self) -> [&Path; 2] {
        [&self.repository.git_dir, &self.repository.common_dir]
    }

    /// The committer's name and address, as the user's config has them.
    pub(crate) fn committer(&self) -> (Option<&str>, Option<&str>) {
        (self.committer.0.as_deref(), self.committer.1.as_deref())
    }

    /// What commits of windlass pass over that the user has set up, in words.
    pub(crate) fn unheeded_by_commits(&self) -> Option<&str> {
        self.unheeded.as_deref()
    }

    /// Removes the refs that were kept for a loop; gives those that hold what is nowhere else.
    pub(crate) async fn release_refs(&self, id: &LoopId) -> Result<Vec<String>, TreeError> {
        self.line.ask(PrivateCall::Release { loop_id: id.as_str().to_owned() }).await
    }

    /// Cleans up what a killed loop left. Needs the work tree's lock.
    pub(crate) async fn clear(&self) -> Result<(), TreeError> {
        self.line.ask(TreeCall::Clear).await
    }

    /// Finishes or undoes what a killed process had begun; gives how the agent's files came back. Only for
    /// a process that holds the work tree's lock.
    pub(crate) async fn settle(&self, intent: &Intent) -> Result<PutBack, TreeError> {
        self.line.ask(IntentCall::Settle { intent: intent.clone() }).await
    }

    /// Has the rules of now decide what counts, until the next loop begins here.
    pub(crate) async fn begin_loop(&self) -> Result<(), TreeError> {
        self.line.ask(TreeCall::BeginLoop).await
    }

    /// Frees what none of these objects needs of the snapshots of this repository.
    pub(crate) async fn compact(&self, keep: &BTreeSet<String>) -> Result<Compacted, TreeError> {
        self.line.ask(TreeCall::Compact { keep: keep.clone() }).await
    }

    /// The work tree as it is now.
    pub(crate) async fn snapshot(&self) -> Result<Snapshot, TreeError> {
        self.line.ask(TreeCall::Snapshot).await
    }

    /// The work tree as it is now, with the programs in these directories.
    pub(crate) async fn record(&self, directories: &[PathBuf]) -> Result<Recorded, TreeError> {
        let directories = directories.iter().map(|path| RawPath::of(path)).collect();
        self.line.ask(Call::Record { directories }).await
    }

    /// How far the snapshot is that is being taken.
    pub(crate) fn snapshot_progress(&self) -> Option<String> {
        snapshot_progress(&self.opening.home, self.top())
    }

    /// What changed, as far as progress goes.
    pub(crate) async fn changed(
        &self,
        from: &Snapshot,
        to: &Snapshot,
    ) -> Result<Changed, TreeError> {
        self.line.ask(TreeCall::Changed { from: from.clone(), to: to.clone() }).await
    }

    /// How many paths differ.
    pub(crate) async fn count_changes(
        &self,
        from: &Snapshot,
        to: &Snapshot,
    ) -> Result<usize, TreeError> {
        self.line.ask(TreeCall::CountChanges { from: from.clone(), to: to.clone() }).await
    }

    /// What changed of the files that were there already in `base`.
    pub(crate) async fn existing_changed(
        &self,
        base: &Snapshot,
        from: &Snapshot,
        to: &Snapshot,
    ) -> Result<Changed, TreeError> {
        let (base, from, to) = (base.clone(), from.clone(), to.clone());
        self.line.ask(TreeCall::ExistingChanged { base, from, to }).await
    }

    /// The difference as people and patches have it.
    pub(crate) async fn patch(&self, from: &Snapshot, to: &Snapshot) -> Result<Vec<u8>, TreeError> {
        let call = TreeCall::Patch { from: from.clone(), to: to.clone() };
        let answer: Result<((), Vec<u8>), TreeError> = self.line.ask_for_bytes(call).await;
        Ok(answer?.1)
    }

    /// The paths that differ from the last commit.
    pub(crate) async fn dirty_paths(
        &self,
        snapshot: &Snapshot,
    ) -> Result<BTreeSet<String>, TreeError> {
        self.line.ask(TreeCall::DirtyPaths { snapshot: snapshot.clone() }).await
    }

    /// Puts every file that differs from `target` back, but for those that the user has changed since
    /// they were as `known` says.
    pub(crate) async fn restore(
        &self,
        target: &Snapshot,
        known: &Known,
    ) -> Result<Restored, TreeError> {
        self.line.ask(TreeCall::Restore { target: target.clone(), known: known.clone() }).await
    }

    /// Commits every path that differs from HEAD and is not in `spare`.
    pub(crate) async fn commit(
        &self,
        message: &str,
        spare: &BTreeSet<String>,
    ) -> Result<Committed, TreeError> {
        self.line.ask(TreeCall::Commit { message: message.to_owned(), spare: spare.clone() }).await
    }

    /// Says why nobody should commit now, if so.
    pub(crate) async fn may_commit(&self) -> Result<(), TreeError> {
        self.line.ask(BranchCall::MayCommit).await
    }

    /// Makes a commit of all that is in the work tree, after these parents.
    pub(crate) async fn conclude(
        &self,
        message: &str,
        parents: &[String],
    ) -> Result<Committed, TreeError> {
        let call = TreeCall::Conclude { message: message.to_owned(), parents: parents.to_vec() };
        self.line.ask(call).await
    }

    /// Which files a merge left undecided.
    pub(crate) async fn unresolved(
        &self,
        files: &[String],
        marks: &[String],
    ) -> Result<Vec<String>, TreeError> {
        let call = TreeCall::Unresolved { files: files.to_vec(), marks: marks.to_vec() };
        self.line.ask(call).await
    }

    /// What a branch is compared with.
    pub(crate) async fn base(&self, wanted: &[String]) -> Result<Base, TreeError> {
        self.line.ask(BranchCall::Base { wanted: wanted.to_vec() }).await
    }

    /// The branch that is checked out, without `refs/heads/`; `None` where there is none.
    pub(crate) async fn branch(&self) -> Result<Option<String>, TreeError> {
        Ok(self.head().await?.0)
    }

    /// The commit that HEAD is at; `None` before the first one.
    pub(crate) async fn head_commit(&self) -> Result<Option<String>, TreeError> {
        Ok(self.head().await?.1)
    }

    async fn head(&self) -> Result<(Option<String>, Option<String>), TreeError> {
        self.line.ask(BranchCall::Head).await
    }

    /// The address of the remote `origin`; it may hold a password.
    pub(crate) async fn origin(&self) -> Result<Option<String>, TreeError> {
        self.line.ask(BranchCall::Origin).await
    }

    /// The id of the commit of that name.
    pub(crate) async fn commit_id(&self, name: &str) -> Result<String, TreeError> {
        self.line.ask(BranchCall::CommitId { name: name.to_owned() }).await
    }

    /// Whether there is such a branch.
    pub(crate) async fn has_branch(&self, name: &str) -> Result<bool, TreeError> {
        self.line.ask(BranchCall::Has { name: name.to_owned() }).await
    }

    /// Makes the branch `name` at HEAD for a loop, and puts HEAD on it. It is undone by whoever comes
    /// next, unless the loop is there.
    pub(crate) async fn create_branch(&self, name: &str, of_loop: &str) -> Result<(), TreeError> {
        let (name, of_loop) = (name.to_owned(), of_loop.to_owned());
        self.line.ask(BranchCall::Create { name, of_loop }).await
    }

    /// The local branches that have a commit.
    pub(crate) async fn branches_with(&self, commit: &str) -> Result<Vec<String>, TreeError> {
        self.line.ask(BranchCall::With { commit: commit.to_owned() }).await
    }

    /// What became of the work between two snapshots.
    pub(crate) async fn worked(&self, from: &Snapshot, to: &Snapshot) -> Result<Worked, TreeError> {
        self.line.ask(BranchCall::Worked { from: from.clone(), to: to.clone() }).await
    }

    /// The tops of all work trees of the repository, the main one first.
    pub(crate) async fn worktrees(&self) -> Result<Vec<PathBuf>, TreeError> {
        let tops: Result<Vec<RawPath>, TreeError> = self.line.ask(BranchCall::Worktrees).await;
        Ok(tops?.into_iter().map(|RawPath(path)| path).collect())
    }

    /// Brings two lines of commits together.
    pub(crate) async fn join(&self, lines: Lines<'_>, keep: bool) -> Result<Joined, TreeError> {
        let Lines { onto, from, way, message } = lines;
        let [onto, from, message] = [onto, from, message].map(str::to_owned);
        self.line.ask(BranchCall::Join { onto, from, way, message, keep }).await
    }

    /// Makes a worktree at `path` on `branch`.
    pub(crate) async fn add_worktree(
        &self,
        branch: &str,
        base: Option<&str>,
        path: &Path,
    ) -> Result<Worktree, TreeError> {
        let (branch, base) = (branch.to_owned(), base.map(str::to_owned));
        self.line.ask(TreeCall::AddWorktree { branch, base, path: RawPath::of(path) }).await
    }

    /// Makes a worktree at `path` that is on no branch.
    pub(crate) async fn add_detached(
        &self,
        commit: &str,
        tree: &str,
        path: &Path,
    ) -> Result<(), TreeError> {
        let (commit, tree) = (commit.to_owned(), tree.to_owned());
        self.line.ask(TreeCall::AddDetached { commit, tree, path: RawPath::of(path) }).await
    }

    /// Takes a worktree back that nobody has worked in, with the branch that was made for it.
    pub(crate) async fn unmake_worktree(&self, made: &Worktree) -> Result<(), TreeError> {
        self.line.ask(TreeCall::UnmakeWorktree { made: made.clone() }).await
    }

    /// Removes a worktree, unless it holds something that is not committed.
    pub(crate) async fn remove_worktree(&self, path: &Path) -> Result<(), TreeError> {
        self.line.ask(TreeCall::RemoveWorktree { path: RawPath::of(path) }).await
    }

    /// Removes a worktree with all that is in it: only for one in which nobody worked.
    pub(crate) async fn discard_worktree(&self, path: &Path) -> Result<(), TreeError> {
        self.line.ask(TreeCall::DiscardWorktree { path: RawPath::of(path) }).await
    }

    /// Where a branch is checked out, if anywhere.
    pub(super) async fn checked_out_at(&self, branch: &str) -> Result<Option<PathBuf>, TreeError> {
        let call = BranchCall::CheckedOutAt { name: branch.to_owned() };
        let at: Result<Option<RawPath>, TreeError> = self.line.ask(call).await;
        Ok(at?.map(|RawPath(path)| path))
    }
}

/// What changed since a loop began, by git or Jujutsu.
pub(crate) struct Changes<'a>(pub(super) &'a Line);

impl Changes<'_> {
    /// Where a jj repository stands, and what people should know about it.
    pub(crate) async fn mark(&self) -> Result<(Option<String>, Vec<String>), DiffError> {
        self.0.ask(FileCall::Mark).await
    }

    /// What changed since the tree `since` or the jj commit `revision`.
    pub(crate) async fn diff(
        &self,
        since: Option<&str>,
        revision: Option<&str>,
        limit: usize,
    ) -> Result<DiffReport, DiffError> {
        let (since, revision) = (since.map(str::to_owned), revision.map(str::to_owned));
        self.0.ask(FileCall::Diff { since, revision, limit }).await
    }
}
