//! The graph between the top modules of a crate, as its sources have it, and the cycles in it.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    names::{Names, scope_of},
    package::Package,
};
use crate::source::facts::{How, Mention};

/// The root of the crate as a node: code of `lib.rs` or `main.rs` itself.
const ROOT: &str = "crate";

/// Which top modules name which others, tests left out.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    edges: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    /// The graph of a package's library, or of its program.
    pub fn of(package: &Package, names: &Names) -> Self {
        let mut graph = Self::default();
        let Some(target) = package.main_target() else { return graph };
        let tops = package.top_modules();
        let node = |path: &[String]| match path {
            [root, top, ..] if *root == target.name => {
                tops.iter().find(|it| *it == top).map_or(ROOT, String::as_str).to_owned()
            }
            _ => ROOT.to_owned(),
        };
        for member in target.members.iter().filter(|member| !member.is_test) {
            let from = node(&member.module);
            let facts = &package.files[member.file].facts;
            for mention in facts.mentions.iter().filter(|it| !it.in_test) {
                // What the root hands on makes it depend on nothing.
                let is_public = matches!(
                    mention.how,
                    How::Import { public: true, .. } | How::Glob { public: true }
                );
                if from == ROOT && is_public {
                    continue;
                }
                let mut meanings = names.meanings(member, mention);
                meanings.extend(written(&scope_of(member, mention), mention));
                for meaning in meanings {
                    if meaning.first() != Some(&target.name) {
                        continue;
                    }
                    if meaning.len() == 1 {
                        // All that the root has may be meant.
                        if matches!(mention.how, How::Glob { .. }) {
                            tops.iter().for_each(|top| graph.add(&from, top));
                        }
                        continue;
                    }
                    let to = node(&meaning);
                    if to != ROOT || is_defined(package, target.members[0].file, &meaning) {
                        graph.add(&from, &to);
                    }
                }
            }
        }
        graph
    }

    fn add(&mut self, from: &str, to: &str) {
        self.edges.entry(to.to_owned()).or_default();
        let edges = self.edges.entry(from.to_owned()).or_default();
        if from != to {
            edges.insert(to.to_owned());
        }
    }

    /// All that can be reached from a node, itself only if it is in a cycle.
    fn reached(&self, from: &str) -> BTreeSet<&str> {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            for next in self.edges.get(node).into_iter().flatten() {
                if seen.insert(next.as_str()) {
                    open.push(next);
                }
            }
        }
        seen
    }

    /// Every edge that is part of a cycle, as `from -> to`, sorted.
    pub fn cycles(&self) -> Vec<String> {
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            self.edges.keys().map(|node| (node.as_str(), self.reached(node))).collect();
        let edges = self.edges.iter().flat_map(|(from, to)| to.iter().map(move |to| (from, to)));
        edges
            .filter(|(from, to)| reached[to.as_str()].contains(from.as_str()))
            .map(|(from, to)| format!("{from} -> {to}"))
            .collect()
    }

    /// How many modules and edges there are.
    pub fn size(&self) -> (usize, usize) {
        (self.edges.len(), self.edges.values().map(BTreeSet::len).sum())
    }
}

/// The module that a path names as it is written, before re-exports are followed.
fn written(at: &[String], mention: &Mention) -> Option<Vec<String>> {
    let first = mention.path.first()?;
    let mut up = match first.as_str() {
        "crate" => return Some([&at[..1], &mention.path[1..]].concat()),
        "self" | "super" => at.to_vec(),
        _ => return None,
    };
    let mut rest = mention.path.as_slice();
    while let Some((first, after)) = rest.split_first() {
        match first.as_str() {
            "self" => {}
            "super" => up.truncate(up.len().saturating_sub(1).max(1)),
            _ => break,
        }
        rest = after;
    }
    Some([&up, rest].concat())
}

/// Whether the root file itself defines what a path names.
fn is_defined(package: &Package, root: usize, path: &[String]) -> bool {
    let items = &package.files[root].facts.items;
    items
        .iter()
        .any(|item| !item.in_test && item.scope.is_empty() && path.get(1) == Some(&item.name))
}

/// Compares the cycles of a crate with those on record, and says what to do.
pub fn compare(package: &str, found: &[String], recorded: &[String]) -> Vec<String> {
    let added = found.iter().filter(|edge| !recorded.contains(edge));
    let gone = recorded.iter().filter(|edge| !found.contains(edge));
    added
        .map(|edge| format!("{package}: {edge} is a new edge of a cycle: take it out again"))
        .chain(gone.map(|edge| {
            format!("{package}: {edge} is in no cycle any more: take it off the record")
        }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{super::package::tests::package, *};

    /// The cycles of a crate whose module `b` uses `a`, and whose `a` says `text`.
    fn cycles(text: &str) -> Vec<String> {
        let package = package(&[
            ("src/lib.rs", "mod a; mod b; mod c; pub use b::Thing; pub fn shared() { b::f() }"),
            ("src/a.rs", &format!("mod inner; mod deep {{ {text} }}")),
            ("src/a/inner.rs", ""),
            ("src/b.rs", "use crate::a::Other; pub struct Thing;"),
            ("src/c.rs", "pub use crate::b::Thing;"),
        ]);
        Graph::of(&package, &Names::new(std::slice::from_ref(&package))).cycles()
    }

    #[test]
    fn a_cycle_is_found_however_it_is_written() {
        for text in [
            "use crate::b::Thing;",
            "use crate::{b::{self}};",
            "use super::super::b;",
            "fn f() { super::super::b::g() }",
            "fn f() { crate::b::g() }",
            "use crate::Thing;",
            "fn f() { crate::Thing::new() }",
            "fn f() { format!(\"{}\", crate::b::g()) }",
            "macro_rules! m { () => { $crate::b::g() } }",
            "use crate as root; fn f() { root::b::g() }",
            "#[serde(with = \"crate::b::text\")] struct S;",
            "fn f() -> Vec<crate::b::Thing> { a }",
        ] {
            assert_eq!(cycles(text), ["a -> b", "b -> a"], "{text}");
        }
        assert_eq!(cycles("use crate::c::Thing;"), ["a -> b", "a -> c", "b -> a", "c -> b"]);
        assert_eq!(cycles("use crate::*;"), ["a -> b", "a -> c", "b -> a", "c -> b"]);
        assert_eq!(cycles("use crate::shared;"), ["a -> crate", "b -> a", "crate -> b"]);
    }

    #[test]
    fn what_is_no_cycle_passes() {
        for text in [
            "",
            "use std::b::Thing; fn f() { super::inner::g() }",
            "#[cfg(test)] mod tests { use crate::b::Thing; }",
            "// crate::b::Thing\nfn f() { let b = \"crate::b\"; b.g() }",
        ] {
            assert_eq!(cycles(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_record_must_be_exact() {
        let edges = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let complaints = compare("x", &edges(&["a -> b", "b -> a"]), &edges(&["b -> a", "b -> c"]));
        let expected = [
            "x: a -> b is a new edge of a cycle: take it out again",
            "x: b -> c is in no cycle any more: take it off the record",
        ];
        assert_eq!(complaints, expected);
        assert_eq!(compare("x", &edges(&["a -> b"]), &edges(&["a -> b"])), [""; 0]);
    }
}
