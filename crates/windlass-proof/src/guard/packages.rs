//! Packages inside the tree that are found before others.

use std::collections::BTreeSet;

use super::added::is_used;

/// Whether a file belongs to a package in a `node_modules` that is found before one of the same name further
/// up, which was there at the start; or is a program that is.
pub(super) fn hides_package(path: &str, before: &BTreeSet<String>) -> bool {
    let Some((directory, rest)) = path.split_once("/node_modules/") else { return false };
    let mut parts = rest.split('/');
    let package = match (parts.next(), parts.next()) {
        (Some(scope), Some(name)) if scope.starts_with('@') || scope == ".bin" => {
            format!("{scope}/{name}")
        }
        (Some(name), Some(_)) => name.to_owned(),
        _ => return false,
    };
    let is_there = |above: &String| {
        let place = format!("{above}node_modules/{package}");
        before.contains(&place) || is_used(&place, before)
    };
    let here = format!("{directory}/");
    !is_there(&here) && above(directory).any(|above| is_there(&above))
}

/// Whether a file is in a `vendor` that the agent added to a module of Go: Go uses it instead of what it
/// used before.
pub(super) fn is_new_vendor(path: &str, before: &BTreeSet<String>) -> bool {
    let at =
        if path.starts_with("vendor/") { Some(0) } else { path.find("/vendor/").map(|at| at + 1) };
    at.is_some_and(|at| {
        let module = &path[..at];
        before.contains(&format!("{module}go.mod")) && !is_used(&format!("{module}vendor"), before)
    })
}

/// A directory and those above it, each with a slash at its end; the root is empty.
pub(super) fn above(directory: &str) -> impl Iterator<Item = String> {
    let ends = directory.match_indices('/').map(|(at, _)| at).chain([directory.len()]);
    let all = ends.filter(|end| *end > 0).map(|end| format!("{}/", &directory[..end]));
    [String::new()].into_iter().chain(all)
}
