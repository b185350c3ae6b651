//! What in a message is not the reviewer's own say: code, quotes, and what a page would not show.

use crate::text::prose::Line;

/// Elements whose content is quoted, struck out, or not meant to be read.
const ELEMENTS: [&str; 11] = [
    "blockquote",
    "code",
    "del",
    "pre",
    "s",
    "samp",
    "script",
    "strike",
    "style",
    "think",
    "thinking",
];

/// Where a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Own,
    Code,
    Quote,
    Hidden,
}

/// Follows a message line by line.
#[derive(Debug, Default)]
pub(super) struct Asides {
    /// What ends the element or the comment that is open.
    closes_with: Option<String>,
    /// Whether the line before is of a quote's paragraph, which goes on without its mark.
    is_quoted: bool,
}

impl Asides {
    pub(super) fn place(&mut self, line: &Line<'_>) -> Place {
        if let Some(end) = &self.closes_with {
            if contains(line.text, end) {
                self.closes_with = None;
            }
            return Place::Hidden;
        }
        let text = line.text.trim();
        let was_quoted = std::mem::take(&mut self.is_quoted);
        if line.is_code {
            return Place::Code;
        }
        if let Some(end) = opened(text) {
            self.closes_with = (!contains(text, &end)).then_some(end);
            return Place::Hidden;
        }
        let has_mark = text.starts_with('>');
        let words = text.trim_matches(['>', ' ', '\t']);
        let is_paragraph = !words.is_empty() && !words.starts_with('#');
        self.is_quoted = (has_mark || was_quoted) && is_paragraph;
        if has_mark || self.is_quoted { Place::Quote } else { Place::Own }
    }
}

/// What ends the comment or element that a line opens.
fn opened(text: &str) -> Option<String> {
    if text.starts_with("<!--") {
        return Some("-->".to_owned());
    }
    let tag = text.strip_prefix('<')?;
    let name = &tag[..tag.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(tag.len())];
    let name = ELEMENTS.iter().find(|element| name.eq_ignore_ascii_case(element))?;
    Some(format!("</{name}"))
}

fn contains(text: &str, end: &str) -> bool {
    text.to_ascii_lowercase().contains(end)
}
