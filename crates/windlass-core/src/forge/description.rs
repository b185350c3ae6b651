//! Windlass's own section of a description: put in, replaced, and never more than that. Whatever
//! the author wrote stays, to the last character. Pure.

use super::{LONGEST_TEXT, characters};

/// What the section begins with.
pub(crate) const BEGIN: &str = "<!-- windlass:begin -->";

/// What the section ends with.
pub(crate) const END: &str = "<!-- windlass:end -->";

/// The description with `text` as windlass's section: in place of the one that is there, else at
/// the end. `None` where the author's own words leave no room for it.
///
/// A section is a beginning, and the next end with no other beginning between. Of several, the
/// last is replaced; what else looks like a marker is somebody's text, and is left alone.
#[must_use]
pub fn with_section(description: Option<&str>, text: &str) -> Option<String> {
    let description = description.unwrap_or_default();
    // A forge gives line ends back as it was given them: mostly as browsers write them.
    let new_line = if description.contains("\r\n") { "\r\n" } else { "\n" };
    let text = text.replace(BEGIN, "").replace(END, "");
    let text = text.trim().lines().collect::<Vec<_>>().join(new_line);
    let section = format!("{BEGIN}{new_line}{text}{new_line}{END}");
    let whole = match section_of(description) {
        Some((start, end)) => format!("{}{section}{}", &description[..start], &description[end..]),
        None if description.trim().is_empty() => section,
        None => {
            let gap = if description.ends_with('\n') { "" } else { new_line };
            format!("{description}{gap}{new_line}{section}")
        }
    };
    let fits = characters(&whole) <= LONGEST_TEXT.max(characters(description));
    fits.then_some(whole)
}

/// Where the last whole section begins and ends, markers included.
fn section_of(description: &str) -> Option<(usize, usize)> {
    let mut upto = description.len();
    while let Some(end) = description[..upto].rfind(END) {
        let before = &description[..end];
        let begin = before.rfind(BEGIN);
        // An end between belongs to that beginning; then this one is somebody's text.
        match begin {
            Some(begin) if !before[begin..].contains(END) => return Some((begin, end + END.len())),
            Some(_) => upto = end,
            None => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn put(description: &str, text: &str) -> String {
        with_section(Some(description), text).unwrap()
    }

    #[test]
    fn a_second_run_replaces_its_own_text_and_nothing_else() {
        let first = put("Adds a pump.\n\nCloses #3.", "*one*");
        assert_eq!(
            first,
            "Adds a pump.\n\nCloses #3.\n\n<!-- windlass:begin -->\n*one*\n<!-- windlass:end -->"
        );
        let edited = format!("Ada: {first}\n\nMore of mine.");
        let second = put(&edited, "*two*");
        assert_eq!(second, edited.replace("*one*", "*two*"));
        assert_eq!(put(&second, "*two*"), second);
        let (start, end) = section_of(&second).unwrap();
        assert_eq!(second[start + BEGIN.len()..end - END.len()].trim(), "*two*");
    }

    #[test]
    fn none_and_an_empty_one_are_the_same() {
        let alone = "<!-- windlass:begin -->\n*one*\n<!-- windlass:end -->";
        assert_eq!(with_section(None, "*one*").as_deref(), Some(alone));
        assert_eq!(put("", "*one*"), alone);
    }

    #[test]
    fn the_line_ends_of_browsers_stay() {
        let first = put("Adds\r\na pump.", "*one*\nmore");
        assert_eq!(
            first,
            "Adds\r\na pump.\r\n\r\n<!-- windlass:begin -->\r\n*one*\r\nmore\r\n<!-- windlass:end -->"
        );
        assert_eq!(put(&first, "*one*\nmore"), first);
    }

    #[test]
    fn broken_doubled_and_nested_markers_never_cost_the_author_a_word() {
        let (b, e) = (BEGIN, END);
        for (description, expected) in [
            (format!("a {b} b"), format!("a {b} b\n\n{b}\nX\n{e}")),
            (format!("a {e} b"), format!("a {e} b\n\n{b}\nX\n{e}")),
            (format!("a {e} b {b} c"), format!("a {e} b {b} c\n\n{b}\nX\n{e}")),
            (format!("{b}1{e} mine {b}2{e} end"), format!("{b}1{e} mine {b}\nX\n{e} end")),
            (format!("{b} mine {b}2{e} end"), format!("{b} mine {b}\nX\n{e} end")),
            (format!("{b}1{e} mine {e} end"), format!("{b}\nX\n{e} mine {e} end")),
        ] {
            let once = put(&description, "X");
            assert_eq!(once, expected, "{description}");
            assert_eq!(put(&once, "X"), once, "{description}");
        }
    }

    #[test]
    fn without_room_the_author_wins() {
        let long = "x".repeat(LONGEST_TEXT);
        assert_eq!(with_section(Some(&long), "ours"), None);
        let full = format!("{long}{BEGIN}\nours\n{END}");
        assert_eq!(with_section(Some(&full), "ours").as_deref(), Some(full.as_str()));
    }

    proptest! {
        #[test]
        fn whatever_the_author_wrote_is_still_there(
            parts in prop::collection::vec(
                prop::sample::select(vec!["a", "b\n", "\r\n", BEGIN, END, "<!--", " "]), 0..12),
            text in "[a-z<! -]{0,20}",
        ) {
            let description = parts.concat();
            let once = put(&description, &text);
            let (start, end) = section_of(&description).unwrap_or((description.len(), description.len()));
            prop_assert!(once.starts_with(&description[..start]) || description.trim().is_empty());
            prop_assert!(once.ends_with(&description[end..]));
            prop_assert_eq!(put(&once, &text), once.clone());
            prop_assert_eq!(put(&put(&description, "other"), &text), once);
        }
    }
}
