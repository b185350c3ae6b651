//! Whether two findings of one file are the same defect. A symmetric question, answered from the
//! two alone; what follows from it for a third is for others.

use std::cmp::Reverse;

use super::{
    super::{Finding, identity},
    words::{Dictionary, Word, shared, union},
};

/// How many lines may lie between the places of one defect: reviewers point at the call, at its
/// statement, or at the line above.
const NEAR: u32 = 3;

/// How much of a title must be found in what the other finding says, in percent, where the whole
/// of the other title is found here.
const TITLE: usize = 75;

/// How much of the shorter text two findings must have in common, in percent, where their titles
/// alone do not say the same.
const TEXT: usize = 50;

/// What a finding says, in a form that can be compared.
#[derive(Debug)]
pub(super) struct Meaning {
    /// First and last line, where it has one.
    lines: Option<(u32, u32)>,
    /// The title without positions, case and white space.
    plain_title: String,
    plain_description: String,
    title: Vec<Word>,
    description: Vec<Word>,
    /// The words of both.
    text: Vec<Word>,
    /// The numbers in the title that are no positions.
    numbers: Vec<Word>,
    names: Vec<Word>,
    mentions: Vec<Word>,
}

/// How sure it is that two findings are the same; the surest is the greatest.
pub(super) type Likeness = (bool, usize, Reverse<u32>, usize);

impl Meaning {
    pub(super) fn of(finding: &Finding, dictionary: &mut Dictionary) -> Self {
        let plain_title = identity::plain(&finding.title);
        let title = dictionary.read(&finding.title);
        let description = dictionary.read(&finding.description);
        Self {
            lines: finding.line.map(|line| (line, finding.end_line.unwrap_or(line).max(line))),
            numbers: dictionary.numbers(&plain_title),
            text: union(&title.words, &description.words),
            names: union(&title.names, &description.names),
            mentions: union(&title.mentions, &description.mentions),
            title: title.words,
            description: description.words,
            plain_title,
            plain_description: identity::plain(&finding.description),
        }
    }

    /// The words of its title.
    pub(super) fn title(&self) -> &[Word] {
        &self.title
    }

    /// The words of its description.
    pub(super) fn description(&self) -> &[Word] {
        &self.description
    }

    /// Its first line; those without one come first.
    pub(super) fn line(&self) -> Option<u32> {
        self.lines.map(|(line, _)| line)
    }

    /// Whether every finding that begins in this line or later is too far below to be the same.
    pub(super) fn is_far_above(&self, line: u32) -> bool {
        self.lines.is_some_and(|(_, end)| line > end.saturating_add(NEAR))
    }

    /// How sure it is that both are the same defect; `None` if they are not.
    pub(super) fn likeness(&self, other: &Self) -> Option<Likeness> {
        let distance = self.distance(other)?;
        if self.speaks_of_other_things(other) {
            return None;
        }
        let common = shared(&self.text, &other.text);
        let of_text = percent(common, self.text.len().min(other.text.len()));
        let is_same_title = !self.title.is_empty() && self.plain_title == other.plain_title;
        let is_same = match distance {
            // Word for word the same, be they words that say little.
            _ if self.is_word_for_word(other) => true,
            Distance::Lines(_) => is_same_title || self.says_the_same(other, of_text),
            // Only the words are left to tell, so there must be some, and they must agree.
            Distance::Unknown => {
                self.title.len() >= 2 && (is_same_title || self.title == other.title)
            }
        };
        let lines = if let Distance::Lines(lines) = distance { lines } else { u32::MAX };
        is_same.then_some((is_same_title, of_text, Reverse(lines), common))
    }

    /// Whether both say the same words, and enough of them.
    fn is_word_for_word(&self, other: &Self) -> bool {
        self.plain_title == other.plain_title
            && self.plain_description == other.plain_description
            && !self.plain_description.is_empty()
    }

    /// How far apart they are; `None` where it is too far.
    fn distance(&self, other: &Self) -> Option<Distance> {
        let (Some(one), Some(other)) = (self.lines, other.lines) else {
            return Some(Distance::Unknown);
        };
        let between = one.0.saturating_sub(other.1).max(other.0.saturating_sub(one.1));
        (between <= NEAR).then_some(Distance::Lines(between))
    }

    /// Whether both name code and neither mentions what the other names, or both count and not to
    /// the same number: the same mistake at two things is two defects.
    fn speaks_of_other_things(&self, other: &Self) -> bool {
        let both = |one: &[Word], other: &[Word]| !one.is_empty() && !other.is_empty();
        let names_differ = both(&self.names, &other.names)
            && shared(&self.names, &other.mentions) == 0
            && shared(&other.names, &self.mentions) == 0;
        let counts_differ = both(&self.numbers, &other.numbers) && self.numbers != other.numbers;
        names_differ || counts_differ
    }

    /// Whether the words agree. All of one title must be found in what the other says, and most of
    /// the other way round: where *each* title has a word that the other finding never uses, it is
    /// the same subject and another defect ("SQL query is slow", "SQL injection in query"), or the
    /// same defect of another subject.
    fn says_the_same(&self, other: &Self, of_text: usize) -> bool {
        let common = shared(&self.title, &other.title);
        let agrees = |here: usize, there: usize| {
            let (here, there) =
                (percent(here, self.title.len()), percent(there, other.title.len()));
            here.max(there) == 100 && here.min(there) >= TITLE
        };
        let by_title = common >= 2 && agrees(common, common);
        let by_text = || {
            let here = shared(&self.title, &other.text);
            let there = shared(&other.title, &self.text);
            common >= 1 && of_text >= TEXT && agrees(here, there)
        };
        by_title || by_text()
    }
}

/// How far apart two findings are.
enum Distance {
    /// So many lines; 0 where they overlap.
    Lines(u32),
    /// One of them names no line.
    Unknown,
}

fn percent(part: usize, whole: usize) -> usize {
    (100 * part).checked_div(whole).unwrap_or(0)
}
