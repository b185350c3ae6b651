//! The clocks: the wall clock, which tells people when something was and which anybody may set, and the
//! time since boot, suspends included, which nobody can: every duration, budget and wait goes by that.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use rustix::time::{ClockId, clock_gettime};
use windlass_core::time::Timestamp;

/// The moment that it is now, by the wall clock.
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// How long ago the machine was started, suspends included.
pub fn since_boot() -> Duration {
    let time = clock_gettime(ClockId::Boottime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// How far the wall clock may stray from the other before that counts as a jump.
const JUMP: Duration = Duration::from_secs(2);

/// How many jumps are remembered.
const MOST_JUMPS: usize = 64;

/// Both clocks, and what the one showed while the other went on. Clones show the same.
#[derive(Clone, Debug)]
pub struct Clock {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug)]
struct Inner {
    /// The hands of a clock for tests; `None` for the system's own clocks.
    by_hand: Option<Moment>,
    /// What both showed at first, and after each jump of the wall clock; never empty.
    seen: Vec<Moment>,
}

/// What both clocks show.
#[derive(Clone, Copy, Debug)]
struct Moment {
    wall: Timestamp,
    boot: Duration,
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(None)
    }
}

impl Clock {
    /// A clock that only moves when it is told to, for tests.
    pub fn by_hand(wall: Timestamp) -> Self {
        Self::new(Some(Moment { wall, boot: Duration::from_secs(1_000_000) }))
    }

    fn new(by_hand: Option<Moment>) -> Self {
        let first = by_hand.unwrap_or_else(Moment::of_system);
        Self { inner: Arc::new(Mutex::new(Inner { by_hand, seen: vec![first] })) }
    }

    /// The moment that it is now, by the wall clock.
    pub fn now(&self) -> Timestamp {
        self.look().1.wall
    }

    /// The time since boot.
    pub fn since_boot(&self) -> Duration {
        self.look().1.boot
    }

    /// The time since boot at which the wall clock shows, or showed, `at`: looked for where it was
    /// seen, the latest first, for a clock that was put back shows the same more than once.
    pub fn boot_time_of(&self, at: Timestamp) -> Duration {
        let (inner, now) = self.look();
        let mut until = now.boot;
        for seen in inner.seen.iter().rev() {
            let boot = seen.boot_time_of(at);
            if at >= seen.wall && boot <= until {
                return boot;
            }
            until = seen.boot;
        }
        // Before the first look, or in the future.
        if at > now.wall { now.boot_time_of(at) } else { inner.seen[0].boot_time_of(at) }
    }

    /// The earliest moment that the wall clock showed in the last `time`, or would have if it was not
    /// looked at yet.
    pub fn earliest_in_last(&self, time: Duration) -> Timestamp {
        let (inner, now) = self.look();
        let from = now.boot.saturating_sub(time);
        let mut earliest = now.wall;
        for seen in inner.seen.iter().rev() {
            let is_first = seen.boot == inner.seen[0].boot;
            let begin = if is_first { from } else { from.max(seen.boot) };
            earliest = earliest.min(seen.wall_time_of(begin));
            if seen.boot <= from {
                break;
            }
        }
        earliest
    }

    /// What the wall clock will show when the time since boot is `boot`, if nobody sets it.
    pub fn wall_time_of(&self, boot: Duration) -> Timestamp {
        let now = self.look().1;
        now.wall.plus(boot.saturating_sub(now.boot))
    }

    /// Lets time go by. Only for a clock that is moved by hand.
    pub fn advance(&self, time: Duration) {
        let mut inner = self.inner();
        if let Some(hands) = &mut inner.by_hand {
            hands.boot += time;
            hands.wall = hands.wall.plus(time);
        }
    }

    /// Sets the wall clock. Only for a clock that is moved by hand.
    pub fn set(&self, wall: Timestamp) {
        let mut inner = self.inner();
        if let Some(hands) = &mut inner.by_hand {
            hands.wall = wall;
        }
    }

    /// What both show now; a jump is taken down.
    fn look(&self) -> (MutexGuard<'_, Inner>, Moment) {
        let mut inner = self.inner();
        let now = inner.by_hand.unwrap_or_else(Moment::of_system);
        let expected = inner.seen.last().map_or(now.wall, |last| last.wall_time_of(now.boot));
        let strayed = now.wall.since(expected).max(expected.since(now.wall));
        if strayed > JUMP {
            if inner.seen.len() == MOST_JUMPS {
                inner.seen.remove(0);
            }
            inner.seen.push(now);
        }
        (inner, now)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Moment {
    fn of_system() -> Self {
        Self { wall: now(), boot: since_boot() }
    }

    /// What the wall clock would show, had nobody set it.
    fn wall_time_of(self, boot: Duration) -> Timestamp {
        let later = i64::try_from(boot.saturating_sub(self.boot).as_millis()).unwrap_or(i64::MAX);
        let earlier = i64::try_from(self.boot.saturating_sub(boot).as_millis()).unwrap_or(i64::MAX);
        Timestamp(self.wall.0.saturating_add(later).saturating_sub(earlier))
    }

    /// When the wall clock would show `at`, had nobody set it.
    fn boot_time_of(self, at: Timestamp) -> Duration {
        (self.boot + at.since(self.wall)).saturating_sub(self.wall.since(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 3600);
    const START: Timestamp = Timestamp(1_800_000_000_000);

    #[test]
    fn the_time_since_boot_goes_on() {
        let clock = Clock::default();
        let before = clock.since_boot();
        std::thread::sleep(Duration::from_millis(2));
        assert!(clock.since_boot() > before);
        assert!(clock.now() > Timestamp(1_700_000_000_000));
    }

    #[test]
    fn moments_are_found_again_whichever_way_the_wall_clock_jumped() {
        for days in [300, -300_i64] {
            let clock = Clock::by_hand(START);
            let begun = clock.since_boot();
            clock.advance(Duration::from_secs(600));
            let early = clock.now();
            clock.set(Timestamp(early.0 + days * 86_400_000));
            let late = clock.now();
            clock.advance(Duration::from_secs(60));
            assert_eq!(clock.boot_time_of(early), begun + Duration::from_secs(600));
            assert_eq!(clock.boot_time_of(START), begun);
            assert_eq!(clock.boot_time_of(late), begun + Duration::from_secs(600));
            assert_eq!(clock.boot_time_of(clock.now()), clock.since_boot());
            let soon = clock.now().plus(Duration::from_secs(5));
            assert_eq!(clock.boot_time_of(soon), clock.since_boot() + Duration::from_secs(5));
            assert_eq!(clock.wall_time_of(clock.since_boot() + Duration::from_secs(5)), soon);
            let an_hour = Duration::from_secs(3600);
            let earliest = Timestamp(START.0 - 2_940_000).min(late);
            assert_eq!(clock.earliest_in_last(an_hour), earliest);
            assert_eq!(
                clock.earliest_in_last(Duration::from_secs(30)),
                Timestamp(clock.now().0 - 30_000)
            );
        }
    }

    #[test]
    fn what_was_before_the_first_look_is_told_by_the_clock_as_it_was_then() {
        let clock = Clock::by_hand(START);
        let begun = clock.since_boot();
        clock.advance(Duration::from_secs(60));
        clock.set(clock.now().plus(300 * DAY));
        let before = Timestamp(START.0 - 60_000);
        assert_eq!(clock.boot_time_of(before), begun.saturating_sub(Duration::from_secs(60)));
    }
}
