//! Claim and proof: an agent's claim is accepted only if the checks pass on exactly the tree that
//! the claim is about, and on the tests as they were when the loop began.
//!
//! Cheapest first, and the first that speaks against the claim decides: protected and locked files
//! (`protected`, `guarded`), the checks (`checks`), the checks on the originals (`originals`). `baseline` is
//! what the checks said before the first session. Every kind proves its work here.

mod baseline;
mod checks;
mod guarded;
mod originals;
mod past;
mod places;
mod protected;
mod setup;
mod start;
mod taking;

use windlass_core::{
    context::Rejection, ending::ClaimedBy, event::EventKind, evidence::OnlyFor, options::Proof,
    proof_record::ProofRecord, step::CheckReport,
};

pub(crate) use self::{places::Places, start::LoopStart};

use self::taking::Taking;
use crate::{
    halt::Halt,
    run::{ClaimFate, RecordedClaim, Run, Seen},
};

/// What a claim is judged by.
#[derive(Clone, Copy)]
pub(crate) struct Case<'a> {
    pub(crate) run: &'a Run<'a>,
    pub(crate) proof: &'a Proof,
    pub(crate) start: &'a LoopStart,
    /// Files that are not guarded because a finding is about them.
    pub(crate) released: &'a [String],
    /// Those of them that differed in earlier proofs.
    pub(crate) differed: &'a [String],
    /// What sessions of this iteration lost in the background.
    pub(crate) lost_background: &'a [String],
}

/// What speaks for the work and against it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proven {
    /// All that was looked at.
    pub(crate) record: ProofRecord,
    /// Why the work is not proven; `None` where it is, or where nothing could prove it.
    pub(crate) rejection: Option<Rejection>,
    /// That it is not proven for one thing only, about which the user can decide.
    pub(crate) only_for: Option<OnlyFor>,
    /// The checks as they ran last.
    pub(crate) checks: Vec<CheckReport>,
}

/// What work is accepted with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Acceptance {
    /// How many checks have proven it; none means unverified.
    pub(crate) checks: u32,
    /// Whether something was waived, which means unverified, too.
    pub(crate) waived: bool,
    /// What is to be said about the proof all the same.
    pub(crate) doubts: Vec<String>,
}

impl Acceptance {
    pub(crate) fn is_verified(&self) -> bool {
        self.checks > 0 && !self.waived
    }

    pub(crate) fn judged(&self) -> Judged {
        Judged::Accepted { checks: self.checks, waived: self.waived }
    }

    /// The fact that the work of an iteration is accepted.
    pub(crate) fn fact(&self, iteration: u32, by: ClaimedBy, tree: Option<String>) -> EventKind {
        let Self { checks, waived, doubts } = self.clone();
        EventKind::ClaimAccepted { iteration, by, checks, waived, tree, doubts }
    }
}

impl Proven {
    /// What the work is accepted with, where nothing speaks against it.
    pub(crate) fn acceptance(&self) -> Acceptance {
        let doubts = self.record.doubts.iter().map(|doubt| doubt.reason.clone()).collect();
        Acceptance { checks: self.passed(), waived: self.record.waived, doubts }
    }

    /// How many checks have passed.
    fn passed(&self) -> u32 {
        let passed = self.checks.iter().filter(|report| report.passed).count();
        u32::try_from(passed).unwrap_or(u32::MAX)
    }
}

/// What became of a claim, and what the checks said that ran for it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hearing {
    /// What became of it.
    pub judged: Judged,
    /// The checks as they ran last.
    pub checks: Vec<CheckReport>,
    /// That it was rejected for one thing only, about which the user can decide.
    pub only_for: Option<OnlyFor>,
}

impl Hearing {
    /// Nothing was claimed, or what was claimed is judged by the kind itself.
    pub(crate) fn of_kind(judged: Judged) -> Self {
        Self { judged, checks: Vec::new(), only_for: None }
    }

    /// Of a claim that an earlier owner of the loop has judged.
    fn of(RecordedClaim { fate, checks, by_originals }: RecordedClaim) -> Self {
        let judged = match fate {
            None => Judged::None,
            Some(ClaimFate::Accepted { checks, waived }) => Judged::Accepted { checks, waived },
            Some(ClaimFate::Rejected(reasons)) => {
                let failed = checks.iter().filter(|report| !report.passed).cloned().collect();
                Judged::Rejected(Rejection { reasons, failed, by_originals })
            }
        };
        Self { judged, checks, only_for: None }
    }
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Judged {
    /// There was none.
    None,
    /// It is accepted.
    Accepted {
        /// How many checks have proven it; none means unverified.
        checks: u32,
        /// Whether something was waived, which means unverified, too.
        waived: bool,
    },
    /// It is not.
    Rejected(Rejection),
}

/// Decides on a claim that iteration `iteration` made about the tree in `seen`. Where the checks alone
/// decide, nothing is claimed before they have passed.
pub(crate) async fn judge(
    case: &Case<'_>,
    iteration: u32,
    by: ClaimedBy,
    seen: &Seen,
) -> Result<Hearing, Halt> {
    let run = case.run;
    if let Some(recorded) = run.recorded_claim(iteration) {
        return Ok(Hearing::of(recorded));
    }
    let is_claimed = by != ClaimedBy::Checks;
    if is_claimed {
        run.note(iteration, EventKind::Claimed { iteration, by });
    }
    let proven = prove(case, &Places::of_claim(iteration), seen).await?;
    let acceptance = proven.acceptance();
    let Proven { record, rejection, only_for, checks } = proven;
    let judged = match rejection {
        Some(rejection) => {
            if is_claimed {
                let reasons = rejection.reasons.clone();
                run.note(iteration, EventKind::ClaimRejected { iteration, reasons });
            }
            Judged::Rejected(rejection)
        }
        None => {
            if !is_claimed {
                run.note(iteration, EventKind::Claimed { iteration, by });
            }
            run.note(iteration, acceptance.fact(iteration, by, record.tree));
            acceptance.judged()
        }
    };
    Ok(Hearing { judged, checks, only_for })
}

/// Rejects a claim whatever the checks would say.
pub(crate) fn reject(
    run: &Run<'_>,
    iteration: u32,
    by: ClaimedBy,
    reasons: Vec<String>,
) -> Hearing {
    run.note(iteration, EventKind::Claimed { iteration, by });
    run.note(iteration, EventKind::ClaimRejected { iteration, reasons: reasons.clone() });
    Hearing::of_kind(Judged::Rejected(Rejection { reasons, ..Rejection::default() }))
}

/// Runs the checks to see how they stand, where nothing was claimed.
pub(crate) async fn look(
    case: &Case<'_>,
    iteration: u32,
    seen: &Seen,
) -> Result<Vec<CheckReport>, Halt> {
    let reports = checks::plain_round(case, &Places::of_look(iteration), &seen.tree()).await?;
    case.run.tell_counts(iteration, &reports);
    Ok(reports)
}

/// Tells which guarded files differ, where nothing is proven yet.
pub(crate) async fn tell_guarded(case: &Case<'_>, iteration: u32, seen: &Seen) -> Result<(), Halt> {
    guarded::tell(case, &Places::of_look(iteration), seen).await
}

/// Looks at all that speaks for the work in `seen` and against it.
pub(crate) async fn prove(case: &Case<'_>, places: &Places, seen: &Seen) -> Result<Proven, Halt> {
    if case.run.is_past(places.iteration) {
        return past::proven(case, places).await;
    }
    let mut taking = Taking::new(case, seen);
    if let Some(rejection) = protected::changed(case, places.of("protected")).await? {
        return Ok(taking.rejected(case, places, rejection));
    }
    let compared = guarded::compare(case, places, seen).await?;
    taking.doubt_watched(&compared.changes);
    taking.name_released(&compared.changes);
    if let Some(rejection) = guarded::locked(case.proof, &compared.changes) {
        return Ok(taking.rejected(case, places, rejection));
    }
    if !case.proof.has_checks() {
        return Ok(taking.proven(case, places));
    }
    let checked = checks::run(case, places, seen).await?;
    taking.take_checks(case, &checked);
    if let Some(rejection) = checked.rejection {
        taking.only_known(case);
        return Ok(taking.rejected(case, places, rejection));
    }
    let after = checked.tree.clone();
    let compared = guarded::compare_after_checks(case, places, compared, after).await?;
    if let Some(rejection) = guarded::locked(case.proof, &compared.changes) {
        return Ok(taking.rejected(case, places, rejection));
    }
    taking.bind(checked.tree);
    if let Some(rejection) = originals::run(case, places, compared, &mut taking).await? {
        return Ok(taking.rejected(case, places, rejection));
    }
    Ok(taking.proven(case, places))
}
