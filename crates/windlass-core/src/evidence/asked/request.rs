//! What prose one clause of a task asks for, judged by how its words stand to one another. Precision comes first:
//! a word that may be meant otherwise asks for nothing.

use super::{
    super::prose,
    clauses::{Clause, Token},
    orders::{REACH, View},
    vocabulary::{Noun, VOCABULARY},
};

/// What a clause asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Documentation, whatever its file is.
    Prose {
        /// What it is called, as its words.
        noun: Vec<&'static str>,
    },
    /// The file or the folder at a path.
    Path(String),
}

/// What a clause asks for.
pub(super) fn requests(clause: &Clause) -> Vec<Request> {
    let mut requests = Vec::new();
    for (at, token) in clause.tokens.iter().enumerate() {
        let view = View { clause, at };
        match token {
            Token::Path(path) if view.asks_for_path(path) => {
                requests.push(Request::Path(path.clone()));
            }
            Token::Word(_) => match view.noun() {
                Some(noun) if view.asks_for(noun) => {
                    requests.push(Request::Prose { noun: noun.words.clone() });
                }
                None if view.tells_to_document() => {
                    requests.push(Request::Prose { noun: Vec::new() });
                }
                _ => (),
            },
            _ => (),
        }
    }
    requests
}

impl View<'_> {
    /// The noun that begins here and is no part of another.
    fn noun(&self) -> Option<&'static Noun> {
        let begins = |noun: &&Noun| {
            let words = noun.words.iter().enumerate();
            words.clone().all(|(n, word)| self.word_at(self.at + n) == Some(word))
        };
        let noun = VOCABULARY.nouns.iter().find(begins)?;
        let is_free = match self.clause.tokens.get(self.at + noun.words.len()) {
            None | Some(Token::Comma | Token::Path(_)) => true,
            Some(Token::Word(word)) => VOCABULARY.after_noun.contains(word.as_str()),
            Some(Token::Other) => false,
        };
        is_free.then_some(noun)
    }

    /// Whether what begins here is told to be written.
    fn asks_for(&self, noun: &Noun) -> bool {
        match self.governing_verb(noun.is_strong) {
            Some(verb) => {
                let word = verb.word_at(verb.at).unwrap_or_default();
                let is_writing = VOCABULARY.writing.contains(word);
                let goes_somewhere = || {
                    self.word_at(self.at + noun.words.len()) == Some("to")
                        && !self.clause.tokens[self.at..]
                            .iter()
                            .any(|it| matches!(it, Token::Path(_)))
                };
                (is_writing || noun.is_strong)
                    && VOCABULARY.is_change(word)
                    && verb.is_order(noun.is_strong)
                    && !verb.is_negated()
                    && (noun.is_strong || !goes_somewhere())
            }
            None => {
                let length = noun.words.len();
                noun.is_strong && (self.is_said_to_lack(length) || self.is_point(length))
            }
        }
    }

    /// `The documentation must be updated`, `docs are missing`.
    fn is_said_to_lack(&self, length: usize) -> bool {
        let start = self.at + length;
        let mut words = (start..start + REACH).map_while(|at| self.word_at(at));
        let is_before = |at| self.word_at(at).is_some_and(|it| VOCABULARY.before_noun.contains(it));
        let is_first = (0..self.at).all(is_before)
            || self.before_article().is_some_and(|word| {
                VOCABULARY.beginnings.contains(word) || matches!(word, "that" | "sure" | "ensure")
            });
        is_first
            && words.next().is_some_and(is_verb)
            && words.take(3).any(|word| VOCABULARY.participles.contains(word))
    }

    /// Whether a point of a list begins with this noun.
    fn is_point(&self, length: usize) -> bool {
        let is_before = |at| self.word_at(at).is_some_and(|it| VOCABULARY.before_noun.contains(it));
        self.clause.is_point
            && self.at <= 2
            && (0..self.at).all(is_before)
            && !self.word_at(self.at + length).is_some_and(is_verb)
    }

    /// `Document the API`.
    fn tells_to_document(&self) -> bool {
        const OBJECTS: [&str; 18] = [
            "the", "all", "every", "each", "how", "what", "why", "it", "this", "these", "its",
            "public", "new", "any", "your", "our", "which", "when",
        ];
        self.word_at(self.at) == Some("document")
            && self.word_at(self.at + 1).is_some_and(|word| OBJECTS.contains(&word))
            && self.is_order(false)
            && !self.is_negated()
    }

    /// `The rules are in …`, `it lives under …`.
    fn is_where_it_is(&self) -> bool {
        matches!(self.before(1), Some("in" | "at" | "under" | "below"))
            && self.before(2).is_some_and(|word| {
                matches!(word, "is" | "are" | "live" | "lives" | "found" | "kept" | "stored")
            })
    }

    /// Whether the path here is to be written. It is unless it is told to be read; but notes and logs are only
    /// where a verb says so.
    fn asks_for_path(&self, path: &str) -> bool {
        let all = &*VOCABULARY;
        let is_quoted = match self.clause.tokens.get(self.at + 1) {
            Some(Token::Word(word)) => {
                all.telling.contains(word.as_str())
                    // A name without an ending is a noun like others.
                    || (!path.contains(['.', '/']) && !all.after_noun.contains(word.as_str()))
            }
            Some(Token::Other) => !path.contains(['.', '/']),
            _ => false,
        };
        let governs = |word: &str| {
            all.is_change(word) || all.reading.contains(word) || all.doing.contains(word)
        };
        let verb = (0..self.at).rev().find(|at| self.word_at(*at).is_some_and(governs));
        !is_quoted
            && match verb.map(|at| self.with(at)) {
                Some(verb) => {
                    let word = verb.word_at(verb.at).unwrap_or_default();
                    let is_writing = all.is_change(word) && !all.doing.contains(word);
                    let is_left_out = !verb.is_denied()
                        && (verb.at..self.at).any(|at| self.word_at(at) == Some("except"));
                    is_writing && !is_left_out && !verb.is_negated()
                }
                None => {
                    let is_not = |at| self.word_at(at).is_some_and(|it| all.negations.contains(it));
                    !prose::is_note(path) && !self.is_where_it_is() && !(0..self.at).any(is_not)
                }
            }
    }
}

/// Whether it says something of the word before it.
fn is_verb(word: &str) -> bool {
    matches!(word, "is" | "are" | "was" | "were" | "be" | "needs" | "need" | "has" | "have")
        || VOCABULARY.modals.contains(word)
}
