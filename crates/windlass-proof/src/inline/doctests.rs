//! Doctests of Rust: fenced blocks in the documentation of items, as far as they are run or compiled.

use super::unit::{Kind, Unit};

/// What may be said of a block that is run or compiled.
const RUN: [&str; 6] =
    ["rust", "should_panic", "no_run", "compile_fail", "standalone", "test_harness"];

/// A fenced block.
struct Block<'t> {
    fence: &'t str,
    info: &'t str,
    text: String,
    line: u32,
}

pub(super) fn of_rust(text: &str) -> Vec<Unit> {
    let mut found = Vec::new();
    let mut open: Option<Block<'_>> = None;
    let mut marker = "";
    for (number, line) in (1..).zip(text.lines()) {
        let Some((mark, said)) =
            documentation(line).filter(|(mark, _)| marker == *mark || open.is_none())
        else {
            // A block ends with the documentation that it is in.
            found.extend(open.take().and_then(Block::unit));
            continue;
        };
        marker = mark;
        match &mut open {
            Some(block) if closes(said, block.fence) => {
                found.extend(open.take().and_then(Block::unit));
            }
            Some(block) => {
                block.text += said.trim_end();
                block.text.push('\n');
            }
            None => open = opens(said, number),
        }
    }
    found.extend(open.and_then(Block::unit));
    found
}

/// What a line of documentation says, and how it begins.
fn documentation(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let (mark, said) = line.split_at_checked(3)?;
    let is_plain = mark == "///" && said.starts_with('/');
    let is_it = (mark == "///" || mark == "//!") && !is_plain;
    is_it.then(|| (mark, said.strip_prefix(' ').unwrap_or(said)))
}

fn opens(said: &str, line: u32) -> Option<Block<'_>> {
    let said = said.trim_start();
    let mark = said.chars().next().filter(|mark| "`~".contains(*mark))?;
    let (fence, info) = said.split_at(said.len() - said.trim_start_matches(mark).len());
    let is_it = fence.len() >= 3 && !info.contains('`');
    is_it.then(|| Block { fence, info: info.trim(), text: String::new(), line })
}

fn closes(said: &str, fence: &str) -> bool {
    let said = said.trim();
    said.len() >= fence.len() && said.trim_start_matches(&fence[..1]).is_empty()
}

impl Block<'_> {
    fn unit(self) -> Option<Unit> {
        let Self { info, text, line, .. } = self;
        let mut words = info.split([',', ' ']).filter(|word| !word.is_empty());
        let is_run = words.all(|word| {
            let is_code = word.len() == 5 && word.starts_with('E');
            RUN.contains(&word) || word.starts_with("edition") || is_code
        });
        let text = format!("{info}\n{text}");
        is_run.then_some(Unit { kind: Kind::Doctest, name: None, text, chain: 0, line })
    }
}
