//! Paid overage: a plan is used up, and its provider charges for more. That is a limit, unless the
//! user wants to spend: the session that reports it goes on to its end and its iteration counts,
//! and then nothing more is asked of that agent before its plan has room again.

use std::time::Duration;

use windlass_core::{
    ending::Ending,
    event::EventKind,
    ids::Place,
    options::{LimitOptions, OnLimit, OnOverage},
    outcome::Outcome,
    step::SessionReport,
};

use super::{pause, wait_for_reset};
use crate::{
    halt::Halt,
    run::{Run, UsedUp},
};

/// Takes a session in, which an earlier owner may have had: tells of the first overage, and keeps
/// in mind what the session says of it.
pub(super) fn observe(
    run: &Run<'_>,
    options: &LimitOptions,
    (agent, place, is_past): (&str, &Place, bool),
    report: &SessionReport,
) {
    let Some(overage) = report.overage else {
        // One that met a limit or did not start says nothing of its plan.
        if report.outcome.is_finished() {
            run.overages().remove(agent);
        }
        return;
    };
    if run.overages().is_first(agent) {
        run.note(place.iteration(), EventKind::Noted { text: told(agent, options.overage) });
    }
    // A limit is waited for in its own way.
    if options.overage == OnOverage::Spend || matches!(report.outcome, Outcome::Limited { .. }) {
        return;
    }
    let clock = run.clock();
    let (now, boot) = (clock.now(), clock.since_boot());
    let before = run.overages().of(agent);
    let running = before.as_ref().map_or(0, |before| before.running) + 1;
    let waited = before.map_or(Duration::ZERO, |before| before.waited);
    let reset = overage.until.filter(|until| *until > now);
    let left = match (overage.until, reset) {
        (_, Some(reset)) => reset.since(now),
        // It has reset meanwhile.
        (Some(_), None) => Duration::ZERO,
        (None, None) => pause(running),
    };
    let used_up = UsedUp { reset, until: boot + left, running, waited, is_past };
    run.overages().put(agent, used_up);
}

/// What people are told at the first overage.
fn told(agent: &str, overage: OnOverage) -> String {
    match overage {
        OnOverage::Stop => format!(
            "{agent} has used up its plan, and its provider charges for more (paid overage): this is \
             a limit, and `--on-limit` applies after this session; `--overage spend` would go on"
        ),
        OnOverage::Spend => format!(
            "{agent} has used up its plan, and its provider charges for more (paid overage): the loop \
             goes on, because of `--overage spend`"
        ),
    }
}

/// Waits at the end of an iteration until every plan that it used up has room again.
pub(crate) async fn between_iterations(
    run: &Run<'_>,
    options: &LimitOptions,
    iteration: u32,
) -> Result<(), Halt> {
    // Another agent goes on meanwhile.
    if options.on_limit == OnLimit::Fallback {
        return Ok(());
    }
    for agent in run.overages().agents() {
        run.go_on_after(iteration)?;
        let place = Place::new(iteration, format_args!("overage/{agent}"));
        rest(run, options, &agent, place).await?;
    }
    Ok(())
}

/// Waits until the plan of an agent has room again, or ends the loop, as the user wants it.
pub(super) async fn rest(
    run: &Run<'_>,
    options: &LimitOptions,
    agent: &str,
    wait: Place,
) -> Result<(), Halt> {
    let Some(used_up) = run.overages().of(agent) else { return Ok(()) };
    let clock = run.clock();
    let (now, boot) = (clock.now(), clock.since_boot());
    let left = used_up.until.saturating_sub(boot);
    let has_begun = run.has_begun_to_wait(&wait) || run.is_done(&wait);
    // A loop that ended on it and was resumed gets another try.
    if !has_begun && (left.is_zero() || used_up.is_past) {
        return Ok(());
    }
    let longest = options.max_wait.0;
    let too_late = longest.is_zero() || used_up.waited + left > longest;
    if !has_begun && (options.on_limit == OnLimit::Stop || too_late) {
        let (agent, until) = (agent.to_owned(), used_up.reset);
        return Err(Halt::Ended(Ending::Limited { agent, until }));
    }
    wait_for_reset(run, agent, wait, now.plus(left)).await?;
    let waited = used_up.waited + left;
    run.overages().put(agent, UsedUp { waited, until: Duration::ZERO, ..used_up });
    Ok(())
}
