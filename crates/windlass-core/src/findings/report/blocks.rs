//! The fenced blocks of a message, and the prose around them. What stands in a block inside
//! another one, or in a quote, is not the reviewer's own word.

use std::ops::Range;

use crate::findings::{
    lenient::{self, Broken, Parsed},
    text::after_bullet,
};

/// So many times a block's JSON may run over a line that looks like its end: strings with a fence
/// in them are rare, and a hostile text must not cost more than its length.
const LONGEST_RUNS: usize = 32;

/// A fenced block.
#[derive(Debug)]
pub(super) struct Block<'a> {
    /// From the opening line to behind the closing one.
    pub(super) range: Range<usize>,
    /// What stands between them.
    pub(super) inner: &'a str,
    /// The word after the opening marks, in lower case.
    pub(super) info: String,
    /// What its text is as JSON, where it begins like JSON.
    pub(super) json: Option<Result<Parsed, Broken>>,
    /// Whether it stands in a quote.
    pub(super) is_quoted: bool,
    /// Whether it is closed.
    pub(super) is_closed: bool,
}

/// The opening line of a block.
struct Fence<'a> {
    marks: &'a str,
    info: &'a str,
    is_quoted: bool,
}

/// The fenced blocks of a text, in their order.
pub(super) fn find(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut runs = LONGEST_RUNS;
    let mut at = 0;
    while at < text.len() {
        let next = line_end(text, at);
        match opening(&text[at..next]) {
            None => at = next,
            Some(fence) => {
                let block = block(text, at, next, &fence, &mut runs);
                at = block.range.end.max(next);
                blocks.push(block);
            }
        }
    }
    blocks
}

/// The stretches of a text that are in none of some ranges, which are in order.
pub(super) fn outside(
    text: &str,
    ranges: impl IntoIterator<Item = Range<usize>>,
) -> Vec<Range<usize>> {
    let mut stretches = Vec::new();
    let mut at = 0;
    for range in ranges {
        stretches.push(at..range.start.max(at));
        at = range.end.max(at);
    }
    stretches.push(at..text.len());
    stretches
}

fn block<'a>(
    text: &'a str,
    start: usize,
    content: usize,
    fence: &Fence<'_>,
    runs: &mut usize,
) -> Block<'a> {
    let close = closing_line(text, content, fence);
    let mut end = close.clone().map_or(text.len(), |close| close.end);
    let mut inner_end = close.clone().map_or(text.len(), |close| close.start);
    let mut is_closed = close.is_some();
    let begins_like_json = !fence.is_quoted
        && lenient::after_blank(&text[..end], content)
            .is_ok_and(|at| text[at..end].starts_with(['{', '[']));
    let mut json = None;
    if begins_like_json {
        let mut read = lenient::value(&text[..inner_end], content);
        let runs_over = is_closed && read.as_ref().is_err_and(|broken| broken.ends_early);
        if runs_over && *runs > 0 {
            *runs -= 1;
            let over = lenient::value(text, content);
            if over.as_ref().is_ok_and(|over| closes_at(text, over.end, fence).is_some()) {
                read = over;
                end = text.len();
            }
        }
        if let Ok(parsed) = &read {
            match closes_at(&text[..end], parsed.end, fence) {
                Some(after) => (end, inner_end, is_closed) = (after, parsed.end, true),
                None if is_closed => {
                    let why = "something follows where it should end".to_owned();
                    read = Err(Broken { at: parsed.end, why, ends_early: false });
                }
                None => (),
            }
        }
        json = Some(read);
    }
    Block {
        range: start..end,
        inner: &text[content.min(inner_end)..inner_end],
        info: fence.info.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("").to_lowercase(),
        json,
        is_quoted: fence.is_quoted,
        is_closed,
    }
}

/// The offset behind the line that begins here.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

fn opening(line: &str) -> Option<Fence<'_>> {
    let unquoted = line.trim_start_matches([' ', '\t', '>', '\u{feff}']);
    let is_quoted = line[..line.len() - unquoted.len()].contains('>');
    let text = after_bullet(unquoted).unwrap_or(unquoted).trim_start();
    let mark = text.chars().next().filter(|mark| ['`', '~'].contains(mark))?;
    let length = text.len() - text.trim_start_matches(mark).len();
    let info = text[length..].trim();
    // A code span in a line may have three marks too, and closes them in the same line.
    let opens = length >= 3 && !info.contains('`');
    opens.then(|| Fence { marks: &text[..length], info, is_quoted })
}

/// The line that closes a block. A quote that ends closes what is open in it.
fn closing_line(text: &str, content: usize, fence: &Fence<'_>) -> Option<Range<usize>> {
    let mut at = content;
    while at < text.len() {
        let next = line_end(text, at);
        let line = text[at..next].trim();
        if fence.is_quoted && !line.starts_with('>') {
            return Some(at..at);
        }
        let line = if fence.is_quoted { line.trim_start_matches(['>', ' ', '\t']) } else { line };
        if closes(line, fence) {
            return Some(at..next);
        }
        at = next;
    }
    None
}

fn closes(line: &str, fence: &Fence<'_>) -> bool {
    line.starts_with(fence.marks) && line.trim_start_matches(&fence.marks[..1]).is_empty()
}

/// The offset behind the closing marks, where these follow at an offset with nothing but white
/// space and comments before them: often in the same line as the last brace.
fn closes_at(text: &str, at: usize, fence: &Fence<'_>) -> Option<usize> {
    let at = lenient::after_blank(text, at).ok()?;
    let next = line_end(text, at);
    closes(text[at..next].trim(), fence).then_some(next)
}
