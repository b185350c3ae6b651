//! `merge`: the work of another loop is brought home. The checks run on the result, in a worktree
//! of the merge's own, and only when they pass does the branch move. Where the two do not fit, an
//! agent may bring them together; the checks decide about its work as about any other.

mod options;
mod prompt;

pub(crate) use options::message;
pub use options::{Options, Unfit};

use windlass_core::{
    context::Lesson,
    ending::{ClaimedBy, Ending},
    event::EventKind,
    ids::Place,
    options::ContextWhen,
};

use crate::{course::Course, halt::Halt, identity::LoopIdentity, run::Run};

pub(super) async fn drive(
    run: &Run<'_>,
    options: &Options,
    named: &LoopIdentity,
) -> Result<Ending, Halt> {
    // A file that does not fit is the agent's to change, also where a check names it.
    let spared = options.unfit.as_ref().map_or(&[][..], |unfit| &unfit.files);
    let mut course = Course::start(run, &options.common, named, spared).await?;
    if let Some(text) = options.told_of_waived() {
        run.note(0, EventKind::Noted { text });
    }
    if let Some(commit) = &options.commit {
        if let Some(ending) = course.open_with(ClaimedBy::Merge).await? {
            if let Some(failed) = unsettled(run, &course).await? {
                return Ok(failed);
            }
            return home(run, options, 0, commit, ending).await;
        }
        if !options.resolve {
            let reasons = course.rejection().map(|rejection| rejection.reasons.join("; "));
            let reason = reasons.unwrap_or_default();
            return Ok(Ending::TestsFailed { iteration: 0, reason });
        }
    }
    for iteration in 1.. {
        run.begin(iteration)?;
        let user = prompt::words(options);
        let (claiming, proof) = (&options.claiming, &options.common.proof);
        let lesson = Lesson { claiming, proof, of_tasks: false };
        let prompt = course.prompt(&user, iteration, lesson, ContextWhen::Later);
        let mut worked = course.work(iteration, prompt).await?;
        let claimed = worked.session.claim.by;
        if claimed.is_some() {
            worked.objections = objections(run, options, iteration).await?;
        }
        if let Some(ending) = course.settle(iteration, worked, claimed, None).await? {
            let place = Place::new(iteration, "conclude");
            let made = run.conclude(place, options.message(), options.parents()).await?;
            let commit = made.ok_or_else(|| Halt::Failed {
                message: "git gave no commit for the merge".to_owned(),
                code: 4,
            })?;
            return home(run, options, iteration, &commit, ending).await;
        }
    }
    unreachable!("there is always one more number")
}

/// Moves the branch. That is the last thing, and it happens whole or not at all.
async fn home(
    run: &Run<'_>,
    options: &Options,
    iteration: u32,
    commit: &str,
    ending: Ending,
) -> Result<Ending, Halt> {
    let place = Place::new(iteration, "advance");
    run.advance(place, &options.into, &options.onto, commit).await?;
    Ok(ending)
}

/// What is proven must be what is merged: checks that change tracked files prove another tree.
async fn unsettled(run: &Run<'_>, course: &Course<'_>) -> Result<Option<Ending>, Halt> {
    let seen = run.look_at_existing(Place::new(0, "proven"), course.start_tree(), None).await?;
    let reason = "the checks change tracked files, so what they prove is not what would be merged";
    let failed = Ending::TestsFailed { iteration: 0, reason: reason.to_owned() };
    Ok((seen.changed > 0).then_some(failed))
}

/// What speaks against taking the two sides for brought together.
async fn objections(run: &Run<'_>, options: &Options, iteration: u32) -> Result<Vec<String>, Halt> {
    let files = options.unfit.as_ref().map(|unfit| unfit.files.clone()).unwrap_or_default();
    let place = Place::new(iteration, "unresolved");
    let left = run.unresolved(place, files, options.marks()).await?;
    Ok(left.into_iter().map(|file| format!("`{file}` still has marks of a conflict")).collect())
}
