//! The completion phrases that strict completion asks for, in their common inflections: "nothing is
//! left to do" says "nothing left to do".

use crate::text::words::folded;

/// Words that change nothing.
const FILLERS: [&str; 27] = [
    "a",
    "already",
    "am",
    "are",
    "be",
    "been",
    "currently",
    "finally",
    "fully",
    "had",
    "has",
    "have",
    "i",
    "is",
    "it",
    "its",
    "more",
    "my",
    "now",
    "of",
    "successfully",
    "that",
    "the",
    "there",
    "these",
    "was",
    "were",
];

/// Words before a phrase that turn it into its opposite.
const NEGATIONS: [&str; 8] = ["not", "never", "until", "before", "unless", "if", "once", "when"];

/// The phrases, and which of them were heard.
#[derive(Clone, Debug)]
pub(crate) struct Phrases {
    threshold: usize,
    phrases: Vec<(Vec<String>, bool)>,
}

impl Phrases {
    pub(crate) fn new(phrases: &[String], threshold: u32) -> Self {
        let phrases = distinct(phrases).iter().map(|phrase| (stems(phrase), false)).collect();
        Self { threshold: usize::try_from(threshold).unwrap_or(usize::MAX), phrases }
    }

    /// Takes a line that is of no status block.
    pub(crate) fn hear(&mut self, line: &str) {
        for sentence in line.split(['.', '!', '?', ';']) {
            let words = stems(sentence);
            for (phrase, heard) in self.phrases.iter_mut().filter(|(_, heard)| !heard) {
                *heard = says(&words, phrase);
            }
        }
    }

    /// Whether enough of them were heard.
    pub(crate) fn are_enough(&self) -> bool {
        self.phrases.iter().filter(|(_, heard)| *heard).count() >= self.threshold
    }
}

/// The phrases without those that say the same.
pub(super) fn distinct(phrases: &[String]) -> Vec<String> {
    let mut known = Vec::new();
    let mut distinct = Vec::new();
    for phrase in phrases {
        let stems = stems(phrase);
        if !stems.is_empty() && !known.contains(&stems) {
            known.push(stems);
            distinct.push(folded(phrase));
        }
    }
    distinct
}

/// Whether the words of a phrase stand together, the first of them first, and are not negated.
fn says(words: &[String], phrase: &[String]) -> bool {
    words.windows(phrase.len()).enumerate().any(|(at, window)| {
        let is_negated = at > 0 && is_negation(&words[at - 1]);
        !is_negated && window.first() == phrase.first() && are_same(window, phrase)
    })
}

/// Whether they are the same words; "no tasks remaining" says "no remaining tasks".
fn are_same(window: &[String], phrase: &[String]) -> bool {
    let sorted = |words: &[String]| {
        let mut words = words.to_vec();
        words.sort_unstable();
        words
    };
    window == phrase || sorted(window) == sorted(phrase)
}

fn is_negation(word: &str) -> bool {
    word.ends_with("n't") || NEGATIONS.iter().any(|negation| stem(negation) == word)
}

/// The words that matter, without their endings.
fn stems(text: &str) -> Vec<String> {
    let text = folded(text).replace('’', "'");
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    let words = words.map(|word| word.trim_matches('\'').trim_end_matches("'s"));
    let words = words.map(|word| word.trim_end_matches("'ve").trim_end_matches("'re"));
    words.filter(|word| !word.is_empty() && !FILLERS.contains(word)).map(stem).collect()
}

/// A word without the ending that grammar gives it.
fn stem(word: &str) -> String {
    let bare = ["ing", "ed", "es", "s", "e"].iter().find_map(|end| {
        let rest = word.strip_suffix(end)?;
        (rest.chars().count() >= 3).then_some(rest)
    });
    bare.unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Claiming;

    #[track_caller]
    fn heard(line: &str) -> usize {
        let defaults = Claiming::default().completion_phrases;
        let mut phrases = Phrases::new(&defaults, 1);
        phrases.hear(line);
        phrases.phrases.iter().filter(|(_, heard)| *heard).count()
    }

    #[test]
    fn every_phrase_is_heard_and_so_are_its_inflections() {
        for line in [
            "all tasks complete",
            "**All tasks complete!**",
            "All tasks are complete.",
            "All tasks have been completed",
            "all the tasks are now completed",
            "All of the tasks are complete",
            "nothing left to do",
            "Nothing is left to do.",
            "There's nothing left to do",
            "There is nothing more left to do",
            "project complete",
            "The project is complete.",
            "Project completed",
            "implementation complete",
            "The implementation has been completed.",
            "The implementation's complete",
            "no remaining tasks",
            "There are no remaining tasks.",
            "There are no tasks remaining",
            "no tasks remain",
            "No task remains",
            "all done",
            "All is done.",
            "I'm sure: all done",
        ] {
            assert_eq!(heard(line), 1, "{line}");
        }
        assert_eq!(heard("All done: all tasks are complete, and nothing is left to do."), 3);
    }

    #[test]
    fn what_only_looks_like_a_phrase_is_not_heard() {
        for line in [
            "I need to complete all tasks",
            "not all tasks complete",
            "Not all tasks are complete.",
            "all tasks are not complete",
            "That is all. Done with parsing.",
            "once all tasks are complete",
            "if nothing is left to do",
            "projects",
            "there is something left to do",
            "The implementation is incomplete",
            "remaining tasks: 3",
            "the call is done",
        ] {
            assert_eq!(heard(line), 0, "{line}");
        }
    }

    #[test]
    fn phrases_that_say_the_same_are_one() {
        let given = ["All  done", "all done", "all is done", "", "ship it"].map(str::to_owned);
        assert_eq!(distinct(&given), ["all done", "ship it"]);
    }
}
