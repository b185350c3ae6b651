//! The entries of the stash: a mark each, so that one that comes is told and one that goes is not.

use windlass_core::evidence::PlaceKind;

use super::{
    super::{
        fact::About,
        look::{Dir, Known, Look},
        refs,
    },
    Branches, Draft, Part, is_id,
};

/// So many entries are looked at, the newest first.
const MOST: usize = 1000;

/// What each entry holds: the files as they were, and those that were not tracked.
/// Where the refs are in tables, and of the stash that agents have in a sandbox, the newest entry is all
/// that is known.
pub(super) fn drafts(common: &Dir, branches: Branches<'_>, known: &mut Known) -> Vec<Draft> {
    let mut look = Look::new(known);
    refs::stash(&mut look, common);
    let (state, seen) = look.end();
    *known = seen;
    let facts = state.0.values().flat_map(|leaf| leaf.iter());
    let listed = facts.filter(|((about, _), _)| *about == About::Stash);
    let listed = listed.flat_map(|(_, ids)| ids.lines()).filter(|id| is_id(id));
    let ids = listed.chain(branches.stashes()).take(MOST);
    let draft = |id: &str| Draft {
        kind: PlaceKind::Stash,
        name: String::new(),
        parts: vec![Part::Commit(id.to_owned()), Part::Untracked(id.to_owned())],
    };
    ids.map(draft).collect()
}
