//! Finds the promise in one line.

use memchr::memmem;

use super::tag;
use crate::options::{Claiming, PromiseMatch};

/// Where in a line the promise stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Nothing,
    Alone,
    AtEnd,
}

/// Finds the promise in one line.
#[derive(Clone, Debug)]
pub(super) enum Matcher {
    /// A clean exit is the claim: no words count.
    Never,
    Tag {
        tag: String,
        finder: Box<memmem::Finder<'static>>,
    },
    /// Lower-case words, joined by single spaces.
    Words(String),
}

impl Matcher {
    pub(super) fn new(claiming: &Claiming) -> Self {
        match (tag(&claiming.promise), claiming.promise_match) {
            (None, _) => Self::Never,
            (Some(tag), PromiseMatch::Tag) => {
                let finder = Box::new(memmem::Finder::new(tag.as_bytes()).into_owned());
                Self::Tag { tag, finder }
            }
            (Some(_), PromiseMatch::Text) => Self::Words(folded(&claiming.promise)),
        }
    }

    /// A quick no for almost every line.
    pub(super) fn may_match(&self, line: &[u8]) -> bool {
        match self {
            Self::Never => false,
            Self::Tag { finder, .. } => finder.find(line).is_some(),
            Self::Words(_) => true,
        }
    }

    pub(super) fn find(&self, line: &str) -> Found {
        match self {
            Self::Never => Found::Nothing,
            Self::Tag { tag, .. } if line == tag => Found::Alone,
            Self::Tag { tag, .. } if line.ends_with(tag.as_str()) => Found::AtEnd,
            Self::Tag { .. } => Found::Nothing,
            Self::Words(words) if has_words(&folded(line), words) => Found::Alone,
            Self::Words(_) => Found::Nothing,
        }
    }

    /// The lines of the prompt that would claim if a program printed them back.
    pub(super) fn echoes_of(&self, prompt: &str) -> Vec<Echo> {
        let mut before: Option<&str> = None;
        let mut echoes = Vec::new();
        for line in prompt.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let found = self.find(line);
            if found != Found::Nothing {
                echoes.push(Echo {
                    line: line.to_owned(),
                    before: before.map(|line| line.as_bytes().to_vec()),
                    is_bare: found == Found::Alone,
                });
            }
            before = Some(line);
        }
        echoes
    }
}

/// A line of the prompt that would claim, with the line before it.
#[derive(Clone, Debug)]
pub(super) struct Echo {
    line: String,
    before: Option<Vec<u8>>,
    is_bare: bool,
}

impl Echo {
    pub(super) fn is(&self, line: &str, before: Option<&[u8]>) -> bool {
        if self.line != line {
            return false;
        }
        match &self.before {
            Some(ours) => before == Some(ours.as_slice()),
            // The prompt begins with this line. With words of the prompt around the tag it is an
            // echo wherever it stands; a bare tag only where nothing stands before it either.
            None => !self.is_bare || before.is_none(),
        }
    }
}

/// Lower case, with single spaces.
pub(super) fn folded(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the words stand in the text, not as parts of longer words.
pub(super) fn has_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}
