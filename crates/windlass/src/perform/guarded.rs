//! Guarded files: what is guarded, what the agent did to it, and the checks on the originals.

use std::ffi::OsStr;

use windlass_core::{
    ids::Place,
    step::guarded::{GuardStep, LaterOriginals, OriginalsReport, OriginalsStep},
    step::{CheckReport, CheckStep, StepResult},
};
use windlass_system::stop::Stop;

use super::{Worker, check, program_names::program_names, unless_killed};
use crate::{halt::Halt, workplace::Asked};

/// What Python is told in such a run: it writes no compiled files, and reads none: an
/// agent can make one that fits any source.
const ENVIRONMENT: [(&str, &str); 2] =
    [("PYTHONDONTWRITEBYTECODE", "1"), ("PYTHONPYCACHEPREFIX", "/nonexistent/windlass")];

impl Worker {
    /// Records what is guarded, and keeps the originals that no snapshot has.
    pub(super) async fn guard(&self, step: &GuardStep) -> Result<StepResult, Halt> {
        let asked = self.asked(step, program_names(self.env.get(OsStr::new("PATH"))));
        let report = self.files.record_guarded(asked).await;
        let report = report.map_err(|why| self.could_not("guard the tests", &why))?;
        Ok(StepResult::Guard(report))
    }

    /// Compares the guarded files with their originals.
    pub(super) async fn compare_guarded(
        &self,
        guard: &GuardStep,
        tree: Option<&str>,
        later: &[LaterOriginals],
    ) -> Result<StepResult, Halt> {
        let asked = self.asked(guard, Vec::new());
        let changes = self.files.compare_guarded(asked, tree, later).await;
        let changes = changes.map_err(|why| self.could_not("compare the guarded files", &why))?;
        Ok(StepResult::Guarded(changes))
    }

    /// Runs the checks on the originals, and puts the agent's files back, whatever happens.
    pub(super) async fn originals(
        &self,
        place: &Place,
        step: &OriginalsStep,
        stop: &Stop,
    ) -> Result<StepResult, Halt> {
        let asked = self.asked(&step.guard, Vec::new());
        let put_in = async { Ok(self.files.put_originals_in(asked, &step.later).await) };
        let mut report = OriginalsReport::default();
        let ran = match unless_killed(stop, put_in).await? {
            Ok(has_new_tests) => {
                self.check_originals(place, &step.checks, has_new_tests, stop, &mut report).await
            }
            Err(why) => {
                report.problem = Some(why);
                Ok(())
            }
        };
        let back = self.files.put_agents_files_back().await;
        let back = back.map_err(|why| {
            let what = "put the agent's files back (the next `windlass resume` or `windlass cancel` \
                        tries again)";
            self.could_not(what, &why)
        });
        // What ended the run comes first; that it could not be undone is settled by the next command.
        ran?;
        let back = back?;
        report.disturbed = back.disturbed;
        report.left_alone = back.left_alone;
        Ok(StepResult::Originals(Box::new(report)))
    }

    async fn check_originals(
        &self,
        place: &Place,
        checks: &[CheckStep],
        has_new_tests: bool,
        stop: &Stop,
        report: &mut OriginalsReport,
    ) -> Result<(), Halt> {
        report.checks = self.run_checks(&place.inner(1), checks, stop).await?;
        if !has_new_tests || report.checks.iter().all(|check| check.passed) {
            return Ok(());
        }
        match unless_killed(stop, async { Ok(self.files.set_new_tests_aside().await) }).await? {
            Ok(()) => {
                report.without_new_tests = self.run_checks(&place.inner(2), checks, stop).await?;
            }
            Err(why) => report.problem = Some(format!("new tests could not be set aside: {why}")),
        }
        Ok(())
    }

    async fn run_checks(
        &self,
        place: &Place,
        checks: &[CheckStep],
        stop: &Stop,
    ) -> Result<Vec<CheckReport>, Halt> {
        let mut reports = Vec::new();
        for (number, step) in checks.iter().enumerate() {
            let place = place.inner(number + 1);
            reports.push(check::perform_with(self, &place, step, stop, &ENVIRONMENT).await?);
        }
        Ok(reports)
    }

    fn asked(&self, step: &GuardStep, programs: Vec<String>) -> Asked {
        Asked::new(step.clone(), &self.program_directories(), programs)
    }
}
