//! Percentages as people write them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A part of a hundred: `70%`, or just `70`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent(u8);

impl Percent {
    /// So many of a hundred, at the most all of them.
    pub(crate) const fn new(number: u8) -> Self {
        Self(if number > 100 { 100 } else { number })
    }

    /// How many of a hundred.
    pub(crate) fn number(self) -> u8 {
        self.0
    }
}

impl FromStr for Percent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bare = text.trim();
        let number = bare.strip_suffix('%').unwrap_or(bare).trim_end().parse::<u8>();
        let number = number.ok().filter(|number| *number <= 100);
        number.map(Self).ok_or_else(|| {
            format!("expected a percentage from `0%` to `100%`, such as `70%`, found `{bare}`")
        })
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.0)
    }
}

impl Serialize for Percent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(i64),
            Text(String),
        }
        let text = match Written::deserialize(deserializer)? {
            Written::Number(number) => number.to_string(),
            Written::Text(text) => text,
        };
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_reads_what_people_write_and_writes_it_back() {
        for text in ["70", "70%", " 70 % "] {
            assert_eq!(text.parse(), Ok(Percent::new(70)), "{text}");
        }
        assert_eq!(serde_json::from_str::<Percent>("0").unwrap(), Percent::new(0));
        assert_eq!(serde_json::to_string(&Percent::new(70)).unwrap(), "\"70%\"");
        for text in ["", "%", "101", "-1", "0.7", "seventy"] {
            assert!(text.parse::<Percent>().is_err(), "{text}");
        }
    }
}
