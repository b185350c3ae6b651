//! A proof while it is taken: what was looked at so far, and what it comes to.

use windlass_core::{
    context::Rejection,
    event::{EventKind, ProofTaken},
    evidence::OnlyFor,
    proof_record::{Doubt, ProofRecord},
    step::CheckReport,
    step::guarded::{GuardChanges, WatchedChange},
    text::commands,
};
use windlass_proof::baseline::{self, known_failures};

use super::{
    Case, Places, Proven,
    checks::{Checked, is_waived},
};
use crate::run::Seen;

/// A proof while it is taken.
pub(super) struct Taking {
    pub(super) record: ProofRecord,
    pub(super) only_for: Option<OnlyFor>,
    checks: Vec<CheckReport>,
}

impl Taking {
    pub(super) fn new(case: &Case<'_>, seen: &Seen) -> Self {
        let record = ProofRecord {
            baseline: case.start.baseline.state,
            tree: seen.tree(),
            released: case.differed.to_vec(),
            ..ProofRecord::default()
        };
        Self { record, only_for: None, checks: Vec::new() }
    }

    /// Watched files that differ are doubts, and so are inline tests.
    pub(super) fn doubt_watched(&mut self, changes: &GuardChanges) {
        let doubt = |detector, watched: &WatchedChange| {
            let reason = format!("`{}` {}", watched.path, watched.reason);
            let doubt = Doubt::new(detector, Some(&watched.path), reason);
            Doubt { line: watched.line, ..doubt }
        };
        let files = changes.watched.iter().map(|watched| doubt("watched-file", watched));
        let inline = changes.inline_tests.iter().map(|watched| doubt("inline-test", watched));
        self.record.doubts.extend(files.chain(inline));
    }

    /// Tests that differ, and are not guarded because findings are about them.
    pub(super) fn name_released(&mut self, changes: &GuardChanges) {
        let named = &mut self.record.released;
        let new: Vec<String> =
            changes.released.iter().filter(|path| !named.contains(path)).cloned().collect();
        named.extend(new);
    }

    /// What the checks said.
    pub(super) fn take_checks(&mut self, case: &Case<'_>, checked: &Checked) {
        self.checks.clone_from(&checked.reports);
        self.record.checks = checked.reports.iter().map(Into::into).collect();
        let tests: Vec<_> = checked.reports.iter().filter_map(|it| it.tests.as_ref()).collect();
        self.record.tests = (!tests.is_empty()).then(|| tests.into_iter().sum());
        self.record.waived = checked.reports.iter().any(|report| is_waived(case, report));
        for report in checked.reports.iter().filter(|report| report.passed) {
            let before = case.start.baseline.of(&report.command);
            self.record.doubts.extend(baseline::doubts(before, report));
        }
        for command in &checked.flaky {
            self.doubt_flaky(command);
        }
    }

    /// Checks that passed now and failed before on the same files are flaky.
    pub(super) fn note_flaky<'r>(&mut self, passed: impl Iterator<Item = &'r CheckReport>) {
        for report in passed {
            self.doubt_flaky(&report.command);
        }
    }

    /// Checks that fail without the agent's new tests, though no test fails that was there, are doubts.
    pub(super) fn doubt_without_new_tests(&mut self, commands: &[String]) {
        let doubts = commands.iter().map(|command| {
            let reason = format!(
                "`{command}` fails without the agent's new tests, though every test passes that was there"
            );
            Doubt::new("only-with-new-tests", None, reason)
        });
        self.record.doubts.extend(doubts);
    }

    fn doubt_flaky(&mut self, command: &str) {
        if !self.record.flaky.iter().any(|known| known == command) {
            self.record.flaky.push(command.to_owned());
            let reason = format!("`{command}` passed and failed on the same files");
            self.record.doubts.push(Doubt::new("flaky-check", None, reason));
        }
    }

    /// Notes that nothing fails but what failed before the loop, where that is so.
    pub(super) fn only_known(&mut self, case: &Case<'_>) {
        let mut failing = Vec::new();
        for report in self.checks.iter().filter(|report| !report.passed) {
            let before = case.start.baseline.of(&report.command);
            let Some(known) = known_failures(before, report) else { return };
            failing.extend(known);
        }
        if !failing.is_empty() {
            self.only_for = Some(OnlyFor::KnownFailures { failing });
        }
    }

    /// The tree that the checks ran on.
    pub(super) fn bind(&mut self, tree: Option<String>) {
        self.record.tree = tree;
    }

    pub(super) fn proven(self, case: &Case<'_>, places: &Places) -> Proven {
        self.finish(case, places, None)
    }

    pub(super) fn rejected(self, case: &Case<'_>, places: &Places, rejection: Rejection) -> Proven {
        self.finish(case, places, Some(rejection))
    }

    fn finish(mut self, case: &Case<'_>, places: &Places, rejection: Option<Rejection>) -> Proven {
        let run = case.run;
        let programs = run.doubts(&case.proof.command_lines()).into_iter();
        let programs = programs.map(|reason| Doubt::new("path-program", None, reason));
        self.record.doubts.extend(programs);
        self.record.doubts.extend(lost_background(case.lost_background));
        run.tell_counts(places.iteration, &self.checks);
        let taken = ProofTaken {
            iteration: places.iteration,
            round: places.round,
            proof: self.record.clone(),
            rejected: rejection.iter().flat_map(|it| it.reasons.clone()).collect(),
        };
        run.note(places.iteration, EventKind::Proof(Box::new(taken)));
        let Self { record, only_for, checks } = self;
        let only_for = only_for.filter(|_| rejection.is_some());
        Proven { record, rejection, only_for, checks }
    }
}

/// Work that was lost in the background is a doubt: what is proven may lack what it was to do.
fn lost_background(commands: &[String]) -> Option<Doubt> {
    let reason = || {
        let commands = commands::listed(commands);
        format!("the session ended while this was running in the background: {commands}")
    };
    (!commands.is_empty()).then(|| Doubt::new("background", None, reason()))
}
