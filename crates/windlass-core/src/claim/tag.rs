//! Tags as agents write them, `<promise>TEXT</promise>` above all: in any case, and with spaces where none
//! belong.

use std::ops::Range;

use memchr::memmem;

use crate::text::words::folded;

const NAME: &str = "promise";

/// A tag in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tagged {
    pub at: Range<usize>,
    /// Whether it holds the words of the promise, and no others.
    pub is_ours: bool,
}

/// All tags of a line, in order; `promise` is folded.
pub(super) fn all(line: &str, promise: &str) -> Vec<Tagged> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = line[from..].find('<').map(|at| from + at) {
        from = start + 1;
        let Some(inner) = opened(line, start) else { continue };
        let Some((words, end)) = closed(line, inner) else { break };
        // Of two that are opened the inner one is closed.
        if line[inner..words].contains('<') && opened_within(&line[inner..words]) {
            continue;
        }
        found.push(Tagged { at: start..end, is_ours: folded(&line[inner..words]) == promise });
        from = end;
    }
    found
}

/// A quick no for almost every text: whether something closes a tag of this name.
pub(super) fn may_be_in(bytes: &[u8]) -> bool {
    let mut closed = memmem::find_iter(bytes, b"</");
    closed.any(|at| starts_with(bytes[at + 2..].trim_ascii_start(), NAME))
}

fn starts_with(bytes: &[u8], name: &str) -> bool {
    bytes.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
}

/// The first tag of that name that a line opens.
pub(super) fn opening(line: &str, name: &str) -> Option<Range<usize>> {
    let starts = line.match_indices('<').map(|(at, _)| at);
    starts.filter_map(|start| Some(start..named(line, start + 1, name)?)).next()
}

/// The first tag of that name that a line closes.
pub(super) fn closing(line: &str, name: &str) -> Option<Range<usize>> {
    let starts = line.match_indices("</").map(|(at, _)| at);
    starts.filter_map(|start| Some(start..named(line, start + 2, name)?)).next()
}

/// Whether a text may open a tag of that name.
pub(super) fn may_open(bytes: &[u8], name: &str) -> bool {
    memchr::memchr_iter(b'<', bytes).any(|at| starts_with(bytes[at + 1..].trim_ascii_start(), name))
}

/// Where the words begin, if a tag is opened at `start`.
fn opened(line: &str, start: usize) -> Option<usize> {
    named(line, start + 1, NAME)
}

fn opened_within(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| opened(text, at).is_some())
}

/// Where the words end, and where the tag does.
fn closed(line: &str, from: usize) -> Option<(usize, usize)> {
    line[from..].match_indices("</").find_map(|(at, mark)| {
        let at = from + at;
        Some((at, named(line, at + mark.len(), NAME)?))
    })
}

/// What follows the name and its bracket.
fn named(line: &str, from: usize, name: &str) -> Option<usize> {
    let rest = line[from..].trim_start();
    let found = rest.get(..name.len())?;
    let after = rest[name.len()..].trim_start();
    let is_named = found.eq_ignore_ascii_case(name) && after.starts_with('>');
    is_named.then(|| line.len() - after.len() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_found_in_any_case_and_with_spaces() {
        for line in [
            "<promise>ALL DONE</promise>",
            "<promise> all  done </promise>",
            "<PROMISE>All Done</Promise>",
            "< promise >ALL DONE</ promise >",
            "x <promise>\tALL DONE</promise> y",
        ] {
            assert!(may_be_in(line.as_bytes()), "{line}");
            let tags = all(line, "all done");
            assert!(matches!(tags.as_slice(), [Tagged { is_ours: true, .. }]), "{line}: {tags:?}");
        }
        for line in
            ["<promise>ALL", "promise ALL DONE", "</promise>", "<promised>ALL DONE</promised>"]
        {
            assert_eq!(all(line, "all done"), [], "{line}");
        }
    }

    #[test]
    fn other_words_are_another_tag() {
        let line = "<promise>x</promise> <promise>done</promise> <promise><promise>done</promise>";
        let ours: Vec<bool> = all(line, "done").iter().map(|tag| tag.is_ours).collect();
        assert_eq!(ours, [false, true, true]);
    }
}
