//! Facts about a repository, and the state that they make up: plain data, which is stored.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

/// What a fact is about. What the name and the value of a fact are is said with each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum About {
    /// A symbolic link: its name, and where it leads.
    Link,
    /// Something that is no file where one belongs, or one that is too large: what it is.
    Strange,
    /// What `.git` at the top is.
    Git,
    /// A setting that could do something: its name and values.
    Setting,
    /// The same, in a repository of which only what runs is told.
    RunningSetting,
    /// An executable hook: its name, and what it holds.
    Hook,
    /// A line of a file of rules.
    Line,
    /// A directory that takes the place of the shared one.
    CommonDir,
    /// What is under way: its name, and the commands that it would run.
    Operation,
    /// A work tree: its name, and where it is.
    Worktree,
    /// What HEAD of a work tree says.
    Head,
    /// A branch that a loop works on, in a work tree of windlass's own.
    LoopBranch,
    /// A ref, and its commit.
    Ref,
    /// A tag that has the name of a branch.
    Shadow,
    /// The commits of the stash, the newest first, a line each.
    Stash,
    /// A path of the index, and its mark.
    Flag,
    /// A repository inside the work tree: where its git directory is.
    Nested,
    /// A setting of Jujutsu.
    Jj,
    /// The project's config of windlass: what it holds.
    Windlass,
}

/// What one file or directory says.
pub(super) type Leaf = BTreeMap<(About, String), String>;

/// The state of a repository: what its files say, by their paths as they are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State(pub(super) BTreeMap<String, Arc<Leaf>>);

/// One difference between two states.
#[derive(Clone, Copy, Debug)]
pub(super) struct Differs<'a> {
    pub(super) path: &'a str,
    pub(super) about: About,
    pub(super) name: &'a str,
    pub(super) before: Option<&'a str>,
    pub(super) now: Option<&'a str>,
}

impl State {
    /// What differs in `now`.
    pub(super) fn differences<'a>(&'a self, now: &'a Self) -> Vec<Differs<'a>> {
        let mut found = Vec::new();
        for (path, leaf) in &now.0 {
            let before = self.0.get(path);
            if before.is_some_and(|before| Arc::ptr_eq(before, leaf)) {
                continue;
            }
            compare(path, before.map(|leaf| &**leaf), Some(leaf), &mut found);
        }
        for (path, leaf) in self.0.iter().filter(|(path, _)| !now.0.contains_key(*path)) {
            compare(path, Some(leaf), None, &mut found);
        }
        found
    }

    /// Takes over what changed from `last` to `now`: it was not the agents that changed it.
    pub(super) fn take_over(&mut self, last: &Self, now: &Self) {
        for differs in last.differences(now) {
            let leaf = self.0.entry(differs.path.to_owned()).or_default();
            let key = (differs.about, differs.name.to_owned());
            match differs.now {
                Some(value) => Arc::make_mut(leaf).insert(key, value.to_owned()),
                None => Arc::make_mut(leaf).remove(&key),
            };
        }
    }

    /// What a file says about one thing.
    pub(super) fn get(&self, path: &str, about: About, name: &str) -> Option<&str> {
        self.0.get(path)?.get(&(about, name.to_owned())).map(String::as_str)
    }
}

fn compare<'a>(
    path: &'a str,
    before: Option<&'a Leaf>,
    now: Option<&'a Leaf>,
    found: &mut Vec<Differs<'a>>,
) {
    for (key, value) in now.into_iter().flatten() {
        let before = before.and_then(|leaf| leaf.get(key)).map(String::as_str);
        if before != Some(value) {
            let now = Some(value.as_str());
            found.push(Differs { path, about: key.0, name: &key.1, before, now });
        }
    }
    for (key, value) in before.into_iter().flatten() {
        if now.is_none_or(|leaf| !leaf.contains_key(key)) {
            let before = Some(value.as_str());
            found.push(Differs { path, about: key.0, name: &key.1, before, now: None });
        }
    }
}

/// How a state is stored.
#[derive(Serialize, Deserialize)]
struct Stored(Vec<(String, Vec<StoredFact>)>);

type StoredFact = (About, String, String);

impl Serialize for State {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let leaves = self.0.iter().map(|(path, leaf)| {
            let facts = leaf.iter();
            let facts = facts.map(|((about, name), value)| (*about, name.clone(), value.clone()));
            (path.clone(), facts.collect())
        });
        Stored(leaves.collect()).serialize(to)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Stored(leaves) = Stored::deserialize(from)?;
        let leaves = leaves.into_iter().map(|(path, facts)| {
            let facts = facts.into_iter();
            let leaf: Leaf = facts.map(|(about, name, value)| ((about, name), value)).collect();
            (path, Arc::new(leaf))
        });
        Ok(Self(leaves.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(facts: &[(&str, &str)]) -> State {
        let mut state = State::default();
        for (name, value) in facts {
            let leaf = state.0.entry("refs".to_owned()).or_default();
            Arc::make_mut(leaf).insert((About::Ref, (*name).to_owned()), (*value).to_owned());
        }
        state
    }

    #[test]
    fn what_changed_between_sessions_is_not_told() {
        let mut origin = state(&[("main", "1"), ("next", "1")]);
        let last = state(&[("main", "2"), ("next", "1")]);
        let now = state(&[("main", "2"), ("next", "5"), ("new", "3")]);
        origin.take_over(&last, &now);
        let differs = origin.differences(&now);
        let named: Vec<&str> = differs.iter().map(|differs| differs.name).collect();
        assert_eq!(named, ["main"]);
    }

    #[test]
    fn a_state_is_read_as_it_was_stored() {
        let state = state(&[("main", "1"), ("\u{fffd}", "")]);
        let stored = serde_json::to_string(&state).unwrap();
        assert_eq!(serde_json::from_str::<State>(&stored).unwrap(), state);
    }
}
