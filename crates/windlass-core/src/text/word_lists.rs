//! Word lists that ship as text: words below headings in brackets, and comments that begin with `#`.

/// The words below a heading.
pub(crate) fn below<'a>(list: &'a str, heading: &'a str) -> impl Iterator<Item = &'a str> {
    lines_below(list, heading).flat_map(str::split_whitespace)
}

/// The lines below a heading, for lists that hold more than single words.
pub(crate) fn lines_below<'a>(list: &'a str, heading: &'a str) -> impl Iterator<Item = &'a str> {
    let mut is_below = false;
    list.lines().filter(move |line| {
        if let Some(named) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            is_below = named == heading;
            return false;
        }
        is_below && !line.starts_with('#') && !line.trim().is_empty()
    })
}

/// All words, whatever their heading.
pub(crate) fn all(list: &str) -> impl Iterator<Item = &str> {
    let lines = list.lines().filter(|line| !line.starts_with(['#', '[']));
    lines.flat_map(str::split_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_below_their_heading() {
        let list = "# All.\n[a]\none two\n\n# More.\nthree\n[b]\nfour\n";
        assert_eq!(below(list, "a").collect::<Vec<_>>(), ["one", "two", "three"]);
        assert_eq!(lines_below(list, "a").collect::<Vec<_>>(), ["one two", "three"]);
        assert_eq!(below(list, "c").count(), 0);
        assert_eq!(all(list).last(), Some("four"));
    }
}
