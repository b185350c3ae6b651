//! Settles what proves a claim before a loop begins: the checks that the user gives must be commands
//! that the shell knows (also those of a loop that is resumed with others), and where there are none the project's own tests are looked for. What comes
//! of it is frozen with the loop.

mod installed;
mod notes;

use windlass_core::{
    event::StartCheck,
    options::{DoneWhen, FoundCheck, Proof, SandboxName},
};
use windlass_proof::first_word;
use windlass_repo::{detect::Detected, tree::TreeError};

use self::{
    installed::installed,
    notes::{Notes, about_globs, about_tests},
};
use super::LoopError;
use crate::{
    kind::{Kind, LooksFor},
    perform::Worker,
};

/// What people are told about the checks of a new loop.
pub(super) struct Told {
    /// A sentence each.
    pub(super) notes: Vec<String>,
    /// Checks that were found and are not used.
    pub(super) also_found: Vec<StartCheck>,
}

/// Decides on the checks of a new loop.
pub(super) async fn settle(kind: &mut Kind, worker: &Worker) -> Result<Told, LoopError> {
    let is_confined = worker.sandboxes.name() != SandboxName::None;
    let mut notes = Notes::new(is_confined);
    kind.common_mut().proof.edition = Proof::EDITION;
    kind.drop_checks_if_unwanted();
    refuse_unknown(kind, worker).await?;
    let wanted = kind.looks_for();
    if wanted != LooksFor::Nothing {
        let found = find(wanted, worker, &mut notes).await?;
        // `heal` says it where the tests would run.
        if found.is_empty() && !matches!(kind, Kind::Heal(_)) {
            notes.nothing_found();
        }
        kind.common_mut().proof.found = found;
    }
    refuse_idle_checks(kind)?;
    let (mut notes, also_found) = notes.into_parts();
    notes.extend(about_globs(kind, worker).await?);
    notes.extend(about_tests(kind, worker).await);
    Ok(Told { notes, also_found })
}

/// Refuses a check of the user that begins with a word that the shell does not know.
pub(super) async fn refuse_unknown(kind: &Kind, worker: &Worker) -> Result<(), LoopError> {
    let is_confined = worker.sandboxes.name() != SandboxName::None;
    let given = kind.given_checks().into_iter();
    let given: Vec<(&str, String)> =
        given.filter_map(|check| Some((check, first_word(check)?))).collect();
    let asked = given.iter().map(|(_, word)| (worker.directory.clone(), word.clone()));
    let known = installed(worker, asked.collect()).await?;
    let unknown = given.into_iter().zip(known).find(|(_, is_known)| !is_known);
    match unknown {
        Some(((check, word), _)) => {
            Err(LoopError::UnknownProgram { check: check.to_owned(), word, is_confined })
        }
        None => Ok(()),
    }
}

/// The project's own checks: of its tests the first command that is installed, and all that lint.
async fn find(
    wanted: LooksFor,
    worker: &Worker,
    notes: &mut Notes,
) -> Result<Vec<FoundCheck>, LoopError> {
    let no_answer = |why| LoopError::Tree(TreeError::NoAnswer { why });
    let tests = worker.files.detect_tests().await.map_err(no_answer)?;
    let lints = match wanted {
        LooksFor::TestsAndLints => worker.files.detect_checks().await.map_err(no_answer)?,
        LooksFor::Tests | LooksFor::Nothing => Vec::new(),
    };
    let asked = tests.iter().chain(&lints);
    let asked =
        asked.map(|found| (worker.files.place(&found.directory), found.program().to_owned()));
    let mut known = installed(worker, asked.collect()).await?.into_iter();
    let mut judged = |all: Vec<Detected>| -> Vec<(Detected, bool)> {
        all.into_iter().zip(known.by_ref()).collect()
    };
    let (tests, lints) = (judged(tests), judged(lints));
    let used = first_of(tests, notes).into_iter().chain(all_of(lints, notes));
    let used: Vec<Detected> = used.collect();
    Ok(used.into_iter().map(frozen).collect())
}

/// The first candidate that is installed. Those before it are told, and those after it listed.
fn first_of(candidates: Vec<(Detected, bool)>, notes: &mut Notes) -> Option<Detected> {
    let mut first: Option<Detected> = None;
    for (candidate, is_installed) in candidates {
        match &first {
            Some(used) => notes.other(used, candidate, is_installed),
            None if is_installed => first = Some(candidate),
            None => notes.not_installed(&candidate),
        }
    }
    first
}

fn all_of(candidates: Vec<(Detected, bool)>, notes: &mut Notes) -> Vec<Detected> {
    let (used, missing): (Vec<_>, Vec<_>) =
        candidates.into_iter().partition(|(_, is_installed)| *is_installed);
    missing.iter().for_each(|(candidate, _)| notes.not_installed(candidate));
    used.into_iter().map(|(candidate, _)| candidate).collect()
}

fn frozen(Detected { command, directory, file, .. }: Detected) -> FoundCheck {
    FoundCheck { command, directory, file }
}

/// Refuses a loop that only its checks could end, and that has none.
fn refuse_idle_checks(kind: &Kind) -> Result<(), LoopError> {
    let by_checks = kind.claiming().is_some_and(|claiming| claiming.done_when == DoneWhen::Checks);
    if by_checks && !kind.common().proof.has_checks() {
        let why = "`--done-when checks` needs a check, and none was given or found: give one with \
                   `--check CMD`";
        return Err(LoopError::Contradiction { why });
    }
    Ok(())
}
