//! The pace of a loop: so many sessions an hour over all loops of the user, and a pause between
//! iterations.

use std::time::Duration;

use windlass_core::{ids::Place, options::Pace, step::WaitFor, time::Timestamp};
use windlass_store::store::Calls;
use windlass_system::clock;

use crate::{halt::Halt, run::Run};

const HOUR: Duration = Duration::from_secs(3600);

/// How many sessions an hour a loop's agents may have where nobody says.
const USUAL: u32 = 100;

/// Agents that ask no provider for anything, as far as windlass knows.
const FREE: [&str; 2] = ["command", "scripted"];

/// Waits until another session may be started. Sessions of the past need no room.
pub(crate) async fn room(
    run: &Run<'_>,
    pace: &Pace,
    agent: &str,
    session: &Place,
) -> Result<(), Halt> {
    let is_free = FREE.contains(&agent.split(':').next().unwrap_or(agent));
    let limit = pace.calls_per_hour.unwrap_or(if is_free { 0 } else { USUAL });
    if limit == 0 || run.agent_at(session).is_some() {
        return Ok(());
    }
    let calls = if is_free { Calls::All } else { Calls::Paid };
    for attempt in 1.. {
        let since = Timestamp(clock::now().0.saturating_sub(3_600_000));
        let Some(oldest) = run.call_before_last(calls, limit, since)? else { return Ok(()) };
        let place = session.inner(format_args!("room/{attempt}"));
        let reason = format!("room under {limit} sessions an hour");
        run.wait(place, oldest.plus(HOUR), WaitFor::Room, &reason).await?;
    }
    unreachable!("there is always one more number")
}

/// Pauses before the next iteration, where that is wanted.
pub(crate) async fn between_iterations(
    run: &Run<'_>,
    pace: &Pace,
    iteration: u32,
) -> Result<(), Halt> {
    if pace.loop_delay.0.is_zero() {
        return Ok(());
    }
    run.go_on_after(iteration)?;
    let place = Place::new(iteration, "delay");
    // Whoever took the loop up again did not do so at once, and does not want to wait.
    if run.is_past(iteration) && !run.has_begun_to_wait(&place) {
        return Ok(());
    }
    let until = clock::now().plus(pace.loop_delay.0);
    run.wait(place, until, WaitFor::Pause, "the pause between iterations").await
}
