//! What is searched: words as they stand, and with a capital letter only those that have it too.

use ratatui::text::Line;

/// Words to find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needle {
    words: String,
    exact: bool,
}

impl Needle {
    /// The words to find; `None` where there are none.
    pub(crate) fn new(words: &str) -> Option<Self> {
        let exact = words.chars().any(char::is_uppercase);
        (!words.is_empty()).then(|| Self { words: words.to_owned(), exact })
    }

    /// The words as they were typed.
    pub(crate) fn words(&self) -> &str {
        &self.words
    }

    /// Whether they stand in the line.
    pub(crate) fn is_in(&self, line: &Line<'_>) -> bool {
        let text: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
        if self.exact {
            text.contains(&self.words)
        } else {
            text.to_lowercase().contains(&self.words)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capital_letter_makes_it_exact() {
        let line = Line::from("the Tests pass");
        let finds = |words: &str| Needle::new(words).unwrap().is_in(&line);
        assert!(finds("tests") && finds("Tests p"));
        assert!(!finds("TESTS") && !finds("fail"));
        assert_eq!(Needle::new(""), None);
    }
}
