//! Which files are tests, by the conventions of their names: data.

/// Directories whose files are tests.
const DIRECTORIES: [&str; 8] =
    ["test", "tests", "spec", "specs", "__tests__", "e2e", "testing", "testdata"];

/// The first or the last word of a test's name.
const WORDS: [&str; 4] = ["test", "tests", "spec", "specs"];

/// The first word of a script that checks something.
const CHECKS: [&str; 4] = ["check", "checks", "verify", "validate"];

/// How the names of tests end where words are not parted.
const ENDS: [&str; 3] = ["Test", "Tests", "Spec"];

/// Endings of what is no code: tests only in a directory of tests.
const NO_CODE: [&str; 14] = [
    "adoc", "css", "csv", "html", "json", "lock", "log", "md", "rst", "toml", "txt", "xml", "yaml",
    "yml",
];

/// Whether the path of a file is that of a test.
pub(crate) fn is_test(path: &str) -> bool {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    if directory.split('/').any(|part| DIRECTORIES.contains(&part)) {
        return true;
    }
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    if NO_CODE.contains(&ending) || stem.is_empty() {
        return false;
    }
    let is_joined = ENDS.iter().any(|end| {
        stem.strip_suffix(end).is_some_and(|rest| rest.ends_with(|c: char| c.is_lowercase()))
    });
    let lower = stem.to_lowercase();
    let mut words = lower.split(['_', '-', '.']);
    let first = words.next().unwrap_or_default();
    let last = words.next_back().unwrap_or(first);
    let is_script = !ending.is_empty() && CHECKS.contains(&first);
    let is_named = !ending.is_empty() && (WORDS.contains(&first) || WORDS.contains(&last));
    is_named || is_script || is_joined || ending == "bats" || name == "conftest.py"
}
