//! Wall-clock times as they are stored and shown. There is no clock here: the system has it, and measures durations, budgets and
//! waits with the time since boot, never by subtracting these: the wall clock jumps.

use std::{fmt, time::Duration};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A moment in milliseconds since 1970, written as RFC 3339 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The moment `after` later.
    pub fn plus(self, after: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(after.as_millis()).unwrap_or(i64::MAX)))
    }

    /// The moment in UTC as digits that sort, for names: `20261115-200320`.
    pub fn compact(self) -> String {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(at) => at.strftime("%Y%m%d-%H%M%S").to_string(),
            Err(_) => self.0.to_string(),
        }
    }

    /// How long it is from `earlier` to this moment; zero when it is not later.
    pub fn since(self, earlier: Timestamp) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(at) => write!(f, "{at:.3}"),
            Err(_) => write!(f, "{} ms", self.0),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let at: jiff::Timestamp = text.parse().map_err(D::Error::custom)?;
        Ok(Self(at.as_millisecond()))
    }
}

/// The milliseconds of a duration, for the fields that end in `_ms`.
pub fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_survives_json() {
        let at = Timestamp(1_763_237_000_123);
        let json = serde_json::to_string(&at).unwrap();
        assert_eq!(json, "\"2025-11-15T20:03:20.123Z\"");
        assert_eq!(serde_json::from_str::<Timestamp>(&json).unwrap(), at);
    }

    #[test]
    fn a_clock_that_went_back_gives_no_negative_duration() {
        assert_eq!(Timestamp(5).since(Timestamp(10)), Duration::ZERO);
    }
}
