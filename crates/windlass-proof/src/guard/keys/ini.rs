//! INI files: guarded keys are sections.

use super::{
    pattern,
    statement::{Pair, Statement},
};

pub(super) fn pair<'a>(original: &'a str, current: &'a str, keys: &[String]) -> Pair<'a> {
    Pair {
        original: statements(original, keys),
        current: statements(current, keys),
        keeps_first: false,
        is_continued: |_| false,
    }
}

/// Sections, and what stands between them: empty lines and comments are nobody's.
fn statements<'a>(text: &'a str, keys: &[String]) -> Vec<Statement<'a>> {
    let mut statements: Vec<Statement<'a>> = Vec::new();
    let mut name = String::new();
    // From where to where the section goes, without the empty lines and comments after it.
    let (mut start, mut end, mut at) = (0, 0, 0);
    let mut close = |start: usize, end: usize, upto: usize, name: &str| {
        let is_guarded = keys.iter().any(|key| pattern::matches(key, '*', name));
        let pieces = [(start, end, is_guarded), (end, upto, false)];
        for (from, to, is_guarded) in pieces.into_iter().filter(|(from, to, _)| from < to) {
            let label = format!("[{name}]");
            statements.push(Statement { text: &text[from..to], label, is_guarded, is_rule: false });
        }
    };
    // How far the last option is indented: what is further in belongs to its value.
    let mut option = None;
    for line in text.split_inclusive('\n') {
        let line_start = line.trim_start_matches('\u{feff}');
        let content = line_start.trim();
        let indent = line_start.len() - line_start.trim_start().len();
        let is_value = option.is_some_and(|option| indent > option);
        if let Some(header) = content.strip_prefix('[').filter(|_| !is_value) {
            option = None;
            close(start, end, at, &name);
            (start, name) = (at, header.split(']').next().unwrap_or(header).trim().to_owned());
        }
        at += line.len();
        if !content.is_empty() && !content.starts_with(['#', ';']) {
            end = at;
            if !is_value && !content.starts_with('[') {
                option = Some(indent);
            }
        }
    }
    close(start, end, at, &name);
    statements
}
