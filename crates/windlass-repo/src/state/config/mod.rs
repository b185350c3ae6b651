//! What a git config could do: settings that have git run something or hide work.

mod parse;
mod table;

pub(super) use table::Does;

use self::{
    parse::settings,
    table::{Row, TABLE, When},
};

/// Settings that could do something, by their names; a name with several values has one a line.
pub(super) fn telling(text: &[u8]) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for (key, value) in settings(text) {
        let Some(row) = row(&key) else { continue };
        if !counts(row.1, &value) {
            continue;
        }
        // One line each: a value may have several.
        let value = value.replace('\n', " ");
        match found.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => {
                values.push('\n');
                values.push_str(&value);
            }
            None => found.push((key, value)),
        }
    }
    found
}

/// What a setting with that value does, and the words for it.
pub(super) fn effect(key: &str, value: &str) -> Option<(Does, String)> {
    let &(pattern, _, does, words) = row(key)?;
    let (before, after) = pattern.split_once('*').unwrap_or((pattern, ""));
    let inner = &key[before.len()..key.len() - after.len()];
    Some((does, format!("`{before}{inner}{after}` {}", words.replace("{}", value))))
}

fn row(key: &str) -> Option<&'static Row> {
    TABLE.iter().find(|(pattern, ..)| fits(pattern, key))
}

/// A `*` stands for what is between the parts around it, which may have dots of its own.
fn fits(pattern: &str, key: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else {
        return pattern.eq_ignore_ascii_case(key);
    };
    let begins = key.get(..before.len()).is_some_and(|part| part.eq_ignore_ascii_case(before));
    let ends = key.len().checked_sub(after.len()).and_then(|at| key.get(at..));
    let ends = ends.is_some_and(|part| part.eq_ignore_ascii_case(after));
    begins && ends && key.len() > before.len() + after.len()
}

fn counts(when: When, value: &str) -> bool {
    let word = value.trim().to_ascii_lowercase();
    let is_yes = matches!(word.as_str(), "true" | "yes" | "on" | "1");
    let is_no = matches!(word.as_str(), "false" | "no" | "off" | "0" | "");
    match when {
        When::Set => !word.is_empty(),
        When::NotYesOrNo => !is_yes && !is_no,
        When::Shell => word.starts_with('!'),
        When::Yes => is_yes,
        When::No => is_no,
        When::Address => word.contains([':', '/']),
        When::Is(wanted) => word == wanted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_of_the_table_is_found_by_its_own_name() {
        for row @ (pattern, ..) in TABLE {
            let key = pattern.to_ascii_lowercase().replace('*', "a.B");
            assert_eq!(super::row(&key), Some(row), "{pattern} is hidden by another row");
            let (_, words) = effect(&key, "x").unwrap();
            assert!(words.starts_with(&format!("`{}` ", pattern.replace('*', "a.B"))), "{words}");
        }
    }

    #[test]
    fn only_values_that_do_something_count() {
        let text = b"[core]\nfsmonitor = true\nfsmonitor = .git/x.sh\nbare = false\n\
            [alias]\nst = status\ngo = !rm\n[branch \"main\"]\nremote = origin\n";
        let found = telling(text);
        assert_eq!(
            found,
            [
                ("core.fsmonitor".to_owned(), ".git/x.sh".to_owned()),
                ("alias.go".to_owned(), "!rm".to_owned()),
            ]
        );
        let (_, words) = effect("core.fsmonitor", "x").unwrap();
        assert_eq!(words, "`core.fsmonitor` runs `x` at your next `git status`");
    }
}
