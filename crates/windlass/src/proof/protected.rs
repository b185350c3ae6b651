//! Protected files: while one differs, nothing is accepted.

use windlass_core::{context::Rejection, ids::Place, options::Proof, step::Fingerprints};
use windlass_proof::{differences, globs, unreadable};

use super::Case;
use crate::{halt::Halt, run::Run};

/// What the protected files hold when the loop begins; `None` where nothing is protected. Files that are
/// `spared` are not protected because a check names them.
pub(super) async fn at_start(
    run: &Run<'_>,
    proof: &Proof,
    spared: &[String],
) -> Result<Option<Fingerprints>, Halt> {
    if !protects(proof) {
        return Ok(None);
    }
    let mut named =
        if guards_by_name(proof) { run.files_named_by(proof).await? } else { Vec::new() };
    named.retain(|file| !spared.contains(file));
    let prints = taken_at_start(run, proof, named).await?;
    match unreadable(&prints) {
        // What it holds would not be known, and so not whether it was changed.
        Some((path, why)) => {
            let message = format!("{path} is protected and cannot be read: {why}");
            Err(Halt::Failed { message, code: 4 })
        }
        None => Ok(Some(prints)),
    }
}

/// What the protected files hold, with those that the checks run. In a loop that goes on with other
/// checks, those that only the earlier ones ran are not protected any more, and new ones are from now on.
async fn taken_at_start(
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
    !proof.protect.is_empty() || guards_by_name(proof)
}

/// Whether the files that a check runs are protected, as in loops of versions that had no guard.
fn guards_by_name(proof: &Proof) -> bool {
    proof.edition < 2 && proof.has_checks() && !proof.no_protect_checks
}

/// Why nothing can be accepted, where a protected file differs from the loop's start.
pub(super) async fn changed(case: &Case<'_>, place: Place) -> Result<Option<Rejection>, Halt> {
    let Some(before) = &case.start.prints else { return Ok(None) };
    if !case.run.belongs(&place, true) {
        return Ok(None);
    }
    let files = before.keys().cloned().collect();
    let now = case.run.fingerprint(place, case.proof.protect.clone(), files).await?;
    let reasons = differences(before, &now, |path| why_protected(case.proof, path));
    Ok((!reasons.is_empty()).then(|| Rejection { reasons, ..Rejection::default() }))
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
