//! What sessions left behind in a repository that could run code or hide work.

use serde::{Deserialize, Serialize};

/// What changed in the list of what was left behind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftBehindFound {
    /// What is new.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<LeftBehind>,
    /// What was told before and is not so any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undone: Vec<LeftBehind>,
    /// How many more there are than the list holds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u32,
}

/// One thing that was left behind.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LeftBehind {
    /// What it is.
    pub what: LeftKind,
    /// Where it is: below the top of the work tree, or a whole path.
    pub path: String,
    /// What it could do, in a sentence without its subject's path.
    pub could: String,
}

/// What was left behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftKind {
    /// A symbolic link, a pipe or another odd file in a git directory.
    Link,
    /// A repository that is not the one that was there, or is gone.
    Repository,
    /// A setting of git.
    Config,
    /// A hook of git.
    Hook,
    /// A setting of Jujutsu.
    Jj,
    /// A rebase, merge or the like that is under way.
    Operation,
    /// A repository inside the work tree.
    Nested,
    /// A work tree of the repository.
    Worktree,
    /// Where objects are borrowed from.
    Objects,
    /// An object that is shown in the place of another, or history that is cut.
    Replace,
    /// A rule about which files are hidden or how they are read.
    Info,
    /// A file that the index has git pass over.
    Index,
    /// The stash.
    Stash,
    /// A branch, a tag or another ref.
    Ref,
    /// The project's config of windlass.
    Windlass,
    /// How many more there are.
    More,
    /// A kind of a newer windlass.
    #[serde(other)]
    Unknown,
}

impl LeftBehind {
    /// The entry in one line.
    pub fn line(&self) -> String {
        if self.path.is_empty() {
            return self.could.clone();
        }
        format!("`{}`: {}", self.path, self.could)
    }
}

/// All that was left behind, as the events told it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leftovers {
    /// What is still there.
    pub entries: Vec<LeftBehind>,
    /// How many more there are.
    pub left_out: u32,
}

impl Leftovers {
    /// Takes one more event in.
    pub fn apply(&mut self, found: &LeftBehindFound) {
        self.entries.retain(|entry| !found.undone.contains(entry));
        for entry in &found.entries {
            if !self.entries.contains(entry) {
                self.entries.push(entry.clone());
            }
        }
        self.left_out = found.left_out;
    }

    /// What an event has to tell, so that this list becomes `now`; `None` where it is that already.
    pub fn until(&self, now: &Self) -> Option<LeftBehindFound> {
        let only = |some: &Self, others: &Self| -> Vec<LeftBehind> {
            let entries = some.entries.iter().filter(|entry| !others.entries.contains(entry));
            entries.cloned().collect()
        };
        let (entries, undone) = (only(now, self), only(self, now));
        let is_same = entries.is_empty() && undone.is_empty() && now.left_out == self.left_out;
        (!is_same).then_some(LeftBehindFound { entries, undone, left_out: now.left_out })
    }

    /// The list as a result has it: with a last entry that counts those that are not in it.
    pub fn listed(mut self) -> Vec<LeftBehind> {
        if self.left_out > 0 {
            let could = format!("and {} more", self.left_out);
            self.entries.push(LeftBehind { what: LeftKind::More, path: String::new(), could });
        }
        self.entries
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(could: &str) -> LeftBehind {
        let path = ".git/config".to_owned();
        LeftBehind { what: LeftKind::Config, path, could: could.to_owned() }
    }

    #[test]
    fn events_tell_what_is_new_and_what_is_undone() {
        let mut told = Leftovers::default();
        let first = Leftovers { entries: vec![entry("runs `a`")], left_out: 0 };
        let found = told.until(&first).unwrap();
        told.apply(&found);
        assert_eq!(told, first);
        assert_eq!(told.until(&first), None);
        let then = Leftovers { entries: vec![entry("runs `b`")], left_out: 3 };
        let found = told.until(&then).unwrap();
        assert_eq!(found.undone, [entry("runs `a`")]);
        told.apply(&found);
        assert_eq!(told, then);
        let lines: Vec<String> = told.listed().iter().map(LeftBehind::line).collect();
        assert_eq!(lines, ["`.git/config`: runs `b`", "and 3 more"]);
    }
}
