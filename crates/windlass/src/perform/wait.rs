//! Waits for a moment, however the wall clock is set meanwhile.

use std::time::Duration;

use windlass_core::{step::StepResult, stop::StopLevel, time::Timestamp};
use windlass_system::{clock::Clock, stop::Stop};

use crate::halt::Halt;

/// Waits as long as it is until then by the wall clock now; how long that takes, the time since boot
/// tells, for the wall clock may be set meanwhile.
pub(super) async fn wait(until: Timestamp, clock: &Clock, stop: &Stop) -> Result<StepResult, Halt> {
    let end = clock.since_boot() + until.since(clock.now());
    loop {
        let left = end.saturating_sub(clock.since_boot());
        if left.is_zero() {
            return Ok(StepResult::Waited);
        }
        // In slices, so that a machine that slept is noticed: timers do not count that.
        tokio::select! {
            () = tokio::time::sleep(left.min(Duration::from_secs(1))) => (),
            () = stop.reached(StopLevel::AfterIteration) => return Err(Halt::Stopped),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    #[tokio::test(start_paused = true)]
    async fn a_wait_takes_its_time_however_the_wall_clock_is_set() {
        for jump in [300 * 24, -300 * 24] {
            let clock = Clock::by_hand(Timestamp(1_800_000_000_000));
            let (begun, until) = (clock.since_boot(), clock.now().plus(HOUR));
            let moves = clock.clone();
            let time = async move {
                for minute in 0.. {
                    tokio::time::sleep(Duration::from_secs(60)).await;
                    moves.advance(Duration::from_secs(60));
                    if minute == 10 {
                        moves.set(Timestamp(moves.now().0 + jump * 3_600_000));
                    }
                }
            };
            let stop = Stop::default();
            tokio::select! {
                waited = wait(until, &clock, &stop) => assert!(waited.is_ok()),
                () = time => unreachable!("it goes on for ever"),
            }
            assert_eq!(clock.since_boot() - begun, HOUR);
        }
    }
}
