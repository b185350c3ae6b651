//! The pause between failed sessions: 1 s, doubling to 60 s, with a jitter that only adds.

use std::time::Duration;

use windlass_core::{ids::Place, step::WaitFor};

use crate::{halt::Halt, run::Run};

const LONGEST: Duration = Duration::from_secs(60);

/// Waits if the last sessions, so many running, have failed.
pub(crate) async fn between_failures(
    run: &Run<'_>,
    iteration: u32,
    failures: u32,
) -> Result<(), Halt> {
    if failures == 0 {
        return Ok(());
    }
    run.go_on_after(iteration)?;
    let place = Place::new(iteration, "backoff");
    // The loop ended, or was cut off, before the pause began: whoever took it up did not do so
    // at once, and does not want to wait.
    if run.is_past(iteration) && !run.has_begun_to_wait(&place) {
        return Ok(());
    }
    let pause = pause(failures, fastrand::f64());
    let until = run.clock().now().plus(pause);
    let reason = "a pause after a failed session";
    run.wait(place, until, WaitFor::Pause, reason).await
}

/// How long to pause after so many failures running; `chance` is between 0 and 1.
fn pause(failures: u32, chance: f64) -> Duration {
    let doublings = failures.saturating_sub(1).min(6);
    let pause = Duration::from_secs(1 << doublings).min(LONGEST);
    pause.mul_f64(1.0 + chance.clamp(0.0, 1.0) / 4.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_doubles_to_a_minute_and_jitter_only_adds() {
        let seconds: Vec<u64> = (1..10).map(|n| pause(n, 0.0).as_secs()).collect();
        assert_eq!(seconds, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
        assert_eq!(pause(1, 1.0), Duration::from_millis(1250));
        assert_eq!(pause(1, 7.0), Duration::from_millis(1250));
    }
}
