//! How strongly a loop must stop, and why. It has an order: a weaker reason never hides a stronger one.

use crate::ending::CancelledBy;

/// How strongly a loop must stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StopLevel {
    /// Go on.
    None,
    /// Let this iteration come to its end, then stop.
    AfterIteration,
    /// End what runs with its grace, then stop.
    End,
    /// Kill what runs.
    Kill,
}

/// Why a loop was told to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Somebody called it off.
    Cancelled(CancelledBy),
    /// A rule tripped; the journal has the trip.
    Tripped,
    /// The journal cannot store any more; the journal has the error.
    Journal,
}

/// Where the knob stands, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopState {
    /// How strongly.
    pub level: StopLevel,
    /// Why; `None` only while the level is [`StopLevel::None`].
    pub reason: Option<StopReason>,
}
