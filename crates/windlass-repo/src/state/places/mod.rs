//! What the places other than the work tree's files hold: HEAD, other branches, the stash, other work
//! trees, submodules and repositories inside the tree. Work goes there too, and an agent that works
//! there works.
//!
//! What a place holds is identified by its files and never by the commits that hold them: another
//! message, an empty commit or the same content stashed once more is the same. Everything is read as
//! data, as for [`Watch`](super::Watch); only which trees the commits of the user's repository have is
//! asked of git, in one call for all that were not asked about before.
//!
//! In a sandbox agents have a git directory of their own, and what they commit, branch off and stash
//! there is brought over into refs that windlass keeps for the loop. They are told as what they are to
//! the agent.
//!
//! Places are compared from one look to the next, also by another process, so what is left out or put
//! together (`fit`) hangs on nothing but what is there.

mod branches;
mod digests;
mod files;
mod fit;
mod head;
mod inside;
mod mark;
mod refs;
mod stash;
mod trees;
mod worktrees;

use std::{collections::HashSet, os::unix::ffi::OsStrExt, path::Path, sync::Arc};

use windlass_core::evidence::{PlaceKind, PlaceMark};

use self::{
    branches::KnownBranches,
    digests::Digests,
    head::{Branches, is_id},
    mark::{Draft, Part},
    refs::Refs,
    trees::Trees,
};
use super::{
    Place,
    fact::Leaf,
    look::{Dir, Known},
};
use crate::tree::{Repository, Tree};

/// Looks at the places of one repository, and remembers what need not be read again.
pub struct Places {
    place: Place,
    /// Where the refs are that windlass keeps for the loop.
    own: String,
    refs: Refs,
    branches: KnownBranches,
    stash: Known,
    digests: Digests,
    trees: Trees,
}

impl Places {
    /// Looks at the places of the repository at `place`, for the loop with this id.
    pub fn new(place: Place, loop_id: &str) -> Self {
        let own = format!("refs/windlass/{loop_id}/");
        Self {
            place,
            refs: Refs::with(own.clone()),
            own,
            branches: KnownBranches::default(),
            stash: Known::default(),
            digests: Digests::default(),
            trees: Trees::default(),
        }
    }

    /// What each of them holds now, HEAD first, then by kind and name. Repositories in the work tree are those
    /// that its last snapshot found. What cannot be read is left out.
    pub async fn look(&mut self, tree: &Tree) -> Vec<PlaceMark> {
        let Some((drafts, refs, passed_over)) = self.drafts(tree).await else { return Vec::new() };
        let branches = self.branches.unless_known(&refs, &self.own, &passed_over);
        self.trees.learn(tree, drafts.iter().chain(branches.iter().flatten())).await;
        if let Some(branches) = branches {
            self.branches = KnownBranches::of(branches, (refs, passed_over), &self.trees);
        }
        let marks = drafts.into_iter().filter_map(|draft| draft.mark(&self.trees));
        let mut marks = fit::fit(marks.collect());
        marks.extend(self.branches.marks().iter().cloned());
        marks.sort_by_key(|mark| mark.kind);
        marks
    }

    /// All but the branches, with the refs, and the branches that are not told.
    async fn drafts(&mut self, tree: &Tree) -> Option<(Vec<Draft>, Arc<Leaf>, HashSet<String>)> {
        let repository = self.place.repository.as_ref()?;
        let dir = |path| Dir::at(path, String::new());
        let (top, own) = (dir(&self.place.root)?, dir(&repository.git_dir)?);
        let common = dir(&repository.common_dir)?;
        let ground = Ground { place: &self.place, repository, top: &top, common: &common };
        let refs = self.refs.look(tree, &own, &common).await.unwrap_or_default();
        let branches = Branches::of(&refs, &self.own);
        let (head, commit) = branches.own_head(&own);
        let (worktrees, mut passed_over) = worktrees::drafts(&ground, branches, &mut self.digests);
        passed_over.extend(head);
        let head = commit.map(|id| Draft::of_commit(PlaceKind::Head, String::new(), id));
        let mut drafts: Vec<Draft> = head.into_iter().chain(worktrees).collect();
        drafts.extend(stash::drafts(&common, branches, &mut self.stash));
        drafts.extend(inside::drafts(&ground, &tree.inside().await, &mut self.digests));
        self.digests.turn();
        Some((drafts, refs, passed_over))
    }
}

/// The directories that are looked at.
struct Ground<'a> {
    place: &'a Place,
    repository: &'a Repository,
    top: &'a Dir,
    common: &'a Dir,
}

impl Ground<'_> {
    /// Opens a git directory that lies below the top or below the shared git directory.
    fn git_dir(&self, path: &Path) -> Option<Dir> {
        let roots = [(self.top, &self.place.root), (self.common, &self.repository.common_dir)];
        roots.into_iter().find_map(|(root, at)| root.dir(below(path, at)?))
    }
}

/// A path from a directory that it lies below.
fn below<'a>(path: &'a Path, directory: &Path) -> Option<&'a [u8]> {
    let inner = path.strip_prefix(directory).ok()?.as_os_str().as_bytes();
    Some(inner).filter(|inner| !inner.is_empty())
}
