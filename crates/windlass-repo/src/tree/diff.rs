//! What differs between two snapshots.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use windlass_core::tree::Snapshot;

use super::{Tree, TreeError, evidence::Depth, listing::RawPath, numbers::MOST_FILES, shown};
use crate::git::{Call, GitError};

/// How a difference is asked for that people read.
pub(super) const PATCH: [&str; 3] = ["-p", "--full-index", "--color=never"];

/// One path that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The path, relative to the top of the work tree, shown as far as it is UTF-8.
    pub path: String,
    /// How it differs.
    pub kind: ChangeKind,
    /// How many lines came.
    pub added_lines: u64,
    /// How many lines went.
    pub removed_lines: u64,
    /// Whether it is not text.
    pub binary: bool,
}

/// How a path differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// Its content or its mode is another.
    Modified,
    /// It is gone.
    Deleted,
    /// It is of another type: a link in place of a file, say.
    TypeChanged,
}

/// What changed between two snapshots, as far as progress goes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changed {
    /// How many paths differ.
    pub count: usize,
    /// The first of them, 50 at the most.
    pub paths: Vec<String>,
    /// How many of their lines came and went; 0 for what is not text.
    pub lines: u64,
    /// Whether they differ in nothing but numbers, dates and ids.
    pub only_numbers: bool,
}

/// One path of a raw diff between trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawChange {
    pub(super) path: RawPath,
    pub(super) kind: ChangeKind,
    pub(super) old_mode: String,
    pub(super) new_mode: String,
    pub(super) old_id: String,
    pub(super) new_id: String,
}

impl Tree {
    /// The paths that differ, with their counts of lines.
    pub async fn changes(&self, from: &Snapshot, to: &Snapshot) -> Result<Vec<Change>, TreeError> {
        if from.tree == to.tree {
            return Ok(Vec::new());
        }
        let output = self.diff_tree(&from.tree, &to.tree, &["--raw", "--numstat", "-z"]).await?;
        let (raw, counts) = parse(&output);
        let change = |raw: RawChange| {
            let (added, removed) = counts.get(raw.path.as_slice()).copied().unwrap_or((b"0", b"0"));
            Change {
                path: shown(&raw.path),
                kind: raw.kind,
                added_lines: number(added),
                removed_lines: number(removed),
                binary: added == b"-",
            }
        };
        Ok(raw.into_iter().map(change).collect())
    }

    /// How many paths differ. It needs no file's content, so it also counts where the repository
    /// has lost some, for an agent may have called `git gc --prune=now`.
    pub async fn count_changes(&self, from: &Snapshot, to: &Snapshot) -> Result<usize, TreeError> {
        Ok(self.raw_changes(&from.tree, &to.tree).await?.len())
    }

    /// What changed, as far as progress goes.
    pub async fn changed(&self, from: &Snapshot, to: &Snapshot) -> Result<Changed, TreeError> {
        if from.tree == to.tree {
            return Ok(Changed::default());
        }
        let how = ["--raw", "--numstat", "-z"];
        let output = match self.diff_tree(&from.tree, &to.tree, &how).await {
            // Files can be counted where the content of some is lost.
            Err(TreeError::Lost { .. }) => {
                self.diff_tree(&from.tree, &to.tree, &["--raw", "-z"]).await?
            }
            output => output?,
        };
        let (changes, counts) = parse(&output);
        let lines = counts.values().map(|(came, went)| number(came) + number(went)).sum();
        let paths = changes.iter().take(MOST_FILES).map(|change| shown(&change.path)).collect();
        let only_numbers = self.only_numbers(&changes, &to.tree).await;
        Ok(Changed { count: changes.len(), paths, lines, only_numbers })
    }

    /// The difference as people and patches have it.
    pub async fn diff(
        &self,
        from: &Snapshot,
        to: &Snapshot,
        colour: bool,
    ) -> Result<Vec<u8>, TreeError> {
        self.verify_between(&from.tree, &to.tree, Depth::Contents).await?;
        let colour = if colour { "--color=always" } else { "--color=never" };
        self.diff_tree(&from.tree, &to.tree, &["-p", "--full-index", colour]).await
    }

    /// The paths that differ, of those that were there already in the tree `base`.
    pub async fn existing_changed(
        &self,
        base: &Snapshot,
        from: &Snapshot,
        to: &Snapshot,
    ) -> Result<Changed, TreeError> {
        if from.tree == to.tree {
            return Ok(Changed::default());
        }
        let changed = self.raw_changes(&from.tree, &to.tree).await?;
        let before: BTreeMap<RawPath, ChangeKind> = match base.tree == from.tree {
            true => BTreeMap::new(),
            false => {
                let before = self.raw_changes(&base.tree, &from.tree).await?;
                before.into_iter().map(|change| (change.path, change.kind)).collect()
            }
        };
        let was_there = |change: &&RawChange| match before.get(&change.path) {
            Some(kind) => *kind != ChangeKind::Added,
            None => change.kind != ChangeKind::Added,
        };
        let paths: Vec<String> =
            changed.iter().filter(was_there).map(|change| shown(&change.path)).collect();
        let count = paths.len();
        Ok(Changed {
            count,
            paths: paths.into_iter().take(MOST_FILES).collect(),
            ..Changed::default()
        })
    }

    /// The paths that differ between two trees, as bytes.
    pub(super) async fn raw_changes(
        &self,
        from: &str,
        to: &str,
    ) -> Result<Vec<RawChange>, TreeError> {
        Ok(parse(&self.diff_tree(from, to, &["--raw", "-z"]).await?).0)
    }

    /// The same with the directories that hold them.
    pub(super) async fn changes_with_trees(
        &self,
        from: &str,
        to: &str,
    ) -> Result<Vec<RawChange>, TreeError> {
        Ok(parse(&self.diff_tree(from, to, &["--raw", "-t", "-z"]).await?).0)
    }

    async fn diff_tree(&self, from: &str, to: &str, how: &[&str]) -> Result<Vec<u8>, TreeError> {
        self.run_diff(self.diff_call(from, to, how), from, to).await
    }

    /// A call that compares two trees.
    pub(super) fn diff_call(&self, from: &str, to: &str, how: &[&str]) -> Call {
        self.own
            .stored()
            .args(["diff-tree", "-r", "--no-renames", "--no-ext-diff", "--no-textconv"])
            .args(["--no-abbrev", "--ignore-submodules=dirty"])
            .args(how)
            .args(["--end-of-options", from, to])
    }

    pub(super) async fn run_diff(
        &self,
        call: Call,
        from: &str,
        to: &str,
    ) -> Result<Vec<u8>, TreeError> {
        let mut run = self.git.run(call.clone()).await;
        if matches!(&run, Err(GitError::Failed { said, .. }) if is_lost(said)) {
            // A version before the store stood alone recorded it with the repository's objects.
            run = self.git.run(self.own.with_borrowed(call)).await;
        }
        match run {
            Ok(output) => Ok(output.stdout),
            Err(GitError::Failed { said, .. }) if is_lost(&said) => {
                let tree = if said.contains(to) { to } else { from };
                Err(TreeError::Lost { tree: tree.to_owned() })
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn is_lost(said: &str) -> bool {
    ["bad object", "unable to read", "bad revision", "unable to parse object", "missing"]
        .iter()
        .any(|words| said.contains(words))
}

/// The paths that differ, and what git counted of their lines, if it was asked to.
fn parse(output: &[u8]) -> (Vec<RawChange>, Counts<'_>) {
    let mut fields = output.split(|byte| *byte == 0).peekable();
    let mut raw = Vec::new();
    while let Some(field) = fields.next_if(|field| field.starts_with(b":")) {
        let path = fields.next().unwrap_or_default();
        raw.extend(parse_raw(field, path));
    }
    (raw, fields.filter_map(parse_count).collect())
}

/// `:100644 100755 <id> <id> M` and its path.
fn parse_raw(field: &[u8], path: &[u8]) -> Option<RawChange> {
    let text = std::str::from_utf8(field).ok()?.strip_prefix(':')?;
    let fields: Vec<&str> = text.split(' ').collect();
    let &[old_mode, new_mode, old_id, new_id, letter] = fields.as_slice() else { return None };
    let kind = match letter.as_bytes().first()? {
        b'A' => ChangeKind::Added,
        b'D' => ChangeKind::Deleted,
        b'T' => ChangeKind::TypeChanged,
        _ => ChangeKind::Modified,
    };
    Some(RawChange {
        path: path.to_vec(),
        kind,
        old_mode: old_mode.to_owned(),
        new_mode: new_mode.to_owned(),
        old_id: old_id.to_owned(),
        new_id: new_id.to_owned(),
    })
}

/// The lines of a path that came and went, as git wrote them.
type Lines<'a> = (&'a [u8], &'a [u8]);

/// The lines of each path.
type Counts<'a> = BTreeMap<&'a [u8], Lines<'a>>;

/// `12\t3\t<path>`
fn parse_count(field: &[u8]) -> Option<(&[u8], Lines<'_>)> {
    let mut parts = field.splitn(3, |byte| *byte == b'\t');
    let (added, removed, path) = (parts.next()?, parts.next()?, parts.next()?);
    Some((path, (added, removed)))
}

fn number(digits: &[u8]) -> u64 {
    std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}
