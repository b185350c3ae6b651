//! An agent's report that it cannot go on: `<blocked>what is missing, and who can give it</blocked>`, on one
//! line or several. Where it counts is decided as for a claim.

use super::{
    sentence::{self, Stands},
    tag,
};

const NAME: &str = "blocked";

/// A report with more lines or bytes than this is something else.
const MOST_LINES: usize = 40;
const LONGEST: usize = 4096;

/// Finds the last report in lines as they come.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockedReader {
    open: Option<Open>,
    /// One that stands alone, wherever that is.
    alone: Option<String>,
    /// One that ends the last line.
    at_end: Option<String>,
}

/// A report whose end has not come yet.
#[derive(Clone, Debug)]
struct Open {
    stands: Stands,
    lines: Vec<String>,
}

impl BlockedReader {
    /// Takes a line that is not blank. One that is code, an echo or windlass's own does not count, and
    /// ends what was open.
    pub(super) fn line(&mut self, line: &str, counts: bool) {
        self.at_end = None;
        let open = self.open.take();
        if !counts {
            return;
        }
        match open {
            Some(open) => self.go_on(open, line),
            None => {
                let Some(at) = tag::opening(line, NAME) else { return };
                match sentence::place(&line[..at.start], "") {
                    Stands::Not(_) => (),
                    stands => self.go_on(Open { stands, lines: Vec::new() }, &line[at.end..]),
                }
            }
        }
    }

    /// Whether the next lines matter, whatever is in them.
    pub(super) fn waits(&self) -> bool {
        self.open.is_some() || self.at_end.is_some()
    }

    /// A quick no for almost every text: whether something opens a report.
    pub(super) fn may_be_in(lines: &[u8]) -> bool {
        tag::may_open(lines, NAME)
    }

    /// The words of the report, if there is one.
    pub(super) fn finish(self) -> Option<String> {
        self.alone.or(self.at_end)
    }

    fn go_on(&mut self, mut open: Open, line: &str) {
        let Some(at) = tag::closing(line, NAME) else {
            open.lines.push(line.trim().to_owned());
            let bytes: usize = open.lines.iter().map(String::len).sum();
            self.open = (open.lines.len() <= MOST_LINES && bytes <= LONGEST).then_some(open);
            return;
        };
        if sentence::place("", &line[at.end..]) != Stands::Alone {
            return;
        }
        open.lines.push(line[..at.start].trim().to_owned());
        let words = open.lines.join("\n").trim().to_owned();
        match open.stands {
            Stands::Alone => self.alone = Some(words),
            _ => self.at_end = Some(words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        let mut reader = BlockedReader::default();
        text.lines()
            .filter(|line| !line.trim().is_empty())
            .for_each(|line| reader.line(line, true));
        reader.finish()
    }

    #[test]
    fn a_report_is_read_on_one_line_or_several() {
        for (text, words) in [
            ("<blocked>no key; ask Ann</blocked>", "no key; ask Ann"),
            ("I tried.\n**<blocked>no key</blocked>**\nbye", "no key"),
            ("I looked everywhere. <blocked>no key</blocked>", "no key"),
            ("< BLOCKED >no key</ Blocked >.", "no key"),
            (
                "<blocked>\nThe key is missing.\n\nAsk Ann.\n</blocked>",
                "The key is missing.\nAsk Ann.",
            ),
            ("<blocked>one</blocked>\n<blocked>two</blocked>", "two"),
            ("<blocked></blocked>", ""),
        ] {
            assert_eq!(read(text).as_deref(), Some(words), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_report_is_none() {
        for text in [
            "> <blocked>no key</blocked>",
            "I will not say <blocked>no key</blocked>",
            "<blocked>no key</blocked> was what I said last time",
            "I looked. <blocked>no key</blocked>\nNow I have one.",
            "<blocked>no key",
            "blocked by the key</blocked>",
            "<blockeded>x</blockeded>",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        let long = format!("<blocked>\n{}</blocked>", "line\n".repeat(MOST_LINES + 5));
        assert_eq!(read(&long), None);
    }

    #[test]
    fn lines_that_do_not_count_end_what_was_open() {
        let mut reader = BlockedReader::default();
        reader.line("<blocked>no key", true);
        reader.line("in code", false);
        reader.line("</blocked>", true);
        assert_eq!(reader.finish(), None);
    }
}
