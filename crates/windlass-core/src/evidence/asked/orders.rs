//! Which words of a clause tell somebody to write or to change something, and which tell of it only.

use super::{
    clauses::{Clause, Token},
    vocabulary::VOCABULARY,
};

/// So many words may stand between a verb and its noun.
pub(super) const REACH: usize = 12;

/// What leads to documentation, and is none.
const POINTERS: [&str; 10] = [
    "link",
    "links",
    "path",
    "paths",
    "url",
    "urls",
    "redirect",
    "pointer",
    "reference",
    "references",
];

/// A clause, seen from one of its words.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub(super) clause: &'a Clause,
    pub(super) at: usize,
}

impl<'a> View<'a> {
    pub(super) fn word_at(&self, at: usize) -> Option<&'a str> {
        self.clause.tokens.get(at)?.word()
    }

    /// The word so far before this one.
    pub(super) fn before(&self, distance: usize) -> Option<&'a str> {
        self.word_at(self.at.checked_sub(distance)?)
    }

    pub(super) fn is_start(&self) -> bool {
        self.at == 0
    }

    pub(super) fn with(self, at: usize) -> Self {
        Self { at, ..self }
    }

    /// The word before this one and its article.
    pub(super) fn before_article(&self) -> Option<&'a str> {
        let article = matches!(self.before(1), Some("the" | "a" | "an" | "our" | "its"));
        self.before(1 + usize::from(article))
    }

    /// The verb before this, with nothing between that is another matter.
    pub(super) fn governing_verb(self, is_strong: bool) -> Option<Self> {
        // `Add an entry to the changelog`, `fix the code and the docs`.
        let into = self.before_article().filter(|_| is_strong).unwrap_or_default();
        let mut may_break = matches!(into, "to" | "in" | "from" | "and");
        for at in (self.at.saturating_sub(REACH)..self.at).rev() {
            let Some(word) = self.word_at(at) else { continue };
            if VOCABULARY.is_change(word) || VOCABULARY.reading.contains(word) && word != "from" {
                let is_taken = into != "from" || matches!(word, "remove" | "delete");
                return is_taken.then(|| self.with(at));
            }
            if into == "to" && POINTERS.contains(&word) {
                return None;
            }
            let breaks = match word {
                "from" => true,
                "of" => !is_strong,
                word => VOCABULARY.breaks.contains(word),
            };
            if breaks && !std::mem::take(&mut may_break) {
                return None;
            }
        }
        None
    }

    /// Whether this verb tells somebody to do something, and is not told of something.
    pub(super) fn is_order(&self, noun_is_strong: bool) -> bool {
        let all = &*VOCABULARY;
        let word = self.word_at(self.at).unwrap_or_default();
        let is_of_us = |at: usize| matches!(self.word_at(at), Some("you" | "we" | "i"));
        // `It should …`, `the tool must …`: what a program does.
        let is_of_another = (1..self.at).any(|at| {
            self.word_at(at).is_some_and(|word| all.modals.contains(word)) && !is_of_us(at - 1)
        });
        let is_told = (0..self.at).any(|at| {
            matches!(self.word_at(at), Some("that" | "which" | "who" | "it"))
                || (self.word_at(at) == Some("to") && at + 1 < self.at)
        });
        if is_of_another || (is_told && !noun_is_strong) {
            return false;
        }
        if self.is_start() || all.need.contains(word) {
            return true;
        }
        match self.clause.tokens.get(self.at - 1) {
            Some(Token::Comma) => true,
            Some(Token::Word(before)) if before == "to" => {
                self.before(2).is_none_or(|word| all.before_to.contains(word))
            }
            Some(Token::Word(before)) => {
                all.beginnings.contains(before.as_str())
                    || all.negations.contains(before.as_str())
                    || all.modals.contains(before.as_str())
                    || before == "you"
            }
            _ => false,
        }
    }

    /// Whether this verb is told not to be done, whatever is left out of that.
    pub(super) fn is_denied(&self) -> bool {
        let mut before = (1..=3).filter_map(|n| self.before(n));
        before.clone().any(|word| VOCABULARY.negations.contains(word))
            && !before.any(|word| word == "forget")
    }

    /// Whether this verb is told not to be done.
    pub(super) fn is_negated(&self) -> bool {
        let is_left_out = |at| matches!(self.word_at(at), Some("except" | "but"));
        self.is_denied() && !(self.at + 1..self.clause.tokens.len()).any(is_left_out)
    }
}
