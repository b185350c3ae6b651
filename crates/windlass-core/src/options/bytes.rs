//! Sizes as people write them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A number of bytes: `512m`, `2g`, `1048576`. The units are powers of 1024, as containers have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

/// The units, largest first.
const UNITS: [(char, u64); 4] = [('t', 1 << 40), ('g', 1 << 30), ('m', 1 << 20), ('k', 1 << 10)];

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected a size such as `512m` or `2g`, found `{}`", text.trim());
        let bare = text.trim().to_ascii_lowercase();
        let bare = bare.strip_suffix("ib").or(bare.strip_suffix('b')).unwrap_or(&bare);
        let unit = UNITS.iter().find(|(letter, _)| bare.ends_with(*letter));
        let (number, factor) = match unit {
            Some((letter, factor)) => (bare.trim_end_matches(*letter), *factor),
            None => (bare, 1),
        };
        let number: u64 = number.trim_end().parse().map_err(|_| wrong())?;
        number.checked_mul(factor).map(Self).ok_or_else(wrong)
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = |(_, factor): &&(char, u64)| self.0 > 0 && self.0.is_multiple_of(*factor);
        match UNITS.iter().find(exact) {
            Some((letter, factor)) => write!(f, "{}{letter}", self.0 / factor),
            None => write!(f, "{}", self.0),
        }
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(u64),
            Text(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Number(number) => Ok(Self(number)),
            Written::Text(text) => text.parse().map_err(de::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_reads_what_people_write_and_writes_it_back() {
        for (text, bytes) in [
            ("2g", 2 << 30),
            ("512M", 512 << 20),
            ("64 MiB", 64 << 20),
            ("4kb", 4096),
            ("1000", 1000),
            ("1t", 1 << 40),
        ] {
            assert_eq!(text.parse(), Ok(Bytes(bytes)), "{text}");
            assert_eq!(Bytes(bytes).to_string().parse(), Ok(Bytes(bytes)));
        }
        for text in ["", "g", "1.5g", "-1", "2x", "99999999999t"] {
            assert!(text.parse::<Bytes>().is_err(), "{text}");
        }
    }
}
