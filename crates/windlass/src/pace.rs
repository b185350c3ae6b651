//! The pace of a loop: so many sessions an hour over all loops of the user, and a pause between
//! iterations.

use std::time::Duration;

use windlass_core::{ids::Place, options::Pace, step::WaitFor, time::Timestamp};
use windlass_store::store::Calls;
use windlass_system::clock::Clock;

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
        let clock = run.clock();
        let made = run.calls(calls, clock.earliest_in_last(HOUR))?;
        let Some(until) = room_at(&made, limit, clock) else { return Ok(()) };
        let place = session.inner(format_args!("room/{attempt}"));
        let reason = format!("room under {limit} sessions an hour");
        run.wait(place, until, WaitFor::Room, &reason).await?;
    }
    unreachable!("there is always one more number")
}

/// When there is room for one more call, where there is none now: an hour after the call that has one
/// less than `limit` after it. Calls are dated by the wall clock; how long ago they were, the time since
/// boot tells. One that lies more than an hour ahead was made before the clock was put back, nobody
/// knows when, and does not count.
fn room_at(made: &[Timestamp], limit: u32, clock: &Clock) -> Option<Timestamp> {
    let now = clock.since_boot();
    let moments = made.iter().map(|at| clock.boot_time_of(*at));
    let is_recent = |at: &Duration| *at + HOUR > now && *at <= now + HOUR;
    let mut recent: Vec<Duration> = moments.filter(is_recent).map(|at| at.min(now)).collect();
    recent.sort_unstable_by(|one, other| other.cmp(one));
    let nth = usize::try_from(limit.saturating_sub(1)).unwrap_or(usize::MAX);
    recent.get(nth).map(|at| clock.wall_time_of(*at + HOUR))
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
    let until = run.clock().now().plus(pace.loop_delay.0);
    run.wait(place, until, WaitFor::Pause, "the pause between iterations").await
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn calls_count_for_an_hour_however_the_wall_clock_is_set() {
        for days in [0, 300, -300_i64] {
            let clock = Clock::by_hand(Timestamp(1_800_000_000_000));
            let mut made = Vec::new();
            made.push(clock.now());
            clock.advance(10 * MINUTE);
            made.push(clock.now());
            clock.set(Timestamp(clock.now().0 + days * 86_400_000));
            clock.advance(10 * MINUTE);
            made.push(clock.now());
            let since = clock.earliest_in_last(HOUR);
            assert!(made.iter().all(|at| *at >= since), "{days}");
            assert_eq!(room_at(&made, 4, &clock), None, "{days}");
            assert_eq!(room_at(&made, 3, &clock), Some(clock.now().plus(40 * MINUTE)), "{days}");
            assert_eq!(room_at(&made, 2, &clock), Some(clock.now().plus(50 * MINUTE)), "{days}");
            clock.advance(45 * MINUTE);
            assert_eq!(room_at(&made, 3, &clock), None, "{days}");
        }
    }

    #[test]
    fn calls_that_a_clock_dated_far_ahead_hold_nobody_up() {
        let clock = Clock::by_hand(Timestamp(1_800_000_000_000));
        let ahead = clock.now().plus(300 * 24 * HOUR);
        assert_eq!(room_at(&[ahead; 5], 1, &clock), None);
        let soon = clock.now().plus(MINUTE);
        assert_eq!(room_at(&[soon], 1, &clock), Some(clock.now().plus(HOUR)));
    }
}
