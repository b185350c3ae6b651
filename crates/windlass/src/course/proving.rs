//! How a loop proves its work, whatever its kind.

use windlass_core::{
    ending::ClaimedBy,
    options::{Claiming, DoneWhen, Proof},
    step::SessionReport,
};

use super::Course;
use crate::{
    halt::Halt,
    proof::{self, Case, Places, Proven},
    run::Seen,
};

impl Course<'_> {
    /// What a session of the working agent claims: its own words, or the checks alone where these are to
    /// decide.
    pub(crate) fn claim_of(
        &self,
        session: &SessionReport,
        by: Option<ClaimedBy>,
        claiming: &Claiming,
    ) -> Option<ClaimedBy> {
        let decides = claiming.done_when == DoneWhen::Checks && self.has_checks();
        let may = decides && session.failure().is_none() && session.claim.blocked.is_none();
        by.or(may.then_some(ClaimedBy::Checks))
    }

    /// Refuses to begin where the checks alone are to decide, and cannot: they must fail before the
    /// first session.
    pub(crate) fn may_begin(&self, claiming: &Claiming) -> Result<(), Halt> {
        if claiming.done_when == DoneWhen::Claim || self.run.is_past(0) {
            return Ok(());
        }
        self.loop_start.something_fails().map_err(|why| Halt::Failed {
            message: format!(
                "`--done-when checks` needs a check that fails before the first session: {why}"
            ),
            code: 2,
        })
    }

    /// Whether anything can prove the work.
    pub(crate) fn has_checks(&self) -> bool {
        self.options.proof.has_checks()
    }

    /// What claims are judged by.
    pub(super) fn case(&self) -> Case<'_> {
        let (run, proof) = (self.run, &self.options.proof);
        let (released, differed) = (&self.released, &self.differed);
        let lost_background = self.background.lost_in_iteration();
        Case { run, proof, start: &self.loop_start, released, differed, lost_background }
    }

    /// Proves the work in `seen`, in kinds where no claim of an agent asks for it. What is proven sets
    /// the originals for all that follows.
    pub(crate) async fn prove(&mut self, places: &Places, seen: &Seen) -> Result<Proven, Halt> {
        let proof = self.options.proof.clone();
        self.prove_by(&proof, places, seen).await
    }

    /// The same, by these checks.
    pub(crate) async fn prove_by(
        &mut self,
        proof: &Proof,
        places: &Places,
        seen: &Seen,
    ) -> Result<Proven, Halt> {
        let case = Case { proof, ..self.case() };
        let proven = proof::prove(&case, places, seen).await?;
        self.differed.clone_from(&proven.record.released);
        if proven.rejection.is_none() {
            self.accept_tests(places.iteration, proven.record.tree.clone());
        }
        Ok(proven)
    }

    /// From now on the tests of this tree are the originals.
    pub(crate) fn accept_tests(&mut self, iteration: u32, tree: Option<String>) {
        self.loop_start.accept_tests(iteration, tree);
    }

    /// From now on these files are not guarded: findings are about them.
    pub(crate) fn release(&mut self, files: impl IntoIterator<Item = String>) {
        self.released.extend(files);
    }

    /// Tells which guarded files differ, where nothing is proven yet.
    pub(crate) async fn tell_guarded(&self, iteration: u32, seen: &Seen) -> Result<(), Halt> {
        proof::tell_guarded(&self.case(), iteration, seen).await
    }
}
