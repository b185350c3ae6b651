//! Finds the loop that a person means.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, Result};

use super::{FindError, LoopRecord, Store, columns::path, read::one_loop};

impl Store {
    /// The loop of that name, id or unique prefix; the newest of `directory` if left out.
    pub fn find(&self, reference: Option<&str>, directory: &Path) -> Result<LoopRecord, FindError> {
        match reference {
            Some(reference) => self.named(reference),
            None => self
                .with(|connection| newest_of(connection, &canonical(directory)))?
                .ok_or_else(|| FindError::NoneHere { directory: directory.to_owned() }),
        }
    }

    fn named(&self, reference: &str) -> Result<LoopRecord, FindError> {
        let exact = self.with(|connection| {
            Ok(match one_loop(connection, "name = ?", reference)? {
                Some(found) => Some(found),
                None => one_loop(connection, "id = ?", reference)?,
            })
        })?;
        if let Some(found) = exact {
            return Ok(found);
        }
        let mut names = self.with(|connection| names_with_prefix(connection, reference))?;
        let unknown = |nearest| FindError::Unknown { reference: reference.to_owned(), nearest };
        match names.len() {
            0 => Err(unknown(nearest(&self.with(all_names)?, reference))),
            1 => self
                .with(|connection| one_loop(connection, "name = ?", &names[0]))?
                .ok_or_else(|| unknown(None)),
            _ => {
                names.truncate(10);
                Err(FindError::Ambiguous { reference: reference.to_owned(), names })
            }
        }
    }
}

/// The path without links in it, as loops are stored; one that is gone as it is given.
pub(super) fn canonical(directory: &Path) -> PathBuf {
    fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned())
}

fn newest_of(connection: &Connection, directory: &Path) -> Result<Option<LoopRecord>> {
    one_loop(
        connection,
        "number = (SELECT max(number) FROM (
             SELECT max(number) AS number FROM loops WHERE directory = ?1
             UNION ALL SELECT max(number) FROM loops WHERE worktree = ?1))",
        path(directory),
    )
}

/// The names of loops whose name or id begins so, newest first.
fn names_with_prefix(connection: &Connection, prefix: &str) -> Result<Vec<String>> {
    if prefix.is_empty() {
        return Ok(Vec::new());
    }
    // A range and not LIKE: it uses the index, and nothing in the prefix has a meaning of its own.
    let end = format!("{prefix}\u{10ffff}");
    connection
        .prepare_cached(
            "SELECT name, number FROM loops WHERE name >= ?1 AND name < ?2
             UNION SELECT name, number FROM loops WHERE id >= ?1 AND id < ?2
             ORDER BY number DESC LIMIT 11",
        )?
        .query_map([prefix, &end], |row| row.get(0))?
        .collect()
}

fn all_names(connection: &Connection) -> Result<Vec<String>> {
    connection
        .prepare("SELECT name FROM loops ORDER BY number DESC")?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// The name that was most likely meant: at most a third of it is different.
fn nearest(names: &[String], reference: &str) -> Option<String> {
    let allowed = (reference.chars().count() / 3).max(1);
    names
        .iter()
        .map(|name| (distance(name, reference), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name.clone())
}

/// How many letters must be put in, left out or changed to make one of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_finds_the_name() {
        let names = ["brave-otter", "calm-heron", "dapper-finch"].map(str::to_owned);
        assert_eq!(nearest(&names, "brave-oter").as_deref(), Some("brave-otter"));
        assert_eq!(nearest(&names, "clam-heron").as_deref(), Some("calm-heron"));
        assert_eq!(nearest(&names, "zebra"), None);
    }

    #[test]
    fn the_distance_counts_letters() {
        for (a, b, expected) in [("", "abc", 3), ("kitten", "sitting", 3), ("über", "uber", 1)] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }
}
