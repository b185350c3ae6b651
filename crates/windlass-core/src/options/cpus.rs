//! Numbers of processors as people write them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// So many processors, to the hundredth: `2`, `1.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cpus {
    hundredths: u32,
}

/// More than any machine has.
const MOST: f64 = 10_000.0;

impl Cpus {
    /// In thousand millionths of a processor, as engines count them.
    pub fn nano(self) -> i64 {
        i64::from(self.hundredths) * 10_000_000
    }

    fn new(number: f64) -> Option<Self> {
        let is_some = (0.01..=MOST).contains(&number);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the number is in a range that a whole number holds"
        )]
        is_some.then(|| Self { hundredths: (number * 100.0).round() as u32 })
    }
}

impl FromStr for Cpus {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.trim().parse().ok().and_then(Self::new);
        number.ok_or_else(|| wrong(text))
    }
}

impl fmt::Display for Cpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.hundredths) / 100.0)
    }
}

impl Serialize for Cpus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.hundredths) / 100.0)
    }
}

impl<'de> Deserialize<'de> for Cpus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(f64),
            Text(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Number(number) => Self::new(number).ok_or_else(|| wrong(&number.to_string())),
            Written::Text(text) => text.parse(),
        }
        .map_err(de::Error::custom)
    }
}

fn wrong(found: &str) -> String {
    format!("expected a number of processors such as `2` or `1.5`, found `{}`", found.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_processors_reads_what_people_write_and_writes_it_back() {
        for (text, nano) in [("2", 2_000_000_000), ("1.5", 1_500_000_000), ("0.25", 250_000_000)] {
            let cpus: Cpus = text.parse().unwrap();
            assert_eq!(cpus.nano(), nano, "{text}");
            assert_eq!(cpus.to_string(), text);
            let json = serde_json::to_string(&cpus).unwrap();
            assert_eq!(serde_json::from_str::<Cpus>(&json).unwrap(), cpus);
        }
        for text in ["", "0", "-1", "two", "NaN", "inf"] {
            assert!(text.parse::<Cpus>().is_err(), "{text}");
        }
    }
}
