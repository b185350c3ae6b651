//! Lines of a makefile as make reads them: one that ends in a backslash goes on in the next, comments too.

/// A logical line, with its line breaks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub start: usize,
    pub end: usize,
    pub text: &'a str,
}

pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut physical = text.split_inclusive('\n');
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        for line in physical.by_ref() {
            at += line.len();
            if !is_continued(line) {
                break;
            }
        }
        (start < at).then(|| Line { start, end: at, text: &text[start..at] })
    })
}

/// Whether a line goes on in the next one.
pub(super) fn is_continued(line: &str) -> bool {
    let line = line.trim_end_matches(['\n', '\r']);
    (line.len() - line.trim_end_matches('\\').len()) % 2 == 1
}
