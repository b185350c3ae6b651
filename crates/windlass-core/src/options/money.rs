//! Money as people write it.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// An amount in US dollars, to the millionth: `5`, `0.5`, `12.50`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money {
    micros: u64,
}

/// More than anybody has, and still exact.
const LARGEST: f64 = 1e9;

impl Money {
    /// An amount in dollars; `None` where there is no such amount.
    pub(crate) fn new(dollars: f64) -> Option<Self> {
        let is_amount = (0.0..=LARGEST).contains(&dollars);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the amount is in a range that a whole number holds"
        )]
        is_amount.then(|| Self { micros: (dollars * 1e6).round() as u64 })
    }

    /// The amount in dollars.
    pub(crate) fn dollars(self) -> f64 {
        let micros = self.micros as f64;
        micros / 1e6
    }
}

impl FromStr for Money {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let amount = text.trim().parse().ok().and_then(Self::new);
        amount.ok_or_else(|| wrong(text))
    }
}

fn wrong(found: impl fmt::Display) -> String {
    format!("expected an amount in dollars such as `5` or `0.50`, found `{found}`")
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.micros {
            1..10_000 => write!(f, "${:.4}", self.dollars()),
            _ => write!(f, "${:.2}", self.dollars()),
        }
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.dollars())
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let dollars = f64::deserialize(deserializer)?;
        Self::new(dollars).ok_or_else(|| de::Error::custom(wrong(dollars)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_reads_what_people_write_and_writes_it_back() {
        for (text, shown) in
            [("5", "$5.00"), ("0.5", "$0.50"), ("0.0042", "$0.0042"), ("0", "$0.00")]
        {
            let money: Money = text.parse().unwrap();
            assert_eq!(money.to_string(), shown);
            let json = serde_json::to_string(&money).unwrap();
            assert_eq!(serde_json::from_str::<Money>(&json).unwrap(), money);
        }
        for text in ["", "-1", "five", "NaN", "inf", "1e12"] {
            assert!(text.parse::<Money>().is_err(), "{text}");
        }
    }
}
