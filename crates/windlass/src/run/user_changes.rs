//! What the user changes while a loop runs or rests: the difference between two looks at the tree between
//! which nothing ran and windlass wrote nothing.

use windlass_core::{
    event::EventKind,
    step::guarded::LaterOriginals,
    step::{Step, StepResult},
};

/// What the user changed so far.
#[derive(Clone, Debug, Default)]
pub(super) struct UserChanges {
    /// The tree at the last look.
    last: Option<String>,
    /// Whether something ran or was written since.
    touched: bool,
    /// The changes, with the iteration that each was seen in.
    found: Vec<(u32, LaterOriginals)>,
}

impl UserChanges {
    /// A step begins that runs something or writes files.
    pub(super) fn begins(&mut self, step: &Step) {
        let waits = matches!(
            step,
            Step::Wait { .. } | Step::Ask { .. } | Step::Post(_) | Step::Push { .. }
        );
        self.touched |= step.acts() && !waits;
    }

    /// A step of that iteration is over: a look shows what is there.
    pub(super) fn ends(&mut self, iteration: u32, result: &StepResult) {
        let StepResult::Snapshot { snapshot: Some(snapshot), .. } = result else { return };
        let tree = snapshot.tree.clone();
        let since = self.last.replace(tree.clone());
        let is_touched = std::mem::take(&mut self.touched);
        if let Some(since) = since.filter(|since| !is_touched && *since != tree) {
            self.found.push((iteration, LaterOriginals { tree, since: Some(since) }));
        }
    }

    /// A rollback is the user's wish, but what it brings back need not be the user's work.
    pub(super) fn note(&mut self, event: &EventKind) {
        if let EventKind::RolledBack { to, left, .. } = event {
            self.last = Some(left.as_ref().unwrap_or(to).clone());
            self.touched = false;
        }
    }

    /// What was changed in iteration `since` and later.
    pub(super) fn since(&self, since: u32) -> Vec<LaterOriginals> {
        let found = self.found.iter().filter(|(iteration, _)| *iteration >= since);
        found.map(|(_, change)| change.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use windlass_core::tree::Snapshot;

    use super::*;

    fn look(tree: &str) -> StepResult {
        StepResult::Snapshot {
            snapshot: Some(Snapshot { tree: tree.to_owned(), head: None }),
            changed: 0,
            modified: 0,
            paths: Vec::new(),
            lines: 0,
            only_numbers: false,
            programs: Default::default(),
            notes: Vec::new(),
        }
    }

    fn found(changes: &UserChanges) -> Vec<String> {
        let each = |it: LaterOriginals| format!("{}..{}", it.since.unwrap_or_default(), it.tree);
        changes.since(0).into_iter().map(each).collect()
    }

    #[test]
    fn what_differs_between_two_looks_is_the_users_unless_something_ran() {
        let mut changes = UserChanges::default();
        changes.ends(0, &look("a"));
        changes.ends(0, &look("a"));
        changes.begins(&Step::Keep { text: String::new() });
        changes.ends(1, &look("b"));
        assert!(found(&changes).is_empty());
        changes.ends(1, &look("c"));
        changes.begins(&Step::Dirty);
        changes.ends(2, &look("d"));
        assert_eq!(found(&changes), ["b..c", "c..d"]);
        assert_eq!(changes.since(2).len(), 1);
    }

    #[test]
    fn what_a_rollback_brings_back_is_not_the_users() {
        let mut changes = UserChanges::default();
        changes.ends(0, &look("a"));
        let (from, to) = ("a".to_owned(), "z".to_owned());
        changes.note(&EventKind::RolledBack { iteration: 0, from, to, left: None });
        changes.ends(1, &look("z"));
        assert!(found(&changes).is_empty());
        changes.ends(1, &look("y"));
        assert_eq!(found(&changes), ["z..y"]);
    }
}
