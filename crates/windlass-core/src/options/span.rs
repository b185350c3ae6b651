//! Durations as people write them.

use std::{fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A duration as people write it: `90s`, `15m`, `6h`, `2d`, `250ms`, `1m30s`, or a number of seconds.
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
        let wrong =
            || format!("expected a duration such as `90s`, `15m`, `6h` or `1m30s`, found `{text}`");
        if let Ok(seconds) = text.parse() {
            return if text.starts_with('+') { Err(wrong()) } else { Ok(Self::seconds(seconds)) };
        }
        let (mut sum, mut rest, mut above) = (Duration::ZERO, text, u64::MAX);
        while !rest.is_empty() {
            let (part, unit, after) = part(rest).ok_or_else(wrong)?;
            // Each unit once, the largest first: `30s1m` and `5m5m` are slips.
            if unit >= above {
                return Err(wrong());
            }
            sum = sum.checked_add(part).ok_or_else(wrong)?;
            (rest, above) = (after.trim_start(), unit);
        }
        if text.is_empty() { Err(wrong()) } else { Ok(Self(sum)) }
    }
}

/// The first part of a duration, the milliseconds of its unit, and what follows.
fn part(text: &str) -> Option<(Duration, u64, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, rest) = text.split_at(digits);
    let rest = rest.trim_start();
    let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let (unit, after) = rest.split_at(letters);
    let unit = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    let number: u64 = number.parse().ok()?;
    Some((Duration::from_millis(number.checked_mul(unit)?), unit, after))
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
                .into_iter()
                .chain([("1m30s", 90), ("1h30m", 5400), ("2d 4h", 187_200), ("1h 0m 5s", 3605)])
        {
            assert_eq!(text.parse::<Span>(), Ok(Span::seconds(seconds)), "{text}");
        }
        for span in [Span::seconds(90), Span::minutes(15), Span(Duration::from_millis(250))] {
            assert_eq!(span.to_string().parse::<Span>(), Ok(span));
        }
        for text in ["1m30", "30s1m", "5m5m", "1m-30s", "m30s", "1m 30", "+5", "5 5", "1m30x"] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
        for text in ["", "s", "5x", "-1", "1.5h", "99999999999999999h", "999999999999999999d"] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
    }
}
