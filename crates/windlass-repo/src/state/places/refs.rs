//! The refs of the repository: read as data, or, where they are in tables that only git reads, asked of
//! it when the list of tables changed.

use std::sync::Arc;

use super::super::{
    fact::{About, Leaf},
    look::Dir,
    refs::KnownRefs,
};
use crate::tree::Tree;

/// The list of tables.
const TABLES: &[u8] = b"reftable/tables.list";

/// A list of tables is not larger.
const LIST: u64 = 1 << 20;

/// The refs that were read last.
#[derive(Debug)]
pub(super) struct Refs {
    known: KnownRefs,
    /// What the lists of tables said, and what git did.
    by_git: Option<(Vec<u8>, Arc<Leaf>)>,
}

impl Refs {
    /// No refs yet; those below `own` will be among them.
    pub(super) fn with(own: String) -> Self {
        Self { known: KnownRefs::with(own), by_git: None }
    }

    /// The refs as they are now; `None` where they cannot be told. Where git told them, HEAD is one of
    /// them.
    pub(super) async fn look(&mut self, tree: &Tree, own: &Dir, common: &Dir) -> Option<Arc<Leaf>> {
        if common.mark(b"reftable").is_none() {
            drop(self.known.renew(common));
            return Some(self.known.leaf().clone());
        }
        let lists = [own, common].map(|dir| dir.read(TABLES, LIST).unwrap_or_default()).concat();
        if let Some((then, leaf)) = &self.by_git
            && *then == lists
        {
            return Some(leaf.clone());
        }
        let told = tree.refs().await?;
        let fact = |name: &str, value: &str| {
            let about = if name == "HEAD" { About::Head } else { About::Ref };
            let name = if name == "HEAD" { "" } else { name };
            ((about, name.to_owned()), value.to_owned())
        };
        let lines = told.lines().filter_map(|line| line.split_once(' ')?.into());
        let facts = lines.filter_map(|(name, rest)| match rest.split_once(' ')? {
            (id, "") => Some(fact(name, id)),
            (_, symbolic) => Some(fact(name, &format!("ref: {symbolic}"))),
        });
        let leaf = Arc::new(facts.collect());
        self.by_git = Some((lists, Arc::clone(&leaf)));
        Some(leaf)
    }
}
