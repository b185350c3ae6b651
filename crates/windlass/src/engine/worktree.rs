//! The worktree of a loop that has one of its own: made before the loop, and taken back where the
//! loop does not come to be.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use windlass_core::{ids::LoopId, options::Branched};
use windlass_repo::tree::{Repository, Worktree, intents_of, listed};
use windlass_store::store::Store;
use windlass_system::{
    home,
    ownership::{Lock, LockError, LockKey},
};

use super::{
    LoopError,
    acquire::acquire,
    apart,
    grounds::Grounds,
    programs::opening,
    settle::{Asked, settle_repository},
    setup::{Setup, holder, lock_tree},
};
use crate::{
    kind::{Kind, merge},
    workplace::{Opening, Tree, is_itself},
};

/// A worktree that was made for a loop that is not there yet.
pub(super) struct Made {
    worktree: New,
    workplace: PathBuf,
    tree: Tree,
    opening: Opening,
    /// What the user has not committed, and the worktree does not have.
    uncommitted: Vec<String>,
    /// Held until the loop is there, so that nobody takes the worktree for one that was left.
    making: Making,
}

enum New {
    /// On a branch of the loop's own.
    Branch(Worktree, Branched),
    /// On no branch, for a merge.
    Detached(PathBuf),
    /// In a repository of windlass's own, for the head of a pull request; with the branch that is
    /// checked out in the user's.
    Apart(PathBuf, Option<String>),
}

impl Made {
    /// Makes the worktree that was asked for, of which the loop is the only user.
    pub(super) async fn make(
        grounds: &Grounds,
        setup: &Setup,
        store: &Store,
        name: &str,
    ) -> Result<Option<Self>, LoopError> {
        let flag = match (&grounds.kind, &grounds.kind.common().git.worktree) {
            (Kind::Merge(_), _) => "merge",
            (_, Some(_)) => "--worktree",
            // Without git, what is here is audited.
            (Kind::Pr(options), None)
                if options.is_apart() && Repository::discover(&grounds.directory)?.is_some() =>
            {
                "pr"
            }
            (_, None) => return Ok(None),
        };
        let making = Making::begin(&grounds.home, name)?;
        // One that was cut off may be in its place, and on its branch.
        if let Some(repository) = Repository::discover(&grounds.directory)? {
            let asked = Asked { guardian: &setup.guardian, home: &grounds.home, env: &grounds.env };
            settle_repository(&asked, store, &repository.common_dir, name).await?;
        }
        let opening = opening(&setup.guardian, &grounds.home, &grounds.env, &[&grounds.directory])?;
        let folder = match &grounds.kind {
            Kind::Merge(_) => home::merging(&grounds.home),
            Kind::Pr(options) if options.is_apart() => home::heads(&grounds.home),
            _ => home::worktrees(&grounds.home),
        };
        let path = folder.join(name);
        let opening = opening.reaching([path.clone()]);
        // It must be there for the helper to be let in.
        home::create_private(&folder)
            .and_then(|()| home::create_private(&path))
            .map_err(no_room)?;
        let added = async {
            let tree = opening.tree(&grounds.directory).await?;
            let Some(tree) = tree else {
                let directory = grounds.directory.clone();
                return Err(LoopError::NeedsGit { flag, directory });
            };
            let worktree = match (&grounds.kind, &grounds.kind.common().git.worktree) {
                (Kind::Merge(options), _) => add_detached(&tree, options, &path).await?,
                (Kind::Pr(options), _) if options.is_apart() => {
                    tree.make_apart(&path).await?;
                    New::Apart(path.clone(), tree.branch().await?)
                }
                (_, wanted) => {
                    add_branch(&tree, wanted.as_deref().unwrap_or_default(), &path).await?
                }
            };
            let uncommitted = uncommitted(&tree, grounds, name).await;
            Ok((tree, worktree, uncommitted))
        };
        let (tree, worktree, uncommitted) = match added.await {
            Ok(added) => added,
            Err(error) => {
                // Only as it was made: empty.
                drop(fs::remove_dir(&path));
                if path.starts_with(home::heads(&grounds.home)) {
                    apart::remove(&grounds.home, &path);
                }
                return Err(error);
            }
        };
        // The loop works in the same place of the new tree as the user stands in of theirs.
        let below = grounds.directory.strip_prefix(tree.top()).unwrap_or(Path::new(""));
        let inside: PathBuf = path.join(below).components().collect();
        // A branch may have a link there that leads out of it; and before a head is checked out,
        // nothing is there.
        let workplace = if is_itself(&grounds.home, &inside) { inside } else { path };
        Ok(Some(Self { worktree, workplace, tree, opening, uncommitted, making }))
    }

    /// Where the loop works.
    pub(super) fn workplace(&self) -> &Path {
        &self.workplace
    }

    /// The branch that the loop works on.
    pub(super) fn branched(&self) -> Option<Branched> {
        match &self.worktree {
            New::Branch(_, branched) => Some(branched.clone()),
            New::Detached(_) | New::Apart(..) => None,
        }
    }

    /// The branch that is checked out in the user's work tree, for a loop that works apart from it.
    pub(super) fn users_branch(&self) -> Option<String> {
        match &self.worktree {
            New::Apart(_, branch) => branch.clone(),
            New::Branch(..) | New::Detached(_) => None,
        }
    }

    /// What stays behind where the user stands, in words.
    pub(super) fn left_in_place(&self) -> Option<String> {
        let (changes, them) = match self.uncommitted.len() {
            0 => return None,
            1 => ("1 uncommitted change stays".to_owned(), "it"),
            n => (format!("{n} uncommitted changes stay"), "them"),
        };
        let top = self.tree.top().display();
        let files = listed(&self.uncommitted);
        Some(format!("{changes} in {top}, and the loop does not have {them}: {files}"))
    }

    /// Leaves it to the loop, which has begun.
    pub(super) async fn keep(self) {
        self.forget();
        self.opening.close().await;
        self.making.end();
    }

    /// Takes it back, with the branch if that was made for it.
    pub(super) async fn take_back(self) {
        // Whoever asked is told why there is no loop; a worktree that will not go is a lesser evil.
        let taken = match &self.worktree {
            New::Branch(worktree, _) => self.tree.unmake_worktree(worktree).await,
            New::Detached(path) => self.tree.discard_worktree(path).await,
            New::Apart(path, _) => {
                apart::remove(&self.making.home, path);
                Ok(())
            }
        };
        if taken.is_ok() {
            self.forget();
        }
        self.opening.close().await;
        self.making.end();
    }
}

impl Made {
    /// That the worktree is made, or is no more.
    fn forget(&self) {
        let [_, common_dir] = self.tree.git_directories();
        let (New::Branch(Worktree { path, .. }, _) | New::Detached(path) | New::Apart(path, _)) =
            &self.worktree;
        for intent in intents_of(&self.making.home, common_dir) {
            if intent.change.is_of_worktree() && intent.top == *path {
                intent.forget(&self.making.home);
            }
        }
    }
}

/// What the user has not committed; a merge is about commits only. Where another loop works there,
/// it is that loop's, and left alone.
async fn uncommitted(tree: &Tree, grounds: &Grounds, name: &str) -> Vec<String> {
    let id = LoopId::of_number(fastrand::u64(..));
    let is_merge = matches!(grounds.kind, Kind::Merge(_));
    let lock = (!is_merge).then(|| lock_tree(&grounds.home, &grounds.directory, &id, name).ok());
    let Some(_lock) = lock.flatten() else { return Vec::new() };
    let dirty = async { tree.dirty_paths(&tree.snapshot().await?).await };
    // The loop does not depend on it.
    dirty.await.map(|paths| paths.into_iter().collect()).unwrap_or_default()
}

pub(super) fn no_room(source: io::Error) -> LoopError {
    LoopError::Home { what: "make room for the worktree", source }
}

async fn add_detached(
    tree: &Tree,
    options: &merge::Options,
    path: &Path,
) -> Result<New, LoopError> {
    let (commit, files) = options.start();
    tree.add_detached(commit, files, path).await?;
    Ok(New::Detached(path.to_owned()))
}

/// Makes a worktree on a branch, `BRANCH` or `BRANCH:BASE`.
async fn add_branch(tree: &Tree, wanted: &str, path: &Path) -> Result<New, LoopError> {
    let (branch, base) = match wanted.split_once(':') {
        Some((branch, base)) => (branch, Some(base)),
        None => (wanted, None),
    };
    let from = match base {
        Some(base) if tree.has_branch(base).await.unwrap_or(false) => Some(base.to_owned()),
        _ => tree.branch().await?,
    };
    let worktree = tree.add_worktree(branch, base, path).await?;
    let (branch, commit) = (branch.to_owned(), Some(worktree.commit.clone()));
    let is_new = worktree.new_branch && base.is_none();
    Ok(New::Branch(worktree, Branched { branch, from, commit, is_new }))
}

/// That a worktree is being made, for whoever looks for those that were left.
struct Making {
    lock: Lock,
    key: LockKey,
    home: PathBuf,
}

impl Making {
    fn begin(home: &Path, name: &str) -> Result<Self, LoopError> {
        let unusable = |source| LoopError::Home { what: "lock the new worktree", source };
        let (key, holder) =
            (LockKey::of_making(name), holder(&LoopId::of_number(fastrand::u64(..)), name));
        let lock = acquire(home, &key, &holder);
        let lock = lock.map_err(|error| match error {
            LockError::Held { .. } => {
                LoopError::BadName { name: name.to_owned(), why: "is taken by another loop" }
            }
            LockError::Unusable { source, .. } => unusable(source),
        })?;
        Ok(Self { lock, key, home: home.to_owned() })
    }

    fn end(self) {
        self.lock.remove(&self.home, &self.key);
    }
}
