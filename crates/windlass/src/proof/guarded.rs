//! Guarded files: what is recorded of them, and what the agent did to them.

use windlass_core::{
    context::Rejection,
    event::{EventKind, OriginalsRan},
    ids::Place,
    options::{CheckCommand, Proof, TestPolicy},
    proof_record::{BaselineState, OriginalsState},
    step::guarded::{GuardChanges, GuardStep, GuardedChange, GuardedHow},
};

use windlass_proof::check_files;

use super::{Case, LoopStart, Places};
use crate::{
    halt::Halt,
    run::{Run, Seen},
};

/// How many names a sentence has.
const NAMED: usize = 5;

/// What differs from the originals, and what is guarded.
#[derive(Debug, Default)]
pub(super) struct Compared {
    /// `None` where nothing is guarded.
    pub(super) guard: Option<GuardStep>,
    pub(super) changes: GuardChanges,
}

/// Records what is guarded before the first session; says whether anything is.
pub(super) async fn record(run: &Run<'_>, proof: &Proof, start: &LoopStart) -> Result<bool, Halt> {
    let place = Place::new(0, "guard");
    if !run.belongs(&place, proof.guards()) || !proof.guards() {
        return Ok(false);
    }
    let report = run.guard(place, step(run, proof, start, &[])).await?;
    LoopStart::note(run, EventKind::Guarded(report));
    Ok(true)
}

/// Compares the guarded files with their originals.
pub(super) async fn compare(
    case: &Case<'_>,
    places: &Places,
    seen: &Seen,
) -> Result<Compared, Halt> {
    if !case.start.is_guarded || !case.proof.guards() {
        return Ok(Compared::default());
    }
    let guard = step(case.run, case.proof, case.start, case.released);
    let later = case.start.later(case.run);
    let place = places.of("guarded");
    let changes = case.run.compare_guarded(place, guard.clone(), seen.tree(), later).await?;
    Ok(Compared { guard: Some(guard), changes })
}

/// Compares again after the checks: code of the agent that rewrites tests while it is built or tested
/// weakens them as well as the agent could. Files that the checks wrote before the first session, too,
/// are theirs; and if nobody knows what they wrote then, so is what they add.
pub(super) async fn compare_after_checks(
    case: &Case<'_>,
    places: &Places,
    before: Compared,
    tree: Option<String>,
) -> Result<Compared, Halt> {
    let Some(guard) = before.guard.clone() else { return Ok(before) };
    let place = places.of("guarded/after-checks");
    let later = case.start.later(case.run);
    let mut changes = case.run.compare_guarded(place, guard, tree, later).await?;
    let had_baseline = case.start.baseline.state != BaselineState::NotRun;
    let is_known = |path: &str| before.changes.changes.iter().any(|known| known.path == path);
    let is_of_checks = |change: &GuardedChange| {
        case.start.written_by_checks.contains(&change.path)
            || (change.how == GuardedHow::Added && !had_baseline)
    };
    changes.changes.retain(|change| is_known(&change.path) || !is_of_checks(change));
    Ok(Compared { guard: before.guard, changes })
}

/// Tells which guarded files differ, where nothing is proven yet.
pub(super) async fn tell(case: &Case<'_>, places: &Places, seen: &Seen) -> Result<(), Halt> {
    if !case.run.belongs(&places.of("guarded"), true) {
        return Ok(());
    }
    let Compared { changes: GuardChanges { changes, .. }, .. } =
        compare(case, places, seen).await?;
    if !changes.is_empty() {
        let (iteration, state) = (places.iteration, OriginalsState::NotRun);
        let ran = OriginalsRan { iteration, state, changes, ..OriginalsRan::default() };
        case.run.note(iteration, EventKind::Originals(ran));
    }
    Ok(())
}

/// Why nothing can be accepted, where a file differs that must not.
pub(super) fn locked(proof: &Proof, changes: &GuardChanges) -> Option<Rejection> {
    let mut reasons = changes.locked.clone();
    if proof.test_policy == TestPolicy::Lock {
        let existed = changes.changes.iter().filter(|change| change.how != GuardedHow::Added);
        reasons.extend(existed.map(|change| {
            let (path, how) = (&change.path, change.how.word());
            format!(
                "`{path}` was {how}, but existing tests are locked (`--test-policy lock`): restore it. \
                 To let the agent change it: `--unguard '{path}'`"
            )
        }));
    }
    (!reasons.is_empty()).then_some(Rejection { reasons, ..Rejection::default() })
}

/// The files that differ, in a sentence for the agent and the user.
pub(super) fn told(changes: &[GuardedChange]) -> String {
    let each = |change: &GuardedChange| {
        let GuardedChange { path, how, what, keys } = change;
        let keys = if keys.is_empty() { String::new() } else { format!(": {}", keys.join(", ")) };
        format!("`{path}` ({}; {what}{keys})", how.word())
    };
    let named: Vec<String> = changes.iter().take(NAMED).map(each).collect();
    let more = match changes.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (are, them) = if changes.len() == 1 { ("is", "it") } else { ("are", "them") };
    format!(
        "{}{more} {are} guarded: existing tests must still pass as they were. To let the agent change \
         {them}: `{}`",
        named.join(", "),
        release(changes)
    )
}

/// The flags that let the agent change these files: each by its path, or many by their folder.
fn release(changes: &[GuardedChange]) -> String {
    let unguard = |glob: &str| format!("--unguard '{}'", glob.replace('\'', r"'\''"));
    if changes.len() <= NAMED {
        let each = changes.iter().map(|change| unguard(&change.path));
        return each.collect::<Vec<_>>().join(" ");
    }
    let mut folders = changes.iter().map(|change| Some(change.path.split_once('/')?.0));
    let first = folders.next().flatten();
    match first.filter(|first| folders.all(|folder| folder == Some(first))) {
        Some(folder) => unguard(&format!("{folder}/**")),
        None => "--test-policy free".to_owned(),
    }
}

/// Names in a list; of many only the first.
pub(super) fn listed(names: &[String]) -> String {
    let named = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// What decides which files are guarded. Checks run below the top of the tree; globs and paths are meant
/// from there or from where the loop works.
fn step(run: &Run<'_>, proof: &Proof, start: &LoopStart, released: &[String]) -> GuardStep {
    let here = run.directory_in_tree();
    let check = |CheckCommand { command, found_in }: CheckCommand| match found_in
        .as_deref()
        .unwrap_or(&here)
    {
        "" => command,
        directory => format!("cd '{}' && {command}", directory.replace('\'', r"'\''")),
    };
    let checks: Vec<String> = proof.commands().into_iter().map(check).collect();
    let mut never = start.spared.clone();
    if proof.no_protect_checks {
        never.extend(check_files(&checks).files);
    }
    GuardStep {
        locks: proof.test_policy == TestPolicy::Lock,
        guard: proof.guard.clone(),
        unguard: proof.unguard.clone(),
        checks,
        never,
        written_by_checks: start.written_by_checks.clone(),
        released: released.to_vec(),
    }
}
