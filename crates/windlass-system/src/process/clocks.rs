//! The clocks beside a process: what is due, and when to look next. Nothing here waits.

use std::time::Duration;

use tokio::time::Instant;

use super::TimeLimits;

/// How often the sink learns that time goes by.
const TICK: Duration = Duration::from_millis(200);
/// A gap between two looks at the clock that means that this process itself was stopped.
const SLEPT: Duration = Duration::from_secs(5);
/// How long a held pipe must be quiet before its holder is ended, and how long it has in all.
const QUIET: Duration = Duration::from_millis(100);
const LINGER: Duration = Duration::from_secs(10);

pub(super) struct Clocks {
    /// The last look.
    pub(super) now: Instant,
    began: Instant,
    idle: Duration,
    tick_at: Instant,
    total_at: Option<Instant>,
    idle_at: Option<Instant>,
    /// While pipes are held after the exit: the first is moved by every byte.
    quiet_at: Option<Instant>,
    linger_at: Option<Instant>,
    /// When an asked guardian counts as hung.
    answer_by: Option<Instant>,
}

impl Clocks {
    pub(super) fn start(limits: TimeLimits, now: Instant) -> Self {
        let after = |span: Duration| (!span.is_zero()).then(|| now.checked_add(span)).flatten();
        Self {
            now,
            began: now,
            idle: limits.idle,
            tick_at: now + TICK,
            total_at: after(limits.total),
            idle_at: after(limits.idle),
            quiet_at: None,
            linger_at: None,
            answer_by: None,
        }
    }

    /// Looks at the time. The limits pause while this process is stopped: what was written
    /// meanwhile could not be read.
    pub(super) fn look(&mut self, now: Instant) {
        let gap = now - self.now;
        self.now = now;
        if gap > SLEPT {
            for limit in [&mut self.total_at, &mut self.idle_at].into_iter().flatten() {
                *limit += gap;
            }
        }
    }

    /// When to look next at the latest.
    pub(super) fn next(&self) -> Instant {
        let times = [self.total_at, self.idle_at, self.quiet_at, self.linger_at, self.answer_by];
        times.into_iter().flatten().fold(self.tick_at, Instant::min)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.now - self.began
    }

    pub(super) fn output_came(&mut self) {
        if self.idle_at.is_some() {
            self.idle_at = self.now.checked_add(self.idle);
        }
        if self.quiet_at.is_some() {
            self.quiet_at = Some(self.now + QUIET);
        }
    }

    /// Whether a tick is due; winds the clock for the next.
    pub(super) fn tick(&mut self) -> bool {
        let due = self.tick_at <= self.now;
        if due {
            self.tick_at = self.now + TICK;
        }
        due
    }

    pub(super) fn total_is_over(&self) -> bool {
        self.is_due(self.total_at)
    }

    pub(super) fn idle_is_over(&self) -> bool {
        self.is_due(self.idle_at)
    }

    /// The process ended or is being ended: the limits do not matter any more.
    pub(super) fn stop_limits(&mut self) {
        (self.total_at, self.idle_at) = (None, None);
    }

    /// The process exited: from now on its pipes are only lingered at.
    pub(super) fn linger(&mut self) {
        self.stop_limits();
        self.quiet_at = Some(self.now + QUIET);
        self.linger_at = Some(self.now + LINGER);
    }

    pub(super) fn is_lingering(&self) -> bool {
        self.quiet_at.is_some()
    }

    pub(super) fn has_lingered(&self) -> bool {
        self.is_due(self.quiet_at) || self.is_due(self.linger_at)
    }

    pub(super) fn stop_lingering(&mut self) {
        (self.quiet_at, self.linger_at) = (None, None);
    }

    pub(super) fn await_answer(&mut self, within: Duration) {
        self.answer_by = self.now.checked_add(within);
    }

    pub(super) fn answered(&mut self) {
        self.answer_by = None;
    }

    pub(super) fn awaits_answer(&self) -> bool {
        self.answer_by.is_some()
    }

    pub(super) fn answer_is_late(&self) -> bool {
        self.is_due(self.answer_by)
    }

    fn is_due(&self, at: Option<Instant>) -> bool {
        at.is_some_and(|at| at <= self.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn clocks(total: u32, idle: u32) -> (Clocks, Instant) {
        let now = Instant::now();
        let limits = TimeLimits { total: SECOND * total, idle: SECOND * idle, grace: SECOND };
        (Clocks::start(limits, now), now)
    }

    #[test]
    fn limits_of_zero_are_never_over() {
        let (mut clocks, start) = clocks(0, 0);
        (1..100).for_each(|second| clocks.look(start + SECOND * second));
        assert!(!clocks.total_is_over() && !clocks.idle_is_over());
    }

    #[test]
    fn output_moves_the_idle_limit_and_not_the_total_one() {
        let (mut clocks, start) = clocks(4, 2);
        clocks.look(start + SECOND);
        clocks.output_came();
        clocks.look(start + SECOND * 2);
        assert!(!clocks.idle_is_over());
        clocks.look(start + SECOND * 3);
        assert!(clocks.idle_is_over() && !clocks.total_is_over());
        clocks.look(start + SECOND * 4);
        assert!(clocks.total_is_over());
    }

    #[test]
    fn the_limits_pause_while_this_process_is_stopped() {
        let (mut clocks, start) = clocks(10, 2);
        clocks.look(start + SECOND);
        clocks.look(start + SECOND * 61);
        assert!(!clocks.total_is_over() && !clocks.idle_is_over());
        clocks.look(start + SECOND * 62);
        assert!(clocks.idle_is_over() && !clocks.total_is_over());
    }

    #[test]
    fn every_byte_prolongs_the_lingering_up_to_a_limit() {
        let (mut clocks, start) = clocks(0, 0);
        clocks.linger();
        for step in 1..=199 {
            clocks.look(start + Duration::from_millis(50) * step);
            assert!(!clocks.has_lingered());
            clocks.output_came();
        }
        clocks.look(start + SECOND * 10);
        assert!(clocks.has_lingered());
    }
}
