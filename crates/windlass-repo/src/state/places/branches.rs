//! The branches that HEAD is not on: their marks are made once for the same refs, of which there may be
//! very many.

use std::{collections::HashSet, sync::Arc};

use windlass_core::evidence::{PlaceKind, PlaceMark};

use super::{
    super::{fact::Leaf, words},
    Branches, Draft, Trees, fit,
};

/// The marks of the last look, with all that they hang on.
#[derive(Debug, Default)]
pub(super) struct KnownBranches {
    of: Option<(Arc<Leaf>, HashSet<String>)>,
    marks: Vec<PlaceMark>,
}

impl KnownBranches {
    /// All branches but those that are passed over; `None` where their marks are known.
    pub(super) fn unless_known(
        &self,
        refs: &Arc<Leaf>,
        own: &str,
        passed_over: &HashSet<String>,
    ) -> Option<Vec<Draft>> {
        let is_known = |(then, without): &(Arc<Leaf>, HashSet<String>)| {
            Arc::ptr_eq(then, refs) && without == passed_over
        };
        if self.of.as_ref().is_some_and(is_known) {
            return None;
        }
        let is_other = |name: &str| !passed_over.contains(&format!("refs/heads/{name}"));
        let others = Branches::of(refs, own).all().filter(|(name, _)| is_other(name));
        let draft = |(name, id): (&str, &str)| {
            Draft::of_commit(PlaceKind::Branch, words::cut(name), id.to_owned())
        };
        Some(others.map(draft).collect())
    }

    /// The marks of these branches. They are made again at the next look where git could not be asked.
    pub(super) fn of(
        branches: Vec<Draft>,
        of: (Arc<Leaf>, HashSet<String>),
        trees: &Trees,
    ) -> Self {
        let count = branches.len();
        let marks = branches.into_iter().filter_map(|draft| draft.mark(trees));
        let marks: Vec<PlaceMark> = marks.collect();
        let of = (marks.len() == count).then_some(of);
        Self { of, marks: fit::fit(marks) }
    }

    /// Their marks.
    pub(super) fn marks(&self) -> &[PlaceMark] {
        &self.marks
    }
}
