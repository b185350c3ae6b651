//! Words in a text, as whole words and in any case.

/// Lower case, with single spaces.
pub(crate) fn folded(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the words stand in the text, not as parts of longer words; both are folded.
pub(crate) fn has_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, found)| {
        let before = text[..at].chars().rev();
        let after = text[at + found.len()..].chars();
        !goes_on(before) && !goes_on(after)
    })
}

/// Whether a word goes on here: `NOT_DONE`, `half-done` and `done.md` are other words than `done`.
fn goes_on(mut chars: impl Iterator<Item = char>) -> bool {
    match chars.next() {
        Some('-' | '.') => chars.next().is_some_and(char::is_alphanumeric),
        Some(c) => c.is_alphanumeric() || c == '_',
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        for text in
            ["done", "all done.", "(done)", "- done", "done: x", "---done---", "is **done**"]
        {
            assert!(has_words(text, "done"), "{text}");
        }
        for text in ["not_done", "not-done", "undone", "donee", "done.md", "done_at", "a.done"] {
            assert!(!has_words(text, "done"), "{text}");
        }
    }
}
