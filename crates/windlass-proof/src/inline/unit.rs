//! One inline test, or a part of the code that only tests use, in a form that can be compared.

use std::collections::{BTreeMap, HashMap};

/// A part of a file that tests are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) kind: Kind,
    /// The test's name, or the line that a doctest begins with.
    pub(super) name: Option<String>,
    /// What it says, without what does not matter.
    pub(super) text: String,
    /// What it depends on around it.
    pub(super) chain: usize,
    /// Where it begins.
    pub(super) line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Test,
    /// Code that is only there for tests.
    Code,
    Doctest,
}

impl Unit {
    pub(super) fn told(&self) -> String {
        match (self.kind, &self.name) {
            (Kind::Test | Kind::Code, Some(name)) => format!("`{name}`"),
            (Kind::Test, None) => "a test".to_owned(),
            (Kind::Code, None) => "code that tests use".to_owned(),
            (Kind::Doctest, _) => "a doctest".to_owned(),
        }
    }
}

/// The conditions of modules around a test, by number: 0 for none.
#[derive(Debug, Default)]
pub(super) struct Chains {
    known: HashMap<(usize, String), usize>,
}

impl Chains {
    /// Those of `outer`, and one more.
    pub(super) fn and(&mut self, outer: usize, condition: String) -> usize {
        let next = self.known.len() + 1;
        *self.known.entry((outer, condition)).or_insert(next)
    }
}

/// What is only in the one, and what is only in the other.
pub(super) fn difference(had: Vec<Unit>, has: Vec<Unit>) -> (Vec<Unit>, Vec<Unit>) {
    let mut counts: BTreeMap<(usize, String), usize> = BTreeMap::new();
    for unit in &has {
        *counts.entry((unit.chain, unit.text.clone())).or_default() += 1;
    }
    let mut kept: BTreeMap<(usize, String), usize> = BTreeMap::new();
    let mut lost = Vec::new();
    for unit in had {
        let key = (unit.chain, unit.text.clone());
        match counts.get_mut(&key) {
            Some(left @ 1..) => {
                *left -= 1;
                *kept.entry(key).or_default() += 1;
            }
            _ => lost.push(unit),
        }
    }
    let is_new = |unit: &Unit| match kept.get_mut(&(unit.chain, unit.text.clone())) {
        Some(left @ 1..) => {
            *left -= 1;
            false
        }
        _ => true,
    };
    let gained = has.into_iter().filter(is_new).collect();
    (lost, gained)
}
