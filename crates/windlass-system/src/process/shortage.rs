//! Patience with a system that is out of processes for a moment: what windlass itself needs is tried
//! again for a while. A session that cannot be started is a failed one, and has its own pauses.

use std::time::{Duration, Instant};

use super::StartError;

/// How long it is tried.
const PATIENCE: Duration = Duration::from_secs(10);

/// The first pause; it doubles to the longest.
const FIRST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(1);

/// A start that may have to be tried again.
#[derive(Clone, Copy, Debug)]
pub struct Shortage {
    until: Instant,
    pause: Duration,
}

impl Default for Shortage {
    fn default() -> Self {
        Self::of(PATIENCE)
    }
}

impl Shortage {
    /// One that is tried again for so long.
    pub(super) fn of(patience: Duration) -> Self {
        Self { until: Instant::now() + patience, pause: FIRST }
    }

    /// How long to wait before another try; `None` where that would not help, or not any more.
    pub fn pause(&mut self, error: &StartError) -> Option<Duration> {
        let StartError::OutOf { what } = error else { return None };
        if what != "processes" || Instant::now() >= self.until {
            return None;
        }
        let pause = self.pause;
        self.pause = LONGEST.min(pause * 2);
        Some(pause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_want_of_processes_is_waited_for_and_not_without_end() {
        let out_of = |what: &'static str| StartError::OutOf { what: what.into() };
        let mut shortage = Shortage::default();
        assert_eq!(shortage.pause(&out_of("open files")), None);
        let pauses: Vec<u128> = (0..7)
            .map_while(|_| shortage.pause(&out_of("processes")))
            .map(|p| p.as_millis())
            .collect();
        assert_eq!(pauses, [50, 100, 200, 400, 800, 1000, 1000]);
        assert_eq!(Shortage::of(Duration::ZERO).pause(&out_of("processes")), None);
    }
}
