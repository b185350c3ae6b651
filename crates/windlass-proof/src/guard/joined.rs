//! New tests that run in one process with tests that were there, and so can change what those do: skip them,
//! replace what they test, or end the process as if all had passed.

use std::collections::BTreeSet;

use super::packages::above;

/// Runners of JavaScript that load all files of tests into one process. Others part them.
const SHARING: [&str; 4] = ["mocha", "jasmine", "jasmine-core", "tape"];

/// Files that tell of bun, which does the same.
const BUN: [&str; 3] = ["bunfig.toml", "bun.lock", "bun.lockb"];

/// Languages whose runners load all files of tests into one process, and that let code be replaced there.
const PATCHED: [&str; 3] = ["py", "rb", "php"];

const SCRIPTS: [&str; 8] = ["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts"];

/// Whether a new test runs together with tests of the start.
pub(super) fn is_joined(path: &str, before: &BTreeSet<String>) -> bool {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    if name.ends_with("_test.go") {
        // Go compiles all tests of a directory into one program.
        return before.iter().any(|it| {
            let (other, name) = it.rsplit_once('/').unwrap_or(("", it));
            other == directory && name.ends_with("_test.go")
        });
    }
    if PATCHED.contains(&ending) {
        return before.iter().any(|it| it.rsplit_once('.').is_some_and(|(_, of)| of == ending));
    }
    SCRIPTS.contains(&ending)
        && above(directory).any(|above| {
            let is_there = |file: String| before.contains(&file);
            let is_shared = |it: &str| is_there(format!("{above}node_modules/{it}/package.json"));
            SHARING.iter().any(|it| is_shared(it))
                || BUN.iter().any(|it| is_there(format!("{above}{it}")))
        })
}
