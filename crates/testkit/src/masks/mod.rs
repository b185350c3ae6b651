//! Masks what differs from run to run: paths, ids, names, times and durations. Columns stay where
//! they are: a mask is as wide as what it hides, and a duration in a table takes its blanks along.

mod words;

use std::path::{Path, PathBuf};

use crate::sql;

/// What to mask in one world.
#[derive(Clone, Debug)]
pub struct Masks {
    root: String,
    home: PathBuf,
    ids: Vec<String>,
    names: Vec<String>,
}

impl Masks {
    /// The masks of a world; ids and names are learnt later.
    pub fn new(root: &Path, home: &Path) -> Self {
        let root = root.to_string_lossy().into_owned();
        Self { root, home: home.to_owned(), ids: Vec::new(), names: Vec::new() }
    }

    /// The same, with the ids and made-up names of all loops that the store knows by now.
    #[must_use]
    pub fn learn(&self) -> Self {
        // A store that cannot be read has nothing to tell, and its test says what it expects.
        let rows = sql::query(&self.home, "select id, name from loops").unwrap_or_default();
        let (ids, names) = rows
            .lines()
            .filter_map(|row| row.split_once('|'))
            .map(|(id, name)| (id.to_owned(), name.to_owned()))
            .unzip();
        Self { ids, names, ..self.clone() }
    }

    /// The text with all that masked.
    pub fn apply(&self, text: &str) -> String {
        // `/tmp/windlass-a1B2c3` becomes a path of the same width.
        let masked = match self.root.rsplit_once('-') {
            Some((stem, random)) => {
                text.replace(&self.root, &format!("{stem}-{}", "X".repeat(random.len())))
            }
            None => text.to_owned(),
        };
        let mut masked: String = masked.split_inclusive('\n').map(|line| self.line(line)).collect();
        for name in self.names.iter().filter(|name| is_made_up(name)) {
            masked = masked.replace(name.as_str(), "[name]");
        }
        masked
    }

    fn line(&self, line: &str) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        // A line about the way back, which a terminal may have broken in two.
        let has_commits = ["(restores files, not ignored files", "before the loop is "];
        let has_commits = has_commits.iter().any(|words| line.contains(words));
        while let Some(first) = rest.chars().next() {
            let at_word = !out.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if at_word && let Some(length) = words::time(rest).or_else(|| words::date(rest)) {
                out.extend(
                    rest[..length].chars().map(|c| if c.is_ascii_digit() { '0' } else { c }),
                );
                rest = &rest[length..];
            } else if at_word && let Some(length) = words::duration(rest) {
                rest = words::mask_duration(&mut out, rest, length);
            } else if let Some(length) = words::milliseconds(&out, rest) {
                out.push('0');
                rest = &rest[length..];
            } else if at_word && let Some((length, label)) = self.hexadecimal(rest, has_commits) {
                out += &padded(label, length);
                rest = &rest[length..];
            } else {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        out
    }

    /// The length and label of the id or hash that `text` starts with.
    fn hexadecimal(&self, text: &str, has_commits: bool) -> Option<(usize, &'static str)> {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
        let word = &text[..end];
        let is_hash = word.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c));
        let is_id = || word.len() >= 6 && self.ids.iter().any(|id| id.starts_with(word));
        let label = match end {
            _ if !is_hash => return None,
            40 => "git",
            7 if has_commits => "git",
            64 => "sha256",
            16 => "id",
            _ if is_id() => "id",
            _ => return None,
        };
        Some((end, label))
    }
}

/// `[id............]`, as wide as what it hides.
fn padded(label: &str, width: usize) -> String {
    let inner = width.saturating_sub(2);
    let label = &label[..label.len().min(inner)];
    format!("[{label:.<inner$}]")
}

/// Whether windlass chose the name, such as `brave-otter`: the names that tests give stay.
fn is_made_up(name: &str) -> bool {
    let is_word = |word: &str| word.len() > 2 && word.chars().all(|c| c.is_ascii_lowercase());
    let mut words = name.split('-');
    words.next().is_some_and(is_word)
        && words.next().is_some_and(is_word)
        && words.all(|word| word.parse::<u32>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masks() -> Masks {
        Masks {
            root: "/tmp/windlass-a1B2c3".to_owned(),
            home: PathBuf::new(),
            ids: vec!["0123456789abcdef".to_owned()],
            names: vec!["brave-otter".to_owned(), "mine".to_owned()],
        }
    }

    #[track_caller]
    fn check(text: &str, masked: &str) {
        assert_eq!(masks().apply(text), masked);
    }

    #[test]
    fn paths_ids_and_hashes_keep_their_width() {
        check("in /tmp/windlass-a1B2c3/work", "in /tmp/windlass-XXXXXX/work");
        check("loop 0123456789abcdef, 01234567", "loop [id............], [id....]");
        check("fedcba9876543210", "[id............]");
        check(&format!("tree {}.", "a1".repeat(20)), &format!("tree [git{}].", ".".repeat(35)));
        check(&"0f".repeat(32), &format!("[sha256{}]", ".".repeat(56)));
        check("12345678 deadbeef abcd", "12345678 deadbeef abcd");
        check("the commit before the loop is 6fc96ec)", "the commit before the loop is [git..])");
        check("the commit is 6fc96ec", "the commit is 6fc96ec");
    }

    #[test]
    fn only_made_up_names_are_masked() {
        check("brave-otter and mine", "[name] and mine");
    }

    #[test]
    fn times_become_noughts() {
        check("at 2025-11-15T20:03:20.123Z", "at 0000-00-00T00:00:00.000Z");
        check("2025-11-15 20:03 to 20:03:21", "0000-00-00 00:00 to 00:00:00");
        check("ratio 3:4, v1.2.3", "ratio 3:4, v1.2.3");
    }

    #[test]
    fn durations_are_masked_and_columns_stay() {
        check("took 1.3s, 250 ms, 2m 05s, 1h", "took [time], [time], [time], [time]");
        check("a  12s     b\na  1.25s   b\n", "a  [time]  b\na  [time]  b\n");
        check("a     12s b\na   1.25s b\n", "a  [time] b\na  [time] b\n");
        check("2 sessions, 3 min, 5 ms5", "2 sessions, 3 min, 5 ms5");
        check("{\"duration_ms\":1234,\"n\":5}", "{\"duration_ms\":0,\"n\":5}");
        check("  \"duration_ms\": 7\n", "  \"duration_ms\": 0\n");
    }
}
