//! What stands around the words of a verdict and says nothing itself: emphasis, headings,
//! backticks, emoji, and labels such as `Verdict:`.

use super::words::{CROSS_NAMES, CROSSES, LABELS, OF_LABELS};
use crate::text::prose::after_list_mark;

/// Marks of emphasis and of code within a line.
pub(super) const EMPHASIS: [char; 3] = ['*', '_', '`'];

/// The longest label, in bytes.
const LONGEST_LABEL: usize = 60;

/// A line without what stands before its words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bare<'a> {
    pub text: &'a str,
    /// Whether a sign that says no was among it.
    pub is_crossed: bool,
}

/// Takes marks, emoji and labels from the beginning of a line.
pub(super) fn bare(line: &str) -> Bare<'_> {
    let mut bare = Bare { text: line, is_crossed: false };
    // The star of a list's item is no emphasis: an item may be one of several to choose from.
    while after_list_mark(line).is_none() {
        let text = bare.text.trim_start_matches(['#', '*', '_', ' ', '\t', '\u{a0}']);
        // Three backticks and more are a code block, even on one line.
        let ticks = text.len() - text.trim_start_matches('`').len();
        let text = if ticks < 3 { &text[ticks..] } else { text };
        let (text, is_crossed) =
            sign(text).unwrap_or_else(|| (after_label(text).unwrap_or(text), false));
        bare.is_crossed |= is_crossed;
        if text.len() == bare.text.len() {
            break;
        }
        bare.text = text;
    }
    bare
}

/// A text without the marks and emoji that end it.
pub(super) fn without_closing(text: &str) -> &str {
    let mut text = text;
    loop {
        let shorter = trimmed(text).trim_end_matches(['#', '*', '_', '`']);
        let shorter = without_named_sign(shorter.trim_end_matches(is_emoji));
        if shorter.len() == text.len() {
            return text;
        }
        text = shorter;
    }
}

/// Whether a text has nothing to read.
pub(super) fn is_blank(text: &str) -> bool {
    trimmed(text).is_empty()
}

/// Without white space around it, also the kind that has no width.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
    })
}

/// What follows the emoji that a text begins with, and whether it says no.
fn sign(text: &str) -> Option<(&str, bool)> {
    if let Some((name, rest)) = text.strip_prefix(':').and_then(|text| text.split_once(':'))
        && is_sign_name(name)
    {
        return Some((rest, CROSS_NAMES.contains(&name)));
    }
    let rest = text.trim_start_matches(is_emoji);
    let signs = &text[..text.len() - rest.len()];
    (!signs.is_empty()).then(|| (rest, signs.contains(CROSSES)))
}

/// A text without the `:tada:` at its end, unless that says no.
fn without_named_sign(text: &str) -> &str {
    let found = text.strip_suffix(':').and_then(|text| text.rsplit_once(':'));
    match found {
        Some((rest, name)) if is_sign_name(name) && !CROSS_NAMES.contains(&name) => rest,
        _ => text,
    }
}

fn is_sign_name(name: &str) -> bool {
    let is_of_names = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-');
    !name.is_empty() && name.len() <= 30 && name.chars().all(is_of_names)
}

fn is_emoji(c: char) -> bool {
    matches!(c,
        '\u{200d}' | '\u{203c}' | '\u{2049}' | '\u{20e3}' | '\u{2190}'..='\u{21ff}'
        | '\u{2300}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}'
        | '\u{fe0e}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}')
}

/// What follows a label such as `Verdict:`, `**Final decision:**` or `Verdict -`.
fn after_label(text: &str) -> Option<&str> {
    if !text.starts_with(char::is_alphanumeric) {
        return None;
    }
    let near = &text[..text.floor_char_boundary(LONGEST_LABEL)];
    let (at, mark) = near.char_indices().find(|&(at, c)| match c {
        ':' | '：' | '=' | '–' | '—' => true,
        '-' => near[..at].ends_with(' '),
        _ => false,
    })?;
    let label = text[..at].to_lowercase().replace('’', "'");
    let mut names = false;
    for word in label.split(|c: char| !(c.is_alphanumeric() || c == '\'')) {
        names |= LABELS.contains(&word);
        if !(word.is_empty() || LABELS.contains(&word) || OF_LABELS.contains(&word)) {
            return None;
        }
    }
    names.then_some(&text[at + mark.len_utf8()..])
}
