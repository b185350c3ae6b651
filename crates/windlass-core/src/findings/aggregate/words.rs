//! The words of a text that carry its meaning: without stop words, identifiers taken apart, and
//! each by its stem. Enough to tell whether two reviewers speak of the same thing, and no more.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

/// Words that say nothing of which defect it is.
const STOP_WORDS: &str = "\
    a about above actual actually after again all allow allows already also although always an and any anything are as at be because \
    become been before behavior behaviour being below between bit both bug but by call called caller calls came can cannot case \
    cases cause caused causes causing change changes code come comes condition could currently defect did do does doing done down \
    due during each either else especially etc even ever every example finding fix fixed for found from function \
    functions get gets give given gives go goes had happen happens has have having here hence how however if in instead \
    into is issue issues it item its itself just lead leading leads let lets like line lines look made make makes making may might \
    method methods more moreover most must need needs never new not note now of off often on once one only onto or other \
    others otherwise our out over own please point possible possibly potential potentially problem properly put rather \
    really result results resulting same say says see seem seems should since so some something still such take taken takes \
    than that the their them then there therefore these they thing things this those though through thus to too under until \
    up upon us use used uses using very via was way we well were what whatever when where whereas whether which \
    while who whole whose why will with within would yet you your \
    aren couldn didn doesn don hasn haven isn shouldn wasn won wouldn";

/// Stems that say the same.
const SAME: &[(&str, &[&str])] = &[
    ("mis", &["no", "without", "lack", "absent", "omit"]),
    ("nul", &["non", "nil"]),
    ("panic", &["panick", "crash", "abort"]),
    ("param", &["parameter", "argu", "arg"]),
    ("databas", &["db"]),
    ("config", &["configurat"]),
    ("unus", &["dead"]),
];

/// The longest text that is looked at, in words: the rest of a description tells of consequences.
const LONGEST: usize = 200;

/// A word of a text, as a number that it has in a dictionary.
pub(super) type Word = u32;

/// The same, to be looked up.
static STOPS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| STOP_WORDS.split_ascii_whitespace().collect());

/// What a text says, as far as it can be compared. All lists are sorted and have each once.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// Its significant words.
    pub(super) words: Vec<Word>,
    /// What it calls by its name in the code: what stands in backticks, and what can only be an
    /// identifier.
    pub(super) names: Vec<Word>,
    /// Everything in it that may be a name in the code.
    pub(super) mentions: Vec<Word>,
}

/// Numbers words, so that they can be compared fast.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    numbers: HashMap<String, Word>,
    /// What is known of words as they are written.
    written: HashMap<String, Written>,
}

/// What is known of a word as it is written.
#[derive(Clone, Debug)]
struct Written {
    /// It as a whole, in lower case and without underscores: `fetch_user` is `fetchUser`.
    whole: Word,
    /// Whether it can only be an identifier.
    is_name: bool,
    /// The stems of its parts; those of stop words are left out.
    stems: Vec<Word>,
}

impl Dictionary {
    /// Reads a text.
    pub(super) fn read(&mut self, text: &str) -> Said {
        let mut said = Said::default();
        for (at, stretch) in text.split('`').enumerate() {
            let is_quoted = at % 2 == 1;
            for word in identifiers(stretch) {
                let written = self.written(word);
                said.mentions.push(written.whole);
                if is_quoted || written.is_name {
                    said.names.push(written.whole);
                }
                if said.words.len() < LONGEST {
                    said.words.extend(&written.stems);
                }
            }
        }
        let Said { words, names, mentions } = said;
        Said { words: sorted(words), names: sorted(names), mentions: sorted(mentions) }
    }

    /// The numbers in a text.
    pub(super) fn numbers(&mut self, text: &str) -> Vec<Word> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '.');
        let numbers = words.map(|word| word.trim_matches('.'));
        let numbers = numbers.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        sorted(numbers.map(|word| self.number(word.to_owned())).collect())
    }

    fn written(&mut self, word: &str) -> &Written {
        if !self.written.contains_key(word) {
            let parts = word.split('_').flat_map(humps).map(str::to_lowercase);
            let parts: Vec<_> = parts.filter(|part| !is_stop_word(part)).collect();
            let written = Written {
                whole: self.number(word.replace('_', "").to_lowercase()),
                is_name: is_name(word),
                stems: parts.iter().map(|part| self.number(stem(part))).collect(),
            };
            self.written.insert(word.to_owned(), written);
        }
        &self.written[word]
    }

    fn number(&mut self, word: String) -> Word {
        let next = Word::try_from(self.numbers.len()).unwrap_or(Word::MAX);
        *self.numbers.entry(word).or_insert(next)
    }
}

fn sorted(mut words: Vec<Word>) -> Vec<Word> {
    words.sort_unstable();
    words.dedup();
    words
}

/// The words of two lists, sorted and each once.
pub(super) fn union(one: &[Word], other: &[Word]) -> Vec<Word> {
    sorted([one, other].concat())
}

/// How many words two sorted lists have in common.
pub(super) fn shared(one: &[Word], other: &[Word]) -> usize {
    let (mut at, mut found) = (0, 0);
    for word in one {
        while other.get(at).is_some_and(|next| next < word) {
            at += 1;
        }
        found += usize::from(other.get(at) == Some(word));
    }
    found
}

/// Stretches that could be identifiers.
fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// Whether a word can only be the name of something in the code: `a_b`, `aB`.
fn is_name(word: &str) -> bool {
    let has_hump = word
        .chars()
        .zip(word.chars().skip(1))
        .any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    has_hump || word.trim_matches('_').contains('_')
}

/// `fetchUserId` as `fetch`, `User`, `Id`; `HTTPServer` as `HTTP`, `Server`.
fn humps(word: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    let mut found = Vec::new();
    let mut start = 0;
    for at in 1..chars.len() {
        let (before, now) = (chars[at - 1].1, chars[at].1);
        let after = chars.get(at + 1).is_some_and(|(_, c)| c.is_lowercase());
        let is_hump =
            now.is_uppercase() && (before.is_lowercase() || before.is_uppercase() && after);
        if is_hump {
            found.push(&word[start..chars[at].0]);
            start = chars[at].0;
        }
    }
    found.push(&word[start..]);
    found
}

fn is_stop_word(word: &str) -> bool {
    let is_short = word.chars().count() < 2;
    let is_number = word.starts_with(|c: char| c.is_ascii_digit());
    is_short || is_number || STOPS.contains(word)
}

/// What a word has in common with its other forms: `concatenated`, `concatenation` and
/// `concatenating` are `concatenat`. It need not be a word.
fn stem(word: &str) -> String {
    let mut stem = singular(word);
    for ending in ["ing", "ed", "ion", "ly", "ment"] {
        if let Some(rest) = stem.strip_suffix(ending).filter(|rest| is_long(rest)) {
            // Only after these is it an ending: `fusion`, `action`, and not `union`.
            if ending != "ion" || rest.ends_with(['t', 's']) {
                stem = rest.to_owned();
                break;
            }
        }
    }
    if let Some(rest) = stem.strip_suffix('e').filter(|rest| is_long(rest)) {
        stem = rest.to_owned();
    }
    let mut ending = stem.chars().rev();
    if ending.next().is_some_and(|last| ending.next() == Some(last)) {
        stem.pop();
    }
    let stem = stem.replace("iz", "is");
    let same = SAME.iter().find(|(_, others)| others.contains(&stem.as_str()));
    same.map_or(stem, |(said, _)| (*said).to_owned())
}

fn singular(word: &str) -> String {
    if let Some(rest) = word.strip_suffix("ies").filter(|rest| is_long(rest)) {
        return format!("{rest}y");
    }
    for ending in ["sses", "shes", "ches", "xes"] {
        if word.ends_with(ending) {
            return word[..word.len() - 2].to_owned();
        }
    }
    let is_plural =
        word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    let rest = &word[..word.len() - usize::from(is_plural)];
    if is_long(rest) { rest.to_owned() } else { word.to_owned() }
}

fn is_long(rest: &str) -> bool {
    rest.chars().count() >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for forms in [
            "concatenated concatenation concatenating concatenates concatenate",
            "injection injected injects inject",
            "query queries querying",
            "missing misses lacks without no absent",
            "validation validates validated",
            "sanitised sanitized sanitizes",
            "dropped drops drop dropping",
            "panics panicking crashes crash",
            "null nil None",
            "access accesses accessed",
            "parameter arguments args param",
        ] {
            let stems: Vec<_> = forms.split(' ').map(|word| stem(&word.to_lowercase())).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{forms}: {stems:?}");
        }
        for (one, other) in [("union", "unit"), ("status", "state"), ("his", "high"), ("us", "use")]
        {
            assert_ne!(stem(one), stem(other));
        }
    }

    #[test]
    fn identifiers_are_taken_apart_and_stop_words_left_out() {
        for (text, expected) in [
            ("The user's `fetchUserId` may be None", "user fetch id null"),
            ("HTTPServer::parse_header() fails in 3 cases", "http server parse header fail"),
            ("This isn't a potential issue.", ""),
        ] {
            let mut dictionary = Dictionary::default();
            let words = dictionary.read(text).words;
            assert_eq!(words, dictionary.read(expected).words, "{text}");
        }
    }

    #[test]
    fn names_are_what_is_quoted_and_what_looks_like_one() {
        let mut dictionary = Dictionary::default();
        let names = dictionary.read("Call of `run` in parse_all and doIt, not in main").names;
        assert_eq!(names.len(), 3);
        assert_eq!(shared(&names, &dictionary.read("run parse_all doit").mentions), 3);
        assert_eq!(dictionary.numbers("retries 3 times in 1.5 s").len(), 2);
    }
}
