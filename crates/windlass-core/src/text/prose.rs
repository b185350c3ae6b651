//! Which lines of a message are its author's own words, and which are code. Reading never fails
//! and does no I/O.

use memchr::memmem;

/// One line of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// The line, without its end.
    pub text: &'a str,
    /// Where in the message it begins.
    pub start: usize,
    /// Whether it is in a fenced or indented code block, or opens or closes one.
    pub is_code: bool,
}

/// The lines of a message. A code block that is never closed goes on to the end.
pub(crate) fn lines(message: &str) -> impl Iterator<Item = Line<'_>> {
    let mut code = CodeBlocks::default();
    let mut start = 0;
    message.split_inclusive('\n').map(move |whole| {
        let line = Line { text: without_end(whole), start, is_code: false };
        start += whole.len();
        Line { is_code: code.has(line.text), ..line }
    })
}

/// Follows a text line by line, and knows what of it is code.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CodeBlocks {
    open: Option<Fence>,
}

impl CodeBlocks {
    /// Whether the next line is in a code block, or opens or closes one.
    pub(crate) fn has(&mut self, line: &str) -> bool {
        match self.open {
            Some(fence) => {
                self.open = (!fence.is_closed_by(line)).then_some(fence);
                true
            }
            None => {
                self.open = Fence::opened_by(line);
                self.open.is_some() || indent(line) >= 4
            }
        }
    }

    /// Whether whole lines may open or close a block.
    pub(crate) fn may_change(lines: &[u8]) -> bool {
        [b"```", b"~~~"].iter().any(|mark| memmem::find(lines, *mark).is_some())
    }
}

/// The lines that are not in a code block.
pub fn outside_code(message: &str) -> impl Iterator<Item = &str> {
    lines(message).filter(|line| !line.is_code).map(|line| line.text)
}

/// What follows the mark of a list's item, such as `- `, `* `, `+ `, `1. ` or `1) `.
pub(crate) fn after_list_mark(text: &str) -> Option<&str> {
    let after = match text.strip_prefix(['-', '*', '+', '•']) {
        Some(after) => after,
        None => {
            let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
            (digits.len() < text.len()).then(|| digits.strip_prefix(['.', ')']))??
        }
    };
    after.starts_with(char::is_whitespace).then(|| after.trim_start())
}

/// What opened a code block.
#[derive(Clone, Copy, Debug)]
struct Fence {
    mark: char,
    length: usize,
    indent: usize,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let mut text = line.trim_start();
        // A block may begin on the line of a list's item.
        while let Some(inner) = after_list_mark(text) {
            text = inner;
        }
        let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let info = text.trim_start_matches(mark);
        let length = text.len() - info.len();
        // A code span may have three marks too, and closes them on the same line.
        let is_fence = length >= 3 && !(mark == '`' && info.contains('`'));
        let indent = indent(line) + line.trim_start().len() - text.len();
        is_fence.then_some(Self { mark, length, indent })
    }

    fn is_closed_by(self, line: &str) -> bool {
        let text = line.trim();
        // What stands further in is code that shows a fence.
        text.len() >= self.length
            && text.chars().all(|c| c == self.mark)
            && indent(line) < self.indent + 4
    }
}

/// How many columns of white space a line begins with; a blank one has none.
fn indent(line: &str) -> usize {
    let mut columns = 0;
    for c in line.chars() {
        match c {
            ' ' => columns += 1,
            '\t' => columns += 4 - columns % 4,
            c if c.is_whitespace() => (),
            _ => return columns,
        }
    }
    0
}

fn without_end(line: &str) -> &str {
    line.strip_suffix("\r\n").or_else(|| line.strip_suffix('\n')).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn own(message: &str) -> Vec<&str> {
        outside_code(message).collect()
    }

    #[test]
    fn code_is_fenced_or_indented() {
        assert_eq!(own("a\n```\nx\n```\nb\n~~~ text\nx\n~~~\nc"), ["a", "b", "c"]);
        assert_eq!(own("a\n\n    x\n\tx\n  \tx\nb"), ["a", "", "b"]);
        assert_eq!(own("````\n```\nx\n```\n````\r\nb\r\n"), ["b"]);
    }

    #[test]
    fn a_fence_is_closed_by_its_like_only() {
        assert_eq!(own("```\nx\n~~~\nx\n``\nx\n``` rust\nx\n`````\nb"), ["b"]);
        assert_eq!(own("```\n    ```\nx\n   ```\nb"), ["b"]);
        assert_eq!(own("```\nnever closed"), [""; 0]);
    }

    #[test]
    fn a_fence_may_stand_in_a_list() {
        assert_eq!(own("- ```\n  x\n  ```\nb"), ["b"]);
        assert_eq!(own("1. so:\n\n    ```\n    x\n    ```\nb"), ["1. so:", "", "b"]);
    }

    #[test]
    fn a_code_span_with_three_marks_opens_nothing() {
        assert_eq!(own("```x``` is it\nb"), ["```x``` is it", "b"]);
    }

    proptest! {
        #[test]
        fn the_lines_are_those_of_the_message(message in "([ `~a>-]{0,5}\r?\n?){0,9}") {
            let ours: Vec<_> = lines(&message).map(|line| line.text).collect();
            prop_assert_eq!(ours, message.lines().collect::<Vec<_>>());
            for line in lines(&message) {
                prop_assert!(message[line.start..].starts_with(line.text));
            }
        }
    }
}
