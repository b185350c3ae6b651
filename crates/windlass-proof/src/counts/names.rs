//! The names of failing tests while an output is read: each once, capped, safe to show; and the numbers
//! in front of words.

use std::collections::HashSet;

use windlass_core::{test_counts::TestCounts, text::sanitise};

/// What is kept of a name, in characters.
const LONGEST: usize = 300;

/// Names in the order in which they were printed. Of more than are kept the first are dropped: a list of
/// failing tests stands at the end of a run, after what tests print.
#[derive(Default)]
pub(super) struct Names {
    list: std::collections::VecDeque<String>,
    known: HashSet<String>,
}

impl Names {
    pub(super) fn push(&mut self, name: &str) {
        let _is_new: bool = self.is_new(name);
    }

    /// Adds a name, and says whether it was not there.
    pub(super) fn is_new(&mut self, name: &str) -> bool {
        let name: String = sanitise::line(name.trim()).chars().take(LONGEST).collect();
        if name.is_empty() || !self.known.insert(name.clone()) {
            return false;
        }
        self.list.push_back(name);
        if self.list.len() > TestCounts::MOST_NAMES
            && let Some(first) = self.list.pop_front()
        {
            self.known.remove(&first);
        }
        true
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Drops the name that came last.
    pub(super) fn pop(&mut self) {
        if let Some(last) = self.list.pop_back() {
            self.known.remove(&last);
        }
    }

    /// The last names, not more than `failed`, and starts over. A summary without failing tests takes
    /// none and leaves them to the next: it may be a lie inside of the run that they belong to.
    pub(super) fn take(&mut self, failed: u32) -> Vec<String> {
        if failed == 0 {
            return Vec::new();
        }
        let all = std::mem::take(self).list;
        let failed = usize::try_from(failed).unwrap_or(usize::MAX);
        let extra = all.len().saturating_sub(failed);
        all.into_iter().skip(extra).collect()
    }
}

/// `3 failed, 1 error` as numbers with their words; nothing if a part is something else.
pub(super) fn parts<'a>(text: &'a str, separator: &str) -> Option<Vec<(u32, &'a str)>> {
    text.split(separator).map(|part| counted(part.trim())).collect()
}

/// `3 failed` as a number and the words after it.
pub(super) fn counted(text: &str) -> Option<(u32, &str)> {
    let (number, words) = text.split_once(' ')?;
    Some((self::number(number)?, words.trim_start()))
}

/// A number of digits only; one too large is the largest.
pub(super) fn number(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u32::MAX))
}

/// `key: 3` or `key=3` as numbers with their keys.
pub(super) fn keyed<'a>(text: &'a str, sign: char) -> Option<Vec<(u32, &'a str)>> {
    let one = |part: &'a str| {
        let (key, value) = part.trim().split_once(sign)?;
        Some((number(value.trim())?, key.trim()))
    };
    text.split(',').map(one).collect()
}

/// The sum of the numbers that stand with one of `words`.
pub(super) fn sum(parts: &[(u32, &str)], words: &[&str]) -> u32 {
    parts
        .iter()
        .filter(|(_, word)| words.contains(word))
        .fold(0, |sum, (number, _)| sum.saturating_add(*number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_once_and_the_last_ones_stay() {
        let mut names = Names::default();
        for n in 0..3000 {
            names.push(&format!(" test {} ", n % 1500));
        }
        let kept = names.take(u32::MAX);
        assert_eq!(
            (kept.len(), kept[0].as_str(), kept[999].as_str()),
            (1000, "test 500", "test 1499")
        );
        for name in ["a", "b", "a", "", "\x1b[2Jc"] {
            names.push(name);
        }
        assert_eq!(names.take(2), ["b", "c"]);
        assert_eq!(names.take(2), [""; 0]);
    }

    #[test]
    fn only_whole_numbers_are_numbers() {
        assert_eq!(number("99999999999"), Some(u32::MAX));
        assert_eq!([number(""), number("+1"), number("1.5"), number("x")], [None; 4]);
        assert_eq!(parts("3 failed, 1 error", ", "), Some(vec![(3, "failed"), (1, "error")]));
        assert_eq!(parts("3 failed, some error", ", "), None);
        assert_eq!(
            keyed("errors=1, expected failures=2", '='),
            Some(vec![(1, "errors"), (2, "expected failures")])
        );
    }
}
