//! What the loop began with, which claims are held against.

use windlass_core::{
    event::EventKind, ids::Place, options::Proof, step::Fingerprints, step::guarded::LaterOriginals,
};

use super::{baseline, baseline::Baseline, guarded, protected, setup};
use crate::{
    halt::Halt,
    run::{Run, Seen},
};

/// What the loop began with.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopStart {
    /// The tree that work is counted from.
    pub seen: Seen,
    /// Paths that the user had changed before the loop, and files that the first run of the checks added.
    pub dirty: Vec<String>,
    /// What the protected files held; `None` where nothing is protected.
    pub(super) prints: Option<Fingerprints>,
    /// Files that are the agent's to change, whatever a check runs.
    pub(super) spared: Vec<String>,
    /// Whether what is guarded was recorded.
    pub(super) is_guarded: bool,
    /// What the checks said before the first session.
    pub(super) baseline: Baseline,
    /// Files that they changed then, from the top of the tree.
    pub(super) written_by_checks: Vec<String>,
    /// Where the originals are that are not those of the start: what a proof has accepted.
    pub(super) accepted: Option<(u32, LaterOriginals)>,
}

impl LoopStart {
    /// Records what is there before the first iteration. The files in `spared` are the agent's to
    /// change, also where a check names them.
    pub(crate) async fn record(
        run: &Run<'_>,
        proof: &Proof,
        spared: &[String],
    ) -> Result<Self, Halt> {
        setup::prepare_worktree(run, proof).await?;
        let seen = run.look(Place::new(0, "tree"), None, None).await?;
        let dirty = match seen.snapshot.is_some() {
            true => run.dirty(Place::new(0, "dirty")).await?,
            false => Vec::new(),
        };
        run.record_programs().await?;
        let prints = protected::at_start(run, proof, spared).await?;
        let mut start = Self { seen, dirty, prints, spared: spared.to_vec(), ..Self::default() };
        start.baseline = baseline::take(run, proof, &mut start).await?;
        // After the checks ran: an environment that they make for themselves is not the agent's.
        start.is_guarded = guarded::record(run, proof, &start).await?;
        Ok(start)
    }

    /// Whether some check fails before the first session; the reason where that is not known or not so.
    pub(crate) fn something_fails(&self) -> Result<(), String> {
        self.baseline.something_fails()
    }

    /// From now on the tests of this tree are the originals: a proof of that iteration accepted them.
    pub(crate) fn accept_tests(&mut self, iteration: u32, tree: Option<String>) {
        if let Some(tree) = tree {
            self.accepted = Some((iteration, LaterOriginals { tree, since: None }));
        }
    }

    /// The trees that later originals are in, the latest last.
    pub(super) fn later(&self, run: &Run<'_>) -> Vec<LaterOriginals> {
        let (since, accepted) = match &self.accepted {
            Some((iteration, accepted)) => (*iteration, Some(accepted.clone())),
            None => (0, None),
        };
        accepted.into_iter().chain(run.changed_by_user(since)).collect()
    }

    /// Notes a fact about the loop's start.
    pub(super) fn note(run: &Run<'_>, fact: EventKind) {
        run.note(0, fact);
    }
}
