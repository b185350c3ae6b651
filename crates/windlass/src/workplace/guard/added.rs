//! What is there now and was not when the loop began: new tests, and files that decide how tests run.

use std::collections::BTreeSet;

use windlass_core::step::guarded::{GuardedChange, GuardedHow};
use windlass_proof::guard::{Role, keys};
use windlass_repo::tree::Original;
use windlass_system::below::{self, Links, Walked};

use super::{
    compare::{Comparer, Comparison, MOST_SHARED, SHARED, Source, change},
    levels::Levels,
    machine::is_link_to_the_machines,
};

impl Comparer<'_> {
    /// Files that were not there.
    pub(super) fn added(
        &self,
        walked: &Walked,
        levels: Option<&Levels>,
        found: &mut Comparison,
    ) -> Result<(), String> {
        let before = &self.manifest.before;
        let mut new = Vec::new();
        for raw in &walked.files {
            let path = String::from_utf8_lossy(raw);
            let was_there = before.contains(&*path);
            let is_new = levels.map_or(!was_there, |levels| levels.is_new(&path, was_there));
            if is_new {
                new.push(path.into_owned());
            }
        }
        // What came back after later originals were without it is new, too.
        let gone: Vec<&String> = new.iter().filter(|path| before.contains(*path)).collect();
        let without: BTreeSet<String>;
        let before = match gone.is_empty() {
            true => before,
            false => {
                without = before.iter().filter(|it| !gone.contains(it)).cloned().collect();
                &without
            }
        };
        for added in self.guard.added(&new, before, |path| self.hides_a_program(path)) {
            self.added_one(&added.path, added.role, found);
        }
        Ok(())
    }

    /// What stands where make looks whether something is made already.
    pub(super) fn in_the_way_of_make(&self, found: &mut Comparison) {
        for path in &self.manifest.free {
            let is_there = below::stood(self.root, path.as_bytes()).is_ok_and(|it| it.is_some());
            let is_known = found.differing.iter().any(|(change, _)| change.path == *path);
            if is_there && !is_known && !self.guard.is_released(path) {
                let why = "make takes its target of this name for made, and runs nothing";
                self.found_added(change(path, GuardedHow::Added, why), Source::Nothing, found);
            }
        }
    }

    /// Whether a program in the tree is found before one of the machine, and is another.
    fn hides_a_program(&self, path: &str) -> bool {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        let since = self.manifest.written_at;
        self.manifest.had_program(name) && !is_link_to_the_machines(self.top, path, since)
    }

    fn added_one(&self, path: &str, role: Role, found: &mut Comparison) {
        let (change, source) = match role {
            Role::Written => {
                return found.doubt(path, "was written by the agent, and checks may use it");
            }
            Role::Test => return found.new_tests.push(path.to_owned()),
            Role::JoinedTest => {
                (change(path, GuardedHow::Added, GuardedChange::JOINED), Source::Nothing)
            }
            Role::Runner { why } => (change(path, GuardedHow::Added, &why), Source::Nothing),
            Role::Keys { kind, keys } => {
                let now = below::read(self.root, path.as_bytes(), Links::Refused, MOST_SHARED);
                let differences =
                    now.as_ref().ok().map(|now| keys::differences(kind, b"", now, &keys));
                let mut change = change(path, GuardedHow::Added, SHARED);
                match (differences, now) {
                    (Some(Ok(differences)), _) if differences.is_empty() => return,
                    (Some(Ok(differences)), Ok(now)) => {
                        change.keys = differences.into_iter().map(|one| one.key).collect();
                        let mode = below::stood(self.root, path.as_bytes()).ok().flatten();
                        let mode = mode.map(|stood| stood.mode & 0o777);
                        let stripped = keys::restore(kind, b"", &now, &keys);
                        let stripped = stripped.map(|bytes| {
                            Source::Known(Original::File { bytes, mode, executable: false })
                        });
                        (change, stripped.unwrap_or(Source::Nothing))
                    }
                    _ => (change, Source::Nothing),
                }
            }
        };
        self.found_added(change, source, found);
    }

    fn found_added(&self, change: GuardedChange, source: Source, found: &mut Comparison) {
        if self.locks {
            let GuardedChange { path, what, .. } = &change;
            return found.doubt(path, &format!("was added by the agent: {what}"));
        }
        found.differing.push((change, source));
    }
}
