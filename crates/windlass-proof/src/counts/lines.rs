//! The lines of a runner's output: without colours, blank lines and what terminals are told.

use std::borrow::Cow;

/// What no summary is longer than. A longer line is cut there.
const LONGEST: usize = 4096;

/// Every line that is not blank. A carriage return ends a line too, for progress is overwritten that
/// way. An escape sequence ends with its line at the latest, so that none can swallow the next one.
pub(super) fn lines(output: &str) -> impl Iterator<Item = Cow<'_, str>> {
    output.split(['\n', '\r']).map(|line| plain(cut(line))).filter(|line| !line.is_empty())
}

fn cut(line: &str) -> &str {
    &line[..line.floor_char_boundary(LONGEST)]
}

fn plain(line: &str) -> Cow<'_, str> {
    // Most lines have none; bytes are quicker to look through than characters.
    let may_control = |&byte: &u8| (byte < b' ' && byte != b'\t') || matches!(byte, 0x7f | 0xc2);
    if !line.as_bytes().iter().any(may_control) {
        return Cow::Borrowed(line.trim_end());
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(|c: char| c.is_control() && c != '\t') {
        out.push_str(&rest[..at]);
        rest = &rest[at + after(&rest[at..])..];
    }
    out.push_str(rest);
    out.truncate(out.trim_end().len());
    Cow::Owned(out)
}

/// How many bytes the control character takes that `text` begins with, with its sequence.
fn after(text: &str) -> usize {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let body = match text.as_bytes() {
        [0x1b, b'[', body @ ..] => body,
        [0x1b, b']', ..] => return string(text),
        // A charset or a single character.
        [0x1b, b'(' | b')', _, ..] if text.is_char_boundary(3) => return 3,
        _ => return first,
    };
    let is_parameter = |byte: &&u8| matches!(byte, 0x20..=0x3f);
    let parameters = body.iter().take_while(is_parameter).count();
    match body.get(parameters) {
        Some(0x40..=0x7e) => 2 + parameters + 1,
        _ => first,
    }
}

/// The length of an OSC string, such as a link. One without an end in this line is no string.
fn string(text: &str) -> usize {
    let bell = text.find('\x07').map(|at| at + 1);
    let terminator = text.find("\x1b\\").map(|at| at + 2);
    match (bell, terminator) {
        (Some(bell), Some(terminator)) => bell.min(terminator),
        (Some(end), None) | (None, Some(end)) => end,
        (None, None) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(output: &str) -> Vec<String> {
        lines(output).map(Cow::into_owned).collect()
    }

    #[test]
    fn colours_links_and_line_ends_are_gone() {
        let output = "\x1b[1m\x1b[31m3 failed\x1b[0m\r\n\n  \x1b]8;;file:///a\x07name\x1b]8;;\x1b\\ \x1b(B\x0e\nlast";
        assert_eq!(all(output), ["3 failed", "  name", "last"]);
    }

    #[test]
    fn progress_that_is_overwritten_is_a_line_by_itself() {
        assert_eq!(all("10%\r\x1b[2K20%\rdone\n"), ["10%", "20%", "done"]);
    }

    #[test]
    fn a_sequence_without_an_end_swallows_nothing() {
        assert_eq!(all("\x1b]0;title\n3 failed"), ["]0;title", "3 failed"]);
        assert_eq!(all("\x1b[31\n3 failed\x1b"), ["[31", "3 failed"]);
        assert_eq!(all("\x1bP\x1b^\u{9d}\n3 failed"), ["P^", "3 failed"]);
        assert_eq!(all("\x1b(ä"), ["(ä"]);
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        let line = "ä".repeat(LONGEST);
        assert_eq!(all(&line)[0].len(), LONGEST);
        assert_eq!(all(&format!("a{line}"))[0].len(), LONGEST - 1);
    }
}
