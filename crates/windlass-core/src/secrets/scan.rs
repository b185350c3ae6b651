//! Finds the next secret in bytes: one pass for all values and all beginnings of tokens.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    REDACTED, forms,
    heads::Heads,
    shapes::{LONGEST, Measured, SHAPES},
};

/// Patterns are told apart by so many bytes first; none is shorter.
const FIRST: usize = 3;

/// Looks for secrets.
pub(super) struct Scanner {
    patterns: Vec<Pattern>,
    longest: usize,
    heads: Heads,
    /// The patterns that begin so, the longest first.
    by_first: BTreeMap<[u8; FIRST], Vec<usize>>,
    /// With which bytes patterns begin.
    first: [bool; 256],
}

struct Pattern {
    text: Vec<u8>,
    what: What,
}

#[derive(Clone)]
enum What {
    /// A value, with its name.
    Value { name: Option<String>, is_encoded: bool },
    /// The beginning of the shape of that number.
    Head(usize),
}

/// What is found next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<'a> {
    /// A secret.
    Found(Found<'a>),
    /// From here on it is not known yet: what follows decides.
    Unsure { from: usize },
    /// Nothing to the end.
    Nothing,
}

/// A secret, and where it stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found<'a> {
    /// Where that begins by which it is known: `://` stands before a password.
    pub(super) head: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    name: Option<&'a str>,
    is_encoded: bool,
}

impl Found<'_> {
    /// What stands in its place.
    pub(super) fn word(&self) -> String {
        word(self.name, self.is_encoded)
    }
}

/// What stands in the place of a secret of that name.
pub(super) fn word(name: Option<&str>, is_encoded: bool) -> String {
    match (name, is_encoded) {
        (Some(name), false) => format!("[redacted:{name}]"),
        (Some(name), true) => format!("[redacted:{name}, encoded]"),
        (None, _) => REDACTED.to_owned(),
    }
}

impl Scanner {
    /// Looks for these values in all their forms, and for the shapes of tokens.
    pub(super) fn new<'a>(known: impl IntoIterator<Item = (Option<&'a str>, &'a str)>) -> Self {
        let (mut patterns, mut seen) = (Vec::new(), BTreeSet::new());
        let mut add = |text: Vec<u8>, what: What| {
            if text.len() >= FIRST && seen.insert(text.clone()) {
                patterns.push(Pattern { text, what });
            }
        };
        for (name, value) in known {
            let value_of = |is_encoded| What::Value { name: name.map(str::to_owned), is_encoded };
            forms::plain(value).into_iter().for_each(|form| add(form.into(), value_of(false)));
            forms::encoded(value).into_iter().for_each(|form| add(form.into(), value_of(true)));
        }
        for (number, shape) in SHAPES.iter().enumerate() {
            add(shape.head.into(), What::Head(number));
        }
        let longest = patterns.iter().map(|pattern| pattern.text.len()).max().unwrap_or(0);
        let mut first = [false; 256];
        let mut by_first: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (number, pattern) in patterns.iter().enumerate() {
            let begins = [pattern.text[0], pattern.text[1], pattern.text[2]];
            first[usize::from(begins[0])] = true;
            by_first.entry(begins).or_default().push(number);
        }
        let by_length = |number: &usize| std::cmp::Reverse(patterns[*number].text.len());
        by_first.values_mut().for_each(|numbers| numbers.sort_by_key(by_length));
        let heads = Heads::of(patterns.iter().map(|pattern| pattern.text.as_slice()));
        Self { patterns, longest, heads, by_first, first }
    }

    /// The next secret from `at` on. `more`: the text may go on, so what is cut off at its end may
    /// be one.
    pub(super) fn next(&self, text: &[u8], at: usize, more: bool) -> Next<'_> {
        let open = if more { self.open(text, at) } else { text.len() };
        let mut from = at;
        while let Some(found) = self.find(text, from) {
            let (start, pattern) = found;
            let end = start + pattern.text.len();
            if start >= open {
                break;
            }
            match &pattern.what {
                What::Value { name, is_encoded } => {
                    let (name, is_encoded) = (name.as_deref(), *is_encoded);
                    return Next::Found(Found { head: start, start, end, name, is_encoded });
                }
                What::Head(number) => match SHAPES[*number].measure(text, start, more) {
                    Measured::Secret(from, end) => {
                        let (head, start) = (start, from);
                        let (name, is_encoded) = (None, false);
                        return Next::Found(Found { head, start, end, name, is_encoded });
                    }
                    Measured::Unsure => return Next::Unsure { from: start },
                    Measured::Nothing => from = start + 1,
                },
            }
        }
        if open < text.len() { Next::Unsure { from: open } } else { Next::Nothing }
    }

    /// How far before the end of a text a secret may begin that is cut off there.
    pub(super) fn reach(&self) -> usize {
        2 * LONGEST + self.longest
    }

    /// All values, without the beginnings of tokens.
    pub(super) fn values(&self) -> impl Iterator<Item = &[u8]> {
        let is_value = |pattern: &&Pattern| matches!(pattern.what, What::Value { .. });
        self.patterns.iter().filter(is_value).map(|pattern| pattern.text.as_slice())
    }

    /// The first pattern from `from` on, the longest where several begin there.
    fn find(&self, text: &[u8], from: usize) -> Option<(usize, &Pattern)> {
        let mut from = from;
        while let Some(at) = self.heads.find(text, from) {
            if let Some(pattern) = self.begins(&text[at..]) {
                return Some((at, pattern));
            }
            from = at + 1;
        }
        None
    }

    /// The pattern that the text begins with.
    fn begins(&self, text: &[u8]) -> Option<&Pattern> {
        let numbers = self.by_first.get(text.first_chunk::<FIRST>()?)?;
        let mut patterns = numbers.iter().map(|number| &self.patterns[*number]);
        patterns.find(|pattern| text.starts_with(&pattern.text))
    }

    /// From where on the end of the text may be the beginning of a pattern.
    fn open(&self, text: &[u8], at: usize) -> usize {
        let start = text.len().saturating_sub(self.longest.saturating_sub(1)).max(at);
        let may_begin = |place: &usize| {
            let tail = &text[*place..];
            self.first[usize::from(tail[0])]
                && self.patterns.iter().any(|pattern| {
                    pattern.text.len() > tail.len() && pattern.text.starts_with(tail)
                })
        };
        (start..text.len()).find(may_begin).unwrap_or(text.len())
    }
}
