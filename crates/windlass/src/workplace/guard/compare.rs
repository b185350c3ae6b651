//! What became of guarded files, and what their originals are.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use windlass_core::{
    step::guarded::{GuardChanges, GuardedChange, GuardedHow, LaterOriginals, WatchedChange},
    text::causes::with_causes,
};
use windlass_proof::guard::{
    Class, Guard,
    keys::{self, Kind},
};
use windlass_repo::tree::{ChangeKind, Differing, InTree, Original, Tree, is_hash_only};
use windlass_system::below::{self, Links, Root, Walked};

use super::{
    kept::{Back, Kept, Now},
    levels::Levels,
    manifest::Manifest,
    swap::copy,
};

/// A shared file that is larger is put back as a whole.
pub(super) const MOST_SHARED: u64 = 32 << 20;

/// What became of guarded files.
#[derive(Default)]
pub(super) struct Comparison {
    /// What differs, with what the originals are.
    pub(super) differing: Vec<(GuardedChange, Source)>,
    pub(super) new_tests: Vec<String>,
    locked: Vec<String>,
    watched: Vec<WatchedChange>,
    pub(super) inline_tests: Vec<WatchedChange>,
    released: Vec<String>,
}

/// Where an original comes from.
pub(super) enum Source {
    /// There was none: the agent's file is moved aside.
    Nothing,
    /// It is known.
    Known(Original),
    /// It is the copy of that number, with this digest and mode.
    Copy { number: usize, digest: String, mode: u32 },
}

impl Comparison {
    /// What the loop is told.
    pub(super) fn changes(self) -> GuardChanges {
        let Self { differing, new_tests, locked, watched, inline_tests, released } = self;
        let changes = differing.into_iter().map(|(change, _)| change).collect();
        GuardChanges { changes, new_tests, locked, watched, inline_tests, released }
    }

    pub(super) fn doubt(&mut self, path: &str, reason: &str) {
        let (path, reason) = (path.to_owned(), reason.to_owned());
        self.watched.push(WatchedChange { path, reason, line: None });
    }
}

/// Compares.
pub(super) struct Comparer<'a> {
    pub(super) root: &'a Root,
    pub(super) guard: &'a Guard,
    /// The same, if no finding released files; `None` where none does.
    pub(super) unreleased: Option<&'a Guard>,
    pub(super) manifest: &'a Manifest,
    /// Where the root is.
    pub(super) top: &'a Path,
    /// Where copies are.
    pub(super) folder: &'a Path,
    pub(super) locks: bool,
}

impl Comparer<'_> {
    pub(super) async fn compare(
        &self,
        now: Option<(&Tree, &str)>,
        later: &[LaterOriginals],
    ) -> Result<Comparison, String> {
        let walked = below::walk(self.root).map_err(|errno| errno.to_string())?;
        let mut found = Comparison::default();
        self.closed(&walked, &mut found);
        let levels = match (now, &self.manifest.tree) {
            (Some((tree, now)), Some(start)) => {
                let levels = Levels::read(tree, start, now, later).await?;
                self.recorded(tree, &levels, &mut found).await?;
                self.inline_tests(tree, &levels, &mut found).await?;
                Some(levels)
            }
            // What became a repository since is compared by what was kept.
            (_, None) => {
                self.inline_tests_outside(&mut found)?;
                None
            }
            (None, Some(_)) => {
                return Err("the directory is no git repository any more, so its tests cannot be \
                            compared with how they were"
                    .to_owned());
            }
        };
        for (path, kept) in &self.manifest.kept {
            self.kept(path, kept, &mut found)?;
        }
        self.added(&walked, levels.as_ref(), &mut found)?;
        self.in_the_way_of_make(&mut found);
        found.differing.sort_by(|one, other| one.0.path.cmp(&other.0.path));
        Ok(found)
    }

    /// Directories that could be read at the start: what is hidden in them cannot be judged.
    fn closed(&self, walked: &Walked, found: &mut Comparison) {
        let closed = walked.closed.iter().map(|path| String::from_utf8_lossy(path).into_owned());
        for path in closed.filter(|path| !self.manifest.closed.contains(path)) {
            found.locked.push(format!("`{path}` cannot be read any more: make it readable again"));
        }
    }

    /// What differs of the files that snapshots have.
    async fn recorded(
        &self,
        tree: &Tree,
        levels: &Levels,
        found: &mut Comparison,
    ) -> Result<(), String> {
        let mut changed = Vec::new();
        for one in levels.changed() {
            let Some(old) = one.old.as_ref().filter(|old| !old.is_repository()) else { continue };
            let class = self.guard.class(&String::from_utf8_lossy(&one.path));
            match (class, std::str::from_utf8(&one.path)) {
                (Class::Free, Ok(path)) => self.free(path, found),
                (Class::Free, Err(_)) => {}
                (Class::Watched, _) => {
                    let path = String::from_utf8_lossy(&one.path);
                    found.doubt(&path, watched_reason(one.kind));
                }
                (_, Err(_)) => {
                    let path = String::from_utf8_lossy(&one.path);
                    found.locked.push(format!("`{path}` was changed, and its name is not UTF-8"));
                }
                (class, Ok(path)) => changed.push((one, old, class, path)),
            }
        }
        let ids: BTreeSet<String> = changed.iter().map(|(_, old, ..)| old.id.clone()).collect();
        let contents = tree.contents(ids).await.map_err(|error| with_causes(&error))?;
        for (one, old, class, path) in changed {
            self.recorded_one((one, old), (&class, path), &contents, found);
        }
        Ok(())
    }

    fn recorded_one(
        &self,
        (one, old): (&Differing, &InTree),
        (class, path): (&Class, &str),
        contents: &BTreeMap<String, Vec<u8>>,
        found: &mut Comparison,
    ) {
        let Some(bytes) = contents.get(&old.id) else {
            let why = "its original is not in windlass's store any more, or not as it was";
            found.locked.push(format!("`{path}` was changed, and {why}"));
            return;
        };
        // Locked ones are compared by what was kept of them.
        if is_hash_only(bytes) && !old.is_link() {
            if !self.manifest.kept.contains_key(path) {
                found.locked.push(format!("`{path}` was changed, and only its hash is known"));
            }
            return;
        }
        let is_there = below::stood(self.root, path.as_bytes()).is_ok_and(|it| it.is_some());
        // It may still be there, and only be ignored now.
        if one.kind == ChangeKind::Deleted && is_there && self.holds(path, old, bytes) {
            return;
        }
        let how = if is_there { GuardedHow::Changed } else { GuardedHow::Deleted };
        let original = match old.is_link() {
            true => Original::Link(bytes.clone()),
            false => {
                Original::File { bytes: bytes.clone(), mode: None, executable: old.is_executable() }
            }
        };
        if let (Class::Shared { kind, keys }, true, false) = (class, is_there, old.is_link()) {
            self.shared(path, (*kind, keys), original, found);
            return;
        }
        let change = change(path, how, what(class));
        found.differing.push((change, Source::Known(original)));
    }

    /// A file that is the agent's, and maybe only because a finding is about it.
    fn free(&self, path: &str, found: &mut Comparison) {
        if self.unreleased.is_some_and(|guard| guard.class(path).is_guarded()) {
            found.released.push(path.to_owned());
        }
    }

    /// Whether a path holds what a tree has.
    fn holds(&self, path: &str, old: &InTree, bytes: &[u8]) -> bool {
        let path = path.as_bytes();
        let Ok(Some(stood)) = below::stood(self.root, path) else { return false };
        if old.is_link() {
            return below::read_link(self.root, path).is_ok_and(|target| target == bytes);
        }
        let is_executable = stood.mode & 0o100 != 0;
        let held = || below::read(self.root, path, Links::Refused, bytes.len() as u64);
        stood.kind().is_file()
            && is_executable == old.is_executable()
            && held().is_ok_and(|held| held == bytes)
    }

    /// A shared file that differs: only its guarded keys count.
    fn shared(
        &self,
        path: &str,
        (kind, keys): (Kind, &[String]),
        original: Original,
        found: &mut Comparison,
    ) {
        let Original::File { bytes, executable, mode } = &original else { return };
        let now = below::read(self.root, path.as_bytes(), Links::Refused, MOST_SHARED);
        let differences = now.as_ref().ok().map(|now| keys::differences(kind, bytes, now, keys));
        let mut change = change(path, GuardedHow::Changed, SHARED);
        let source = match (differences, &now) {
            (Some(Ok(differences)), _) if differences.is_empty() => return,
            (Some(Ok(differences)), Ok(now)) => {
                change.keys = differences.into_iter().map(|one| one.key).collect();
                match keys::restore(kind, bytes, now, keys) {
                    Ok(bytes) => Original::File { bytes, mode: *mode, executable: *executable },
                    Err(_) => original,
                }
            }
            _ => original,
        };
        found.differing.push((change, Source::Known(source)));
    }

    /// A file that no snapshot has.
    fn kept(&self, path: &str, kept: &Kept, found: &mut Comparison) -> Result<(), String> {
        let class = self.guard.class(kept.behind.as_deref().unwrap_or(path));
        if class == Class::Free && self.unreleased.is_none() {
            return Ok(());
        }
        let Some(now) = kept.differs(self.root, path)? else { return Ok(()) };
        if class == Class::Free {
            self.free(path, found);
            return Ok(());
        }
        let how = match now {
            Now::Changed => GuardedHow::Changed,
            Now::Deleted => GuardedHow::Deleted,
        };
        let source = match (&kept.back, &kept.print) {
            (Back::Locked(why), _) => {
                let word = now.word();
                found.locked.push(format!("`{path}` was {word}, and cannot be restored: {why}"));
                return Ok(());
            }
            (Back::Watched, _) => {
                found.doubt(path, &format!("was {}", now.word()));
                return Ok(());
            }
            (Back::Copy(number), super::look::Print::File { digest, executable })
                if now == Now::Changed && matches!(class, Class::Shared { .. }) =>
            {
                let Class::Shared { kind, keys } = &class else { return Ok(()) };
                let bytes = copy(self.folder, *number, digest)
                    .map_err(|why| format!("the original of `{path}` {why}"))?;
                let (mode, executable) = (Some(kept.mode), *executable);
                let original = Original::File { bytes, mode, executable };
                self.shared(path, (*kind, keys), original, found);
                return Ok(());
            }
            (Back::Copy(number), super::look::Print::File { digest, .. }) => {
                Source::Copy { number: *number, digest: digest.clone(), mode: kept.mode }
            }
            (Back::Link, super::look::Print::Link { target }) => {
                Source::Known(Original::Link(target.clone()))
            }
            _ => return Err(format!("the original of `{path}` is not known any more")),
        };
        found.differing.push((change(path, how, what(&class)), source));
        Ok(())
    }
}

/// What a shared file is to the tests.
pub(super) const SHARED: &str = "some of its keys decide which tests run";

fn what(class: &Class) -> &'static str {
    match class {
        Class::Test => "a test",
        Class::RunnerConfig => "it decides which tests run",
        Class::Program => "a program that checks may run",
        Class::Shared { .. } => SHARED,
        Class::Watched | Class::Free => "watched",
    }
}

fn watched_reason(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Deleted => "was deleted, and tests may depend on it",
        ChangeKind::Added | ChangeKind::Modified | ChangeKind::TypeChanged => {
            "was changed, and tests may depend on it"
        }
    }
}

pub(super) fn change(path: &str, how: GuardedHow, what: &str) -> GuardedChange {
    GuardedChange { path: path.to_owned(), how, what: what.to_owned(), keys: Vec::new() }
}
