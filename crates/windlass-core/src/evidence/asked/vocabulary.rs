//! The words of `asked.txt`, by their heading.

use std::{collections::HashSet, sync::LazyLock};

use crate::text::word_lists;

/// All of them, read once.
pub(super) static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(Vocabulary::read);

/// Some words.
pub(super) type Words = HashSet<&'static str>;

/// The words of each heading.
#[derive(Debug)]
pub(super) struct Vocabulary {
    pub(super) writing: Words,
    pub(super) change: Words,
    pub(super) need: Words,
    pub(super) reading: Words,
    pub(super) doing: Words,
    pub(super) telling: Words,
    pub(super) negations: Words,
    pub(super) nouns: Vec<Noun>,
    pub(super) names: Words,
    pub(super) after_noun: Words,
    pub(super) before_noun: Words,
    pub(super) participles: Words,
    pub(super) breaks: Words,
    pub(super) beginnings: Words,
    pub(super) before_to: Words,
    pub(super) modals: Words,
}

/// A noun for a kind of prose.
#[derive(Debug)]
pub(super) struct Noun {
    pub(super) words: Vec<&'static str>,
    /// Whether it names prose and little else.
    pub(super) is_strong: bool,
}

const LIST: &str = include_str!("../asked.txt");

impl Vocabulary {
    fn read() -> Self {
        let words = |heading| word_lists::below(LIST, heading).collect();
        let nouns = |heading, is_strong| {
            word_lists::lines_below(LIST, heading)
                .map(move |line| Noun { words: line.split_whitespace().collect(), is_strong })
        };
        let mut all: Vec<Noun> =
            nouns("nouns", true).chain(nouns("nouns with a verb of writing", false)).collect();
        // `blog post` is found before `post`.
        all.sort_by_key(|noun| std::cmp::Reverse(noun.words.len()));
        Self {
            writing: words("verbs of writing"),
            change: words("verbs of change"),
            need: words("verbs of need"),
            reading: words("words of reading"),
            doing: words("words of doing"),
            telling: words("words of telling"),
            negations: words("negations"),
            nouns: all,
            names: words("names"),
            after_noun: words("after a noun"),
            before_noun: words("before a noun"),
            participles: words("participles"),
            breaks: words("breaks"),
            beginnings: words("beginnings"),
            before_to: words("before to"),
            modals: words("modals"),
        }
    }

    /// Whether something is written or changed by it.
    pub(super) fn is_change(&self, word: &str) -> bool {
        self.writing.contains(word) || self.change.contains(word) || self.need.contains(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_list_is_empty_and_no_verb_both_reads_and_writes() {
        let all = &*VOCABULARY;
        let lists = [
            &all.writing,
            &all.change,
            &all.need,
            &all.reading,
            &all.doing,
            &all.telling,
            &all.negations,
            &all.names,
            &all.after_noun,
            &all.before_noun,
            &all.participles,
            &all.breaks,
            &all.beginnings,
            &all.before_to,
            &all.modals,
        ];
        assert!(lists.iter().all(|list| !list.is_empty()));
        assert!(all.reading.iter().all(|word| !all.is_change(word)));
        assert!(all.nouns.iter().any(|noun| noun.is_strong && noun.words == ["release", "notes"]));
        assert!(all.nouns.iter().any(|noun| !noun.is_strong));
    }
}
