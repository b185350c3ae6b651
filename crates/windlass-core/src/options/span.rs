//! Durations as people write them.

use std::{fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A duration as people write it: `90s`, `15m`, `6h`, `2d`, `250ms`, or a number of seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(pub Duration);

impl Span {
    /// A span of so many seconds.
    pub(crate) const fn seconds(seconds: u64) -> Self {
        Self(Duration::from_secs(seconds))
    }

    /// A span of so many minutes.
    pub(crate) const fn minutes(minutes: u64) -> Self {
        Self(Duration::from_secs(minutes * 60))
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let wrong = || format!("expected a duration such as `90s`, `15m` or `6h`, found `{text}`");
        let number: u64 = number.parse().map_err(|_| wrong())?;
        let duration = match unit.trim() {
            "ms" => Some(Duration::from_millis(number)),
            "" | "s" => Some(Duration::from_secs(number)),
            "m" => number.checked_mul(60).map(Duration::from_secs),
            "h" => number.checked_mul(3600).map(Duration::from_secs),
            "d" => number.checked_mul(86_400).map(Duration::from_secs),
            _ => return Err(wrong()),
        };
        duration.map(Self).ok_or_else(wrong)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0.as_millis();
        if ms == 0 {
            write!(f, "0s")
        } else if ms.is_multiple_of(3_600_000) {
            write!(f, "{}h", ms / 3_600_000)
        } else if ms.is_multiple_of(60_000) {
            write!(f, "{}m", ms / 60_000)
        } else if ms.is_multiple_of(1000) {
            write!(f, "{}s", ms / 1000)
        } else {
            write!(f, "{ms}ms")
        }
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Seconds(u64),
            Text(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Seconds(seconds) => Ok(Self::seconds(seconds)),
            Written::Text(text) => text.parse().map_err(de::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_reads_what_people_write_and_writes_it_back() {
        for (text, seconds) in
            [("90s", 90), ("15m", 900), ("6h", 21_600), ("2d", 172_800), ("45", 45), ("0", 0)]
        {
            assert_eq!(text.parse::<Span>(), Ok(Span::seconds(seconds)), "{text}");
        }
        for span in [Span::seconds(90), Span::minutes(15), Span(Duration::from_millis(250))] {
            assert_eq!(span.to_string().parse::<Span>(), Ok(span));
        }
        for text in ["", "s", "5x", "-1", "1.5h", "99999999999999999h", "999999999999999999d"] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
    }
}
