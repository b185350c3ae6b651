//! The one knob that stops a loop. It has an order and only goes up: a weaker reason never hides
//! a stronger one, and Ctrl-C twice is one step more and not a special case.

use std::sync::Arc;

use tokio::sync::watch;
use windlass_core::{
    ending::CancelledBy,
    stop::{StopLevel, StopReason, StopState},
};

/// The knob. Cheap to clone; every clone turns and sees the same one.
#[derive(Clone, Debug)]
pub struct Stop(Arc<watch::Sender<StopState>>);

impl Default for Stop {
    fn default() -> Self {
        let state = StopState { level: StopLevel::None, reason: None };
        Self(Arc::new(watch::Sender::new(state)))
    }
}

impl Stop {
    /// Turns the knob up to `level`; says whether it moved.
    pub fn raise(&self, level: StopLevel, reason: StopReason) -> bool {
        self.0.send_if_modified(|state| {
            let moves = level > state.level;
            if moves {
                *state = StopState { level, reason: Some(reason) };
            }
            moves
        })
    }

    /// Turns the knob one step up on a signal or a request: the first asks, the next kills.
    pub fn press(&self, by: CancelledBy) -> bool {
        let level = if self.level() >= StopLevel::End { StopLevel::Kill } else { StopLevel::End };
        self.0.send_if_modified(|state| {
            let moves = level > state.level;
            if moves {
                // The second press keeps the first one's reason: it says who called it off.
                let reason = match &state.reason {
                    Some(StopReason::Cancelled(first)) => StopReason::Cancelled(*first),
                    _ => StopReason::Cancelled(by),
                };
                *state = StopState { level, reason: Some(reason) };
            }
            moves
        })
    }

    /// Where the knob stands.
    pub fn level(&self) -> StopLevel {
        self.0.borrow().level
    }

    /// Where the knob stands, and why.
    pub fn state(&self) -> StopState {
        self.0.borrow().clone()
    }

    /// Returns once the knob stands at `level` or above.
    pub async fn reached(&self, level: StopLevel) {
        let mut receiver = self.0.subscribe();
        // The sender lives in `self`, so waiting cannot fail.
        drop(receiver.wait_for(|state| state.level >= level).await);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_knob_only_goes_up() {
        let stop = Stop::default();
        assert!(stop.press(CancelledBy::Sigint));
        assert!(!stop.raise(StopLevel::AfterIteration, StopReason::Tripped));
        assert_eq!(stop.level(), StopLevel::End);
        assert!(stop.press(CancelledBy::Sigterm));
        assert_eq!(
            stop.state(),
            StopState {
                level: StopLevel::Kill,
                reason: Some(StopReason::Cancelled(CancelledBy::Sigint))
            }
        );
        assert!(!stop.press(CancelledBy::Sigint));
    }
}
