//! Branches and their commits, and which of them HEAD is on.

use super::super::{
    fact::{About, Leaf},
    look::Dir,
};

/// A HEAD has no more bytes.
const HEAD: u64 = 4096;

/// The local branches, as they were read last, and those that windlass keeps for the loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branches<'a> {
    refs: &'a Leaf,
    own: &'a str,
}

impl<'a> Branches<'a> {
    /// Those among these refs; the loop's own are below `own`.
    pub(super) fn of(refs: &'a Leaf, own: &'a str) -> Self {
        Self { refs, own }
    }

    /// All of them with their commits. What was committed on no branch is called `HEAD`.
    pub(super) fn all(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let own = self.below(self.own).filter_map(|(name, id)| {
            let name = name.strip_prefix("heads/").or(Some(name).filter(|name| *name == "HEAD"))?;
            Some((name, id))
        });
        self.below("refs/heads/").chain(own)
    }

    /// The newest entries of stashes that are refs.
    pub(super) fn stashes(self) -> impl Iterator<Item = &'a str> {
        let own = self.below(self.own).filter(|(name, _)| *name == "stash").map(|(_, id)| id);
        self.commit("refs/stash").into_iter().chain(own)
    }

    fn below(self, folder: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let first = (About::Ref, folder.to_owned());
        let from_there = self.refs.range(first..).map(|((_, name), id)| (&**name, &**id));
        let refs = from_there.map_while(move |(name, id)| Some((name.strip_prefix(folder)?, id)));
        refs.filter(|(_, id)| is_id(id))
    }

    /// The branch that the HEAD of this work tree is on, and the commit that it is at.
    pub(super) fn own_head(self, dir: &Dir) -> (Option<String>, Option<String>) {
        match self.refs.get(&(About::Head, String::new())) {
            Some(told) => self.resolve(told),
            None => self.head(dir),
        }
    }

    /// The same of another work tree, whose git directory this is.
    pub(super) fn head(self, dir: &Dir) -> (Option<String>, Option<String>) {
        text(dir).map(|head| self.resolve(&head)).unwrap_or_default()
    }

    fn resolve(self, head: &str) -> (Option<String>, Option<String>) {
        let Some(name) = head.strip_prefix("ref: ").map(str::trim) else {
            return (None, Some(head.to_owned()).filter(|id| is_id(id)));
        };
        (Some(name.to_owned()), self.commit(name).map(str::to_owned))
    }

    /// The commit of a ref.
    fn commit(self, name: &str) -> Option<&'a str> {
        let id = self.refs.get(&(About::Ref, name.to_owned()))?;
        Some(&**id).filter(|id| is_id(id))
    }
}

/// What the HEAD of a git directory says. It may be a link that leads to a branch.
pub(super) fn text(dir: &Dir) -> Option<String> {
    if dir.mark(b"HEAD")?.kind.is_symlink() {
        return Some(format!("ref: {}", dir.target(b"HEAD")));
    }
    let text = dir.read(b"HEAD", HEAD)?;
    Some(String::from_utf8_lossy(text.trim_ascii()).into_owned())
}

/// Whether a text is the whole id of an object.
pub(super) fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
