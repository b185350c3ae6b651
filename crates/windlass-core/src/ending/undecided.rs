//! What a rule leaves to the user: the work is there, and whether it is wanted like that is not for the
//! agent to say.

use serde::{Deserialize, Serialize};

/// What a rule leaves to the user. The circuit stays closed then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Undecided {
    /// The work passes its checks, and existing tests do not pass as they were.
    Originals {
        /// The guarded files that the agent changed.
        #[serde(default)]
        files: Vec<String>,
    },
    /// Nothing fails but tests that failed before the loop.
    KnownFailures,
}

impl Undecided {
    /// Globs that together match the guarded files that were changed: the one file, the directory that
    /// they share, or a few files. None where that is not known.
    pub fn globs(&self) -> Vec<String> {
        let Self::Originals { files } = self else { return Vec::new() };
        match files.as_slice() {
            [] => Vec::new(),
            [file] => vec![escaped(file)],
            several => match shared_directory(several) {
                Some(directory) => vec![format!("{}/**", escaped(directory))],
                None if several.len() <= MOST_FILES => {
                    several.iter().map(|file| escaped(file)).collect()
                }
                None => vec!["**".to_owned()],
            },
        }
    }
}

/// How many files without a common directory are named one by one.
const MOST_FILES: usize = 3;

/// The innermost directory that all paths are in, if there is one below the top.
fn shared_directory(paths: &[String]) -> Option<&str> {
    let mut shared = parent(paths.first()?)?;
    while !paths
        .iter()
        .all(|path| path.strip_prefix(shared).is_some_and(|rest| rest.starts_with('/')))
    {
        shared = parent(shared)?;
    }
    Some(shared)
}

fn parent(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(parent, _)| parent)
}

/// A path as a glob that matches nothing but it.
fn escaped(path: &str) -> String {
    let mut glob = String::with_capacity(path.len());
    for letter in path.chars() {
        match letter {
            '*' | '?' | '[' | ']' | '{' | '}' => glob.extend(['[', letter, ']']),
            '\\' => glob.push_str("\\\\"),
            other => glob.push(other),
        }
    }
    glob
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(files: &[&str]) -> Vec<String> {
        let files = files.iter().map(|file| (*file).to_owned()).collect();
        Undecided::Originals { files }.globs()
    }

    #[test]
    fn a_glob_names_the_file_or_the_directory_that_all_are_in() {
        assert_eq!(globs(&["tests/test_a.py"]), ["tests/test_a.py"]);
        assert_eq!(globs(&["tests/a/x.py", "tests/b/y.py"]), ["tests/**"]);
        assert_eq!(globs(&["tests/a/x.py", "tests/a/y.py"]), ["tests/a/**"]);
        assert_eq!(globs(&["tests/x.py", "tests_more/y.py"]), ["tests/x.py", "tests_more/y.py"]);
        assert_eq!(globs(&["a.py", "b.py", "c.py", "d.py"]), ["**"]);
        assert_eq!(globs(&[]), [""; 0]);
        assert_eq!(Undecided::KnownFailures.globs(), [""; 0]);
    }

    #[test]
    fn what_a_glob_means_is_escaped() {
        assert_eq!(globs(&["app/[slug]/page.test.ts"]), ["app/[[]slug[]]/page.test.ts"]);
    }
}
