//! Claim and proof: an agent's claim is accepted only if the checks pass on exactly the tree that
//! the claim is about, and nothing that is protected was changed.

use windlass_core::{
    context::Rejection,
    ending::ClaimedBy,
    event::EventKind,
    ids::Place,
    options::Proof,
    step::{CheckReport, CheckStep, Fingerprints},
};
use windlass_proof::{differences, globs, unreadable};
use windlass_repo::tree::listed;

use crate::{
    halt::Halt,
    run::{ClaimFate, RecordedClaim, Run, Seen},
};

/// What the loop began with, which claims are held against.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopStart {
    /// The tree at the start.
    pub seen: Seen,
    /// Paths that the user had changed before the loop.
    pub dirty: Vec<String>,
    /// What the protected files held; `None` where nothing is protected.
    prints: Option<Fingerprints>,
}

impl LoopStart {
    /// Records what is there before the first iteration.
    /// A file that is `spared` is not protected because a check names it.
    pub(crate) async fn record(
        run: &Run<'_>,
        proof: &Proof,
        spared: &[String],
    ) -> Result<Self, Halt> {
        let seen = run.look(Place::new(0, "tree"), None, None).await?;
        let dirty = if seen.snapshot.is_some() { run.dirty().await? } else { Vec::new() };
        let mut loop_start = Self { seen, dirty, ..Self::default() };
        run.record_programs().await?;
        if protects(proof) {
            let mut named = run.files_named_by(proof).await?;
            named.retain(|file| !spared.contains(file));
            let prints = protected_at_start(run, proof, named).await?;
            if let Some((path, why)) = unreadable(&prints) {
                // What it holds would not be known, and so not whether it was changed.
                let message = format!("{path} is protected and cannot be read: {why}");
                return Err(Halt::Failed { message, code: 4 });
            }
            loop_start.prints = Some(prints);
        }
        Ok(loop_start)
    }
}

/// What the protected files hold, with those that the checks run. In a loop that goes on with other
/// checks, those that only the earlier ones ran are not protected any more, and new ones are from now on.
async fn protected_at_start(
    run: &Run<'_>,
    proof: &Proof,
    named: Vec<String>,
) -> Result<Fingerprints, Halt> {
    let place = Place::new(0, "protected");
    let earlier = run.fingerprinted_for_others(&place);
    let mut prints = run.fingerprint(place, proof.protect.clone(), named.clone()).await?;
    let Some(earlier) = earlier else { return Ok(prints) };
    let protected = globs(&proof.protect).ok();
    let is_meant = |path: &str| protected.as_ref().is_some_and(|globs| globs.is_match(path));
    prints.retain(|path, _| !earlier.contains(path) || named.contains(path) || is_meant(path));
    for file in named.into_iter().filter(|file| !earlier.contains(file)) {
        let place = Place::new(0, format_args!("protected/{file}"));
        prints.extend(run.fingerprint(place, Vec::new(), vec![file]).await?);
    }
    Ok(prints)
}

fn protects(proof: &Proof) -> bool {
    !proof.protect.is_empty() || (proof.has_checks() && !proof.no_protect_checks)
}

/// What became of a claim, and what the checks said that ran for it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hearing {
    /// What became of it.
    pub judged: Judged,
    /// The checks as they ran last.
    pub checks: Vec<CheckReport>,
}

impl Hearing {
    /// Of a claim that an earlier owner of the loop has judged.
    fn of(RecordedClaim { fate, checks }: RecordedClaim) -> Self {
        let judged = match fate {
            None => Judged::None,
            Some(ClaimFate::Accepted(checks)) => Judged::Accepted { checks },
            Some(ClaimFate::Rejected(reasons)) => {
                let failed = checks.iter().filter(|report| !report.passed).cloned().collect();
                Judged::Rejected(Rejection { reasons, failed })
            }
        };
        Self { judged, checks }
    }
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Judged {
    /// There was none.
    None,
    /// It is accepted, proven by so many checks; none means unverified.
    Accepted {
        /// How many checks passed.
        checks: u32,
    },
    /// It is not.
    Rejected(Rejection),
}

/// Decides on a claim that iteration `iteration` made about the tree in `seen`.
pub(crate) async fn judge(
    run: &Run<'_>,
    proof: &Proof,
    loop_start: &LoopStart,
    iteration: u32,
    by: ClaimedBy,
    seen: &Seen,
) -> Result<Hearing, Halt> {
    if let Some(recorded) = run.recorded_claim(iteration) {
        return Ok(Hearing::of(recorded));
    }
    run.note(iteration, EventKind::Claimed { iteration, by });
    let mut checks = Vec::new();
    let place = Place::new(iteration, "protected");
    let (judged, tree) = match changed_protected(run, proof, loop_start, place).await? {
        Some(rejection) => (Judged::Rejected(rejection), None),
        None => run_checks(run, proof, iteration, seen, &mut checks).await?,
    };
    let fact = match &judged {
        Judged::None => return Ok(Hearing { judged, checks }),
        Judged::Accepted { checks } => {
            let doubts = run.doubts(&proof.command_lines());
            let waived = false;
            EventKind::ClaimAccepted { iteration, by, checks: *checks, waived, tree, doubts }
        }
        Judged::Rejected(rejection) => {
            EventKind::ClaimRejected { iteration, reasons: rejection.reasons.clone() }
        }
    };
    run.note(iteration, fact);
    Ok(Hearing { judged, checks })
}

/// Takes a claim down that is not accepted, whatever the checks would say.
pub(crate) fn reject(
    run: &Run<'_>,
    iteration: u32,
    by: ClaimedBy,
    reasons: Vec<String>,
) -> Hearing {
    run.note(iteration, EventKind::Claimed { iteration, by });
    run.note(iteration, EventKind::ClaimRejected { iteration, reasons: reasons.clone() });
    let judged = Judged::Rejected(Rejection { reasons, failed: Vec::new() });
    Hearing { judged, checks: Vec::new() }
}

/// Runs the checks to see how they stand, where nothing was claimed.
pub(crate) async fn look(
    run: &Run<'_>,
    proof: &Proof,
    iteration: u32,
    seen: &Seen,
) -> Result<Vec<CheckReport>, Halt> {
    run_round(run, proof, iteration, "look", &seen.tree()).await
}

/// Why nothing can be accepted, where a protected file differs from the loop's start.
pub(crate) async fn changed_protected(
    run: &Run<'_>,
    proof: &Proof,
    loop_start: &LoopStart,
    place: Place,
) -> Result<Option<Rejection>, Halt> {
    let Some(before) = &loop_start.prints else { return Ok(None) };
    if !run.belongs(&place, true) {
        return Ok(None);
    }
    let files = before.keys().cloned().collect();
    let now = run.fingerprint(place, proof.protect.clone(), files).await?;
    let reasons = differences(before, &now, |path| why_protected(proof, path));
    Ok((!reasons.is_empty()).then(|| Rejection { reasons, failed: Vec::new() }))
}

/// What protects a path, and how that is changed.
fn why_protected(proof: &Proof, path: &str) -> String {
    let names = |glob: &&String| {
        let glob = std::slice::from_ref(*glob);
        globs(glob).is_ok_and(|set| set.is_match(path) || glob[0].starts_with(&format!("{path}/")))
    };
    match proof.protect.iter().find(names) {
        Some(glob) => format!("by `--protect '{glob}'`"),
        None => "a check runs it; `--no-protect-checks` would let the agent change it".to_owned(),
    }
}

/// Runs the checks, and once more where the tree is another after them: the proof is bound to a tree
/// that they really ran on. What the checks themselves add is not held against them when they leave
/// all that was there before as it is.
async fn run_checks(
    run: &Run<'_>,
    proof: &Proof,
    iteration: u32,
    seen: &Seen,
    reports: &mut Vec<CheckReport>,
) -> Result<(Judged, Option<String>), Halt> {
    let mut tree = seen.tree();
    if !proof.has_checks() {
        return Ok((Judged::Accepted { checks: 0 }, tree));
    }
    let start = tree.clone();
    let mut changed = Vec::new();
    for round in ["check", "recheck"] {
        *reports = run_round(run, proof, iteration, round, &tree).await?;
        let failed: Vec<CheckReport> =
            reports.iter().filter(|report| !report.passed).cloned().collect();
        if !failed.is_empty() {
            let reasons = failed.iter().map(CheckReport::failure).collect();
            return Ok((Judged::Rejected(Rejection { reasons, failed }), None));
        }
        let place = Place::new(iteration, format_args!("{round}/tree"));
        let after = run.look_at_existing(place, tree.clone(), start.clone()).await?;
        // Nothing is different; or they ran twice, and what they add is all that is.
        if after.tree() == tree || (round == "recheck" && after.changed == 0) {
            let checks = u32::try_from(reports.len()).unwrap_or(u32::MAX);
            return Ok((Judged::Accepted { checks }, tree));
        }
        (tree, changed) = (after.tree(), after.paths);
    }
    let reason = format!(
        "files change every time the checks run, so what they prove is gone when they end: {}; make \
         the checks leave the tree alone",
        listed(&changed)
    );
    let rejection = Rejection { reasons: vec![reason], failed: Vec::new() };
    Ok((Judged::Rejected(rejection), None))
}

async fn run_round(
    run: &Run<'_>,
    proof: &Proof,
    iteration: u32,
    round: &str,
    tree: &Option<String>,
) -> Result<Vec<CheckReport>, Halt> {
    let place = |number: usize| Place::new(iteration, format_args!("{round}/{number}"));
    let mut reports = Vec::new();
    for (number, check) in (1..).zip(run.checks_of(iteration, place, &proof.commands())) {
        let step = CheckStep::new(&check, tree.clone());
        reports.push(run.check(place(number), step).await?);
    }
    Ok(reports)
}
