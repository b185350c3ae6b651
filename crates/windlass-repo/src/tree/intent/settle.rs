//! Finishes or undoes what was begun by a process that was killed. Each decision goes by what is
//! there now: whoever has gone on since then keeps what they have.

use std::{
    fs, io,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::Path,
    time::Duration,
};

use windlass_system::below::{self, Links, Root};

use super::{IndexChange, Intended, Intent};
use crate::tree::{Move, PutBack, Tree, TreeError, scan::open_top};

/// A lock of a ref that does not change for so long was left by a git that was killed.
const A_MOMENT: Duration = Duration::from_millis(1500);

/// A ref is no longer.
const MOST_REF: u64 = 4096;

impl Tree {
    /// Settles an intent about this work tree; gives how the agent's files came back, where that is what
    /// it is about. Only for a process that holds the work tree's lock. Doing so twice is doing so once.
    pub async fn settle(&self, intent: &Intent) -> Result<PutBack, TreeError> {
        if let Intended::Originals { swap, .. } = &intent.change {
            return swap.undo(&intent.top).map_err(TreeError::io("put back", &intent.top));
        }
        self.settle_repository(intent).await?;
        Ok(PutBack::default())
    }

    /// Settles one that is about the repository.
    async fn settle_repository(&self, intent: &Intent) -> Result<(), TreeError> {
        match &intent.change {
            Intended::Refs { names } => {
                self.unlock_refs(&names.iter().map(Some).collect::<Vec<_>>(), "").await
            }
            Intended::Branch { name, commit, before, .. } => {
                let tip = commit.as_deref().unwrap_or_default();
                self.unlock_refs(&[Some(name), before.as_ref()], tip).await?;
                self.undo_branch(name, commit.as_deref(), before.as_deref()).await
            }
            Intended::Commit { mark, branch, id, entries } => {
                self.unlock_refs(&[branch.as_ref()], id).await?;
                self.settle_index(mark, entries).await
            }
            Intended::Advance { branch, old, new, mark } => {
                let full = format!("refs/heads/{branch}");
                self.unlock_refs(&[Some(&full)], new).await?;
                match self.advance_with(Move { branch, old, new, mark }).await {
                    // It has put back what it had written, and leaves the rest to the user.
                    Err(
                        TreeError::Changed { .. }
                        | TreeError::BranchMoved { .. }
                        | TreeError::InTheWay { .. }
                        | TreeError::Filtered { .. }
                        | TreeError::NoSuchCommit { .. },
                    ) => self.break_our_lock(mark),
                    settled => settled?,
                }
                Ok(())
            }
            Intended::Write { folders } => self.remove_unfinished(folders),
            Intended::AddWorktree { branch, known } => {
                let branch = branch.as_ref().map(|(name, commit)| (&**name, &**commit));
                self.undo_adding(&intent.top, branch, known).await
            }
            Intended::RemoveWorktree => self.finish_removing(&intent.top, None).await,
            // It does not concern git.
            Intended::Originals { .. } => Ok(()),
        }
    }

    /// Brings the index to what HEAD has, for paths of a commit that was cut off: to what the commit
    /// has if it was made, to what was there before it if not. What the user has staged since stays.
    pub(in crate::tree) async fn settle_index(
        &self,
        mark: &str,
        entries: &[IndexChange],
    ) -> Result<(), TreeError> {
        self.break_our_lock(mark);
        let committed = match self.head().await?.1 {
            Some(head) => self.entries_in(&head).await?,
            None => std::collections::BTreeMap::new(),
        };
        let now = self.users_entries().await?;
        let wanted = entries.iter().filter_map(|entry| {
            let path = entry.path.as_os_str().as_bytes();
            let is_made = committed.get(path) == entry.after.as_ref();
            let wanted = if is_made { &entry.after } else { &entry.before };
            let now = now.get(path);
            let is_ours = now == entry.before.as_ref() || now == entry.after.as_ref();
            (is_ours && now != wanted.as_ref()).then_some((entry.path.as_path(), wanted.as_ref()))
        });
        let wanted: Vec<_> = wanted.collect();
        if wanted.is_empty() { Ok(()) } else { self.set_entries(mark, &wanted).await }
    }

    /// Takes a branch back that was made for a loop which did not come to be, if nobody has gone on
    /// with it.
    pub(in crate::tree) async fn undo_branch(
        &self,
        name: &str,
        commit: Option<&str>,
        before: Option<&str>,
    ) -> Result<(), TreeError> {
        if self.tip(name).await?.is_some_and(|tip| Some(&*tip) != commit) {
            return Ok(());
        }
        if self.head_ref().await?.as_deref() == Some(name) {
            let back = match before {
                // The branch of before has gone on: index and files are not its own any more.
                Some(before) if self.tip(before).await?.as_deref() != commit => return Ok(()),
                Some(before) => self.in_repository().args(["symbolic-ref", "HEAD", before]),
                None => {
                    let Some(commit) = commit else { return Ok(()) };
                    self.in_repository().args(["update-ref", "--no-deref", "HEAD", commit])
                }
            };
            self.git.run(back).await?;
        }
        match commit {
            Some(commit) => self.drop_branch(name, commit).await,
            None => Ok(()),
        }
    }

    /// Removes a branch that is still as it was made, and checked out nowhere.
    pub(super) async fn drop_branch(&self, name: &str, commit: &str) -> Result<(), TreeError> {
        if self.tip(name).await?.as_deref() != Some(commit)
            || self.checked_out_at(name).await?.is_some()
        {
            return Ok(());
        }
        let call = self.in_repository().args(["update-ref", "-d", "--end-of-options"]);
        self.git.run(call.args([name, commit])).await.map(drop)?;
        Ok(())
    }

    /// The commit that a ref is at, if there is such a ref.
    async fn tip(&self, name: &str) -> Result<Option<String>, TreeError> {
        match self.commit_id(name).await {
            Err(TreeError::NoSuchCommit { .. }) => Ok(None),
            tip => tip.map(Some),
        }
    }

    /// The ref that HEAD is on, if it is on one.
    pub(in crate::tree) async fn head_ref(&self) -> Result<Option<String>, TreeError> {
        let call = self.in_repository().args(["symbolic-ref", "--quiet", "HEAD"]);
        let output = self.git.run(call.accepting(&[0, 1])).await?;
        let name = String::from_utf8_lossy(output.stdout.trim_ascii()).into_owned();
        Ok((output.code == Some(0)).then_some(name))
    }

    /// Removes locks that a git of ours left on refs when it was killed.
    pub(super) async fn unlock_refs(
        &self,
        names: &[Option<&String>],
        id: &str,
    ) -> Result<(), TreeError> {
        let common = &self.repository.common_dir;
        let mut locks = vec![
            (self.repository.git_dir.as_path(), "HEAD.lock".to_owned()),
            (common, "packed-refs.lock".to_owned()),
        ];
        locks.extend(names.iter().flatten().map(|name| (common.as_path(), format!("{name}.lock"))));
        let mut others = Vec::new();
        for (directory, lock) in locks {
            match LockStamp::of(directory, &lock) {
                None => {}
                Some(_) if holds(directory, &lock, id) => unlock(directory, &lock)?,
                Some(stamp) => others.push((directory, lock, stamp)),
            }
        }
        if !others.is_empty() {
            tokio::time::sleep(A_MOMENT).await;
        }
        for (directory, lock, stamp) in others {
            if LockStamp::of(directory, &lock) == Some(stamp) {
                unlock(directory, &lock)?;
            }
        }
        Ok(())
    }

    fn remove_unfinished(&self, folders: &[std::path::PathBuf]) -> Result<(), TreeError> {
        let top = open_top(&self.repository)?;
        for folder in folders {
            // One that became a link since is not looked into.
            drop(below::remove_unfinished(&top, folder.as_os_str().as_bytes()));
        }
        Ok(())
    }
}

/// Tells whether a lock is still the same.
#[derive(PartialEq, Eq)]
struct LockStamp {
    inode: u64,
    modified: (i64, i64),
}

impl LockStamp {
    fn of(directory: &Path, lock: &str) -> Option<Self> {
        let found = fs::symlink_metadata(directory.join(lock)).ok()?;
        Some(Self { inode: found.ino(), modified: (found.mtime(), found.mtime_nsec()) })
    }
}

/// Whether a lock holds an id, which makes it ours.
fn holds(directory: &Path, lock: &str, id: &str) -> bool {
    let Ok(root) = Root::open(directory) else { return false };
    let held = below::read_some(&root, lock.as_bytes(), Links::Refused, MOST_REF);
    held.is_ok_and(|held| !id.is_empty() && held.trim_ascii() == id.as_bytes())
}

fn unlock(directory: &Path, lock: &str) -> Result<(), TreeError> {
    let removed = Root::open(directory)
        .map_err(io::Error::from)
        .and_then(|root| below::remove_file(root, lock.as_bytes()));
    removed.map_err(TreeError::io("remove", &directory.join(lock)))
}
