//! Paths that make looks at before it runs what a check asks it for.

use std::collections::BTreeSet;

use windlass_proof::guard::{
    Class, Guard,
    keys::{self, Kind},
};
use windlass_system::below::{self, Links, Root};

/// A makefile that is larger is not looked at.
const MOST: u64 = 4 << 20;

/// The paths that are free now and have to stay so: make would take a file there for what it was asked to
/// do. An included file is meant from where make runs, which may be any directory above it.
pub(super) fn free_paths(root: &Root, guard: &Guard, files: &[String]) -> Vec<String> {
    let mut free = BTreeSet::new();
    for path in files {
        let Class::Shared { kind: Kind::Make, keys: goals } = guard.class(path) else { continue };
        let Ok(text) = below::read(root, path.as_bytes(), Links::Refused, MOST) else { continue };
        let is_included = goals.iter().any(|goal| goal == "*");
        let directories = path.match_indices('/').map(|(at, _)| &path[..=at]).rev().chain([""]);
        for directory in directories.take(if is_included { usize::MAX } else { 1 }) {
            let names = keys::actions_of_make(&text, &goals).into_iter();
            free.extend(names.map(|name| format!("{directory}{name}")));
        }
    }
    let is_free = |path: &String| below::stood(root, path.as_bytes()).is_ok_and(|it| it.is_none());
    free.into_iter().filter(is_free).collect()
}
