//! Which words of code are no names, as data in `keywords.txt`.

use std::{collections::HashSet, sync::LazyLock};

use crate::text::word_lists;

const LIST: &str = include_str!("keywords.txt");

static ALL: LazyLock<HashSet<&str>> = LazyLock::new(|| word_lists::all(LIST).collect());

static OPENING: LazyLock<HashSet<&str>> =
    LazyLock::new(|| word_lists::below(LIST, "before a value").collect());

/// The longest of them.
const LONGEST: usize = 16;

/// Whether it means the same wherever it stands, in any case.
pub(super) fn is_keyword(word: &str) -> bool {
    word.len() <= LONGEST && ALL.contains(word.to_ascii_lowercase().as_str())
}

/// Whether a value follows it, so that what stands in parentheses after it is not what it is called with.
pub(super) fn opens_value(word: &str) -> bool {
    word.len() <= LONGEST && OPENING.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_known_in_any_case() {
        assert!(["return", "True", "AND", "max", "desc"].into_iter().all(is_keyword));
        assert!(!["total", "x", "value", "a_very_long_name_of_it"].into_iter().any(is_keyword));
        assert!(opens_value("return") && !opens_value("len"));
        assert!(ALL.iter().all(|word| word.len() <= LONGEST && *word == word.to_ascii_lowercase()));
    }
}
