//! Finds the promise in one line.

use super::{
    near_miss::Why,
    sentence::{self, Stands},
    tag,
};
use crate::{
    options::{Claiming, PromiseMatch},
    text::words::{folded, has_words},
};

/// Finds the promise in one line.
#[derive(Clone, Debug)]
pub(super) enum Matcher {
    /// A clean exit is the claim: no words count.
    Never,
    /// The tag, with these words in it.
    Tag(String),
    /// The words, anywhere.
    Words(String),
}

impl Matcher {
    pub(super) fn new(claiming: &Claiming) -> Self {
        let promise = folded(&claiming.promise);
        match claiming.promise_match {
            _ if promise.is_empty() => Self::Never,
            PromiseMatch::Tag => Self::Tag(promise),
            PromiseMatch::Text => Self::Words(promise),
        }
    }

    /// A quick no for almost every line.
    pub(super) fn may_match(&self, lines: &[u8]) -> bool {
        match self {
            Self::Never => false,
            Self::Tag(_) => tag::may_be_in(lines),
            Self::Words(_) => true,
        }
    }

    /// Whether the promise counts anywhere: in code, in a quote, and in an echo.
    pub(super) fn counts_anywhere(&self) -> bool {
        matches!(self, Self::Words(_))
    }

    /// Where in a line the promise stands, if it does.
    pub(super) fn find(&self, line: &str) -> Option<Stands> {
        match self {
            Self::Never => None,
            Self::Words(words) => has_words(&folded(line), words).then_some(Stands::Alone),
            Self::Tag(promise) => {
                let tags = tag::all(line, promise);
                match tags.iter().rfind(|tag| tag.is_ours) {
                    Some(tag) => Some(sentence::place(&line[..tag.at.start], &line[tag.at.end..])),
                    None if !tags.is_empty() => Some(Stands::Not(Why::OtherWords)),
                    None => {
                        tag::may_be_in(line.as_bytes()).then_some(Stands::Not(Why::SeveralLines))
                    }
                }
            }
        }
    }

    /// Whether a prompt is nothing but the tag: the user wants it back.
    pub(super) fn is_all_of(&self, prompt: &str) -> bool {
        let mut lines = prompt.lines().filter(|line| !line.trim().is_empty());
        let only = lines.next().filter(|_| lines.next().is_none());
        only.is_some_and(|line| self.find(line) == Some(Stands::Alone))
    }
}
