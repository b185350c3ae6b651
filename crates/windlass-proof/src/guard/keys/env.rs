//! Files of variables, such as `.env`: guarded are lines that set some of them.

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

/// The lines. One inside a value of several lines counts as its own: a reader may see it so.
fn statements<'a>(text: &'a str, keys: &[String]) -> Vec<Statement<'a>> {
    let lines = text.split_inclusive('\n');
    lines
        .map(|line| {
            let set = line.trim_start().trim_start_matches("export ").split_once(['=', ':']);
            let name = set.map_or("", |(name, _)| name.trim());
            let is_guarded = keys.iter().any(|key| pattern::matches(key, '*', name));
            Statement { text: line, label: name.to_owned(), is_guarded, is_rule: false }
        })
        .collect()
}
