//! Waiting with a bound, instead of sleeping and hoping.

use std::{
    thread,
    time::{Duration, Instant},
};

/// Waits until `holds` does; fails the test when it does not within `limit`.
#[track_caller]
pub fn wait_until(what: &str, limit: Duration, holds: impl FnMut() -> bool) {
    assert!(holds_within(limit, holds), "not within {limit:?}: {what}");
}

/// Whether `holds` does at some moment within `limit`.
pub(crate) fn holds_within(limit: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if holds() {
            return true;
        }
        if start.elapsed() >= limit {
            return false;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
