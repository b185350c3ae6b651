//! Which different words an agent said, as hashes: enough to tell news from repetition, and too little to
//! read what was said.

use std::{collections::BTreeSet, fmt::Write as _};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A shorter word is no news.
const SHORTEST: usize = 3;

/// The different words of what an agent said, and what it used tools on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(BTreeSet<u32>);

impl Words {
    /// How many are kept of one session.
    const MOST: usize = 400;

    /// The words of a text. Questions do not count: a question is no news.
    pub fn of(text: &str) -> Self {
        let mut words = Self::default();
        words.add(text);
        words
    }

    /// Adds the words of a text, as long as there is room.
    pub fn add(&mut self, text: &str) {
        for sentence in text.split_inclusive(['.', '!', '?', '\n']) {
            if self.0.len() >= Self::MOST {
                return;
            }
            if sentence.ends_with('?') {
                continue;
            }
            let words = sentence.split(|c: char| !c.is_alphabetic() && c != '_');
            self.0.extend(words.filter(|word| word.chars().count() >= SHORTEST).map(hash));
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many are not among those.
    pub fn new_since(&self, seen: &Self) -> usize {
        self.0.difference(&seen.0).count()
    }

    /// Adds all of another set.
    pub fn extend(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }
}

/// FNV-1a of the word in lower case: it must be the same in every version.
fn hash(word: &str) -> u32 {
    let bytes = word.chars().flat_map(char::to_lowercase).map(u32::from);
    bytes.fold(0x811c_9dc5, |hash, c| (hash ^ c).wrapping_mul(0x0100_0193))
}

impl Serialize for Words {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut hex = String::with_capacity(8 * self.0.len());
        for word in self.0.iter().take(Self::MOST) {
            let _ = write!(hex, "{word:08x}");
        }
        to.serialize_str(&hex)
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let hex = String::deserialize(from)?;
        let words = hex.as_bytes().chunks(8).filter_map(|digits| {
            let digits = std::str::from_utf8(digits).ok()?;
            u32::from_str_radix(digits, 16).ok()
        });
        Ok(Self(words.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_is_told_from_repetition_and_a_question_is_none() {
        let mut seen = Words::of("I read parser.rs: the tokens come from lex().");
        let again = Words::of("The tokens come from LEX, I read.");
        assert_eq!(again.new_since(&seen), 0);
        let news = Words::of("The cache in store.rs is never emptied.");
        assert!(news.new_since(&seen) >= 4, "{news:?}");
        seen.extend(&news);
        assert_eq!(news.new_since(&seen), 0);
        assert!(Words::of("Which colour do you want? Shall we begin?").is_empty());
        assert!(Words::of("12 of 40: a, b").is_empty());
    }

    #[test]
    fn words_are_stored_as_one_short_text() {
        let words = Words::of("the parser is fine");
        let json = serde_json::to_string(&words).unwrap();
        assert_eq!(json.len(), 2 + 8 * 3);
        assert_eq!(serde_json::from_str::<Words>(&json).unwrap(), words);
        let many: String = (0..2000)
            .map(|n: u32| {
                let letters =
                    n.to_string().bytes().map(|b| char::from(b - b'0' + b'a')).collect::<String>();
                format!("word{letters} ")
            })
            .collect();
        assert!(serde_json::to_string(&Words::of(&many)).unwrap().len() < 4000);
    }
}
