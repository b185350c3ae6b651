//! Whether a task speaks of changing tests that are there. It is a hint for people, read from words
//! that stand near each other; nothing else depends on it.

/// What is done to tests that are there. Adding some changes none, and a request to fix a failing
/// test most often means the code.
const CHANGES: [&str; 24] = [
    "adapt",
    "adjust",
    "alter",
    "change",
    "clean up",
    "convert",
    "delete",
    "disable",
    "drop",
    "edit",
    "migrate",
    "modify",
    "move",
    "port",
    "refactor",
    "remove",
    "rename",
    "reorganize",
    "replace",
    "restructure",
    "rewrite",
    "skip",
    "split",
    "update",
];

/// What tests are called. A path counts by its parts.
const TESTS: [&str; 8] =
    ["test", "tests", "testcase", "testcases", "spec", "specs", "testsuite", "unittests"];

/// Words that turn a sentence around.
const NEGATIONS: [&str; 7] = ["not", "never", "no", "without", "dont", "cannot", "avoid"];

/// How many words may stand between the two.
const BETWEEN: usize = 5;

/// How many words before the change can turn it around.
const BEFORE: usize = 3;

/// Whether a task asks for changes of existing tests.
pub fn speaks_of_changing_tests(task: &str) -> bool {
    sentences(task).any(|sentence| {
        let sentence = sentence.replace("clean up", "clean-up");
        let words: Vec<String> = sentence.split_whitespace().filter_map(word).collect();
        (0..words.len()).any(|at| is_change(&words[at]) && asks_for(&words, at))
    })
}

/// Whether the change at this place is one of tests, and nobody says not to.
fn asks_for(words: &[String], at: usize) -> bool {
    let before = &words[at.saturating_sub(BEFORE)..at];
    let is_negation = |word: &String| word.ends_with("n't") || NEGATIONS.contains(&word.as_str());
    let is_negated = before.iter().any(is_negation);
    let after = words[at + 1..].iter().take(BETWEEN + 1);
    !is_negated && after.take_while(|word| !is_change(word)).any(|word| is_test(word))
}

/// The sentences and lines of a text, lower case. A full stop inside a word is part of a path.
fn sentences(text: &str) -> impl Iterator<Item = String> {
    let marked = text.to_lowercase().replace(['’', '`'], "'");
    let marked = marked.replace(". ", "\n").replace(['!', '?', ';', ','], "\n");
    marked.lines().map(str::to_owned).collect::<Vec<_>>().into_iter()
}

/// A word without the marks around it.
fn word(word: &str) -> Option<String> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
    (!word.is_empty()).then(|| word.to_owned())
}

/// Whether a word says that something is changed: `rename`, `renames`, `renaming`, `renamed`.
fn is_change(word: &str) -> bool {
    CHANGES.iter().any(|change| {
        let change = change.replace(' ', "-");
        let stem = change.strip_suffix('e').unwrap_or(&change);
        let doubled = stem.chars().last().map(|last| format!("{stem}{last}")).unwrap_or_default();
        let endings = ["e", "es", "ed", "ing", "s", ""];
        word == change
            || [stem, doubled.as_str()].into_iter().any(|stem| {
                let ending = word.strip_prefix(stem);
                ending.is_some_and(|ending| !ending.is_empty() && endings.contains(&ending))
            })
    })
}

/// Whether a word means tests: one of their names, or a path or a name that has one in it.
fn is_test(word: &str) -> bool {
    let word = word.strip_suffix("'s").unwrap_or(word);
    word.split(|c: char| !c.is_alphanumeric()).any(|part| TESTS.contains(&part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_that_changes_tests_is_known() {
        for task in [
            "Update the tests for the new API.",
            "Rename the module, and rewrite tests/test_api.py",
            "Delete the flaky integration tests",
            "Refactor the parser; its unit tests may be changed. Then move the old tests to legacy/",
            "Migrating our spec files to vitest",
            "Clean up the test suite",
            "remove test_old_login from the suite",
            "- [ ] Adapt `parser.test.ts` to the new names",
            "Skip the tests that need a network",
        ] {
            assert!(speaks_of_changing_tests(task), "{task}");
        }
    }

    #[test]
    fn other_tasks_are_not() {
        for task in [
            "",
            "Fix the failing test.",
            "Make the tests pass",
            "Add tests for the parser",
            "Write a test for every function and update the README",
            "Do not change the tests",
            "Speed up the build without changing any tests",
            "You must never edit the tests.",
            "Don't remove tests",
            "Update the dependencies. The tests must pass.",
            "Change the colour of the button, tests are in web/",
            "Replace the latest release notes",
            "Update the attestation contest page",
        ] {
            assert!(!speaks_of_changing_tests(task), "{task}");
        }
    }
}
