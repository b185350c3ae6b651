//! Globs of the user that match nothing: likely slips of the pen.

use std::path::Path;

use globset::GlobSet;
use walkdir::WalkDir;
use windlass_proof::globs;

/// How many files are compared; beyond that, globs are assumed to match.
const MOST_FILES: usize = 200_000;

/// Which of these globs match no file, neither by its path from `directory` nor from `root`.
pub(super) fn unmatched(root: &Path, directory: &Path, patterns: Vec<String>) -> Vec<String> {
    // What cannot be read as a glob was refused before.
    let compiled = patterns.into_iter().filter_map(|pattern| {
        let set = globs(std::slice::from_ref(&pattern)).ok()?;
        Some((pattern, set))
    });
    let mut left: Vec<(String, GlobSet)> = compiled.collect();
    let walk = WalkDir::new(root)
        .into_iter()
        .filter_entry(|entry| entry.file_name() != ".git" || entry.depth() == 0);
    for (number, entry) in walk.flatten().filter(|entry| !entry.file_type().is_dir()).enumerate() {
        if left.is_empty() || number >= MOST_FILES {
            return Vec::new();
        }
        let path = entry.path();
        let names = [path.strip_prefix(directory), path.strip_prefix(root)];
        let is_match = |set: &GlobSet| names.iter().flatten().any(|name| set.is_match(name));
        left.retain(|(_, set)| !is_match(set));
    }
    left.into_iter().map(|(pattern, _)| pattern).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_glob_that_matches_from_the_root_or_from_the_directory_matches() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("web/tests")).unwrap();
        fs::write(root.path().join("web/tests/a.py"), "").unwrap();
        let of = |globs: &[&str]| {
            let globs = globs.iter().map(|glob| (*glob).to_owned()).collect();
            unmatched(root.path(), &root.path().join("web"), globs)
        };
        let all = of(&["tests/**", "web/tests/*.py", "tests", "test/**", "*.py"]);
        assert_eq!(all, ["test/**", "*.py"]);
        assert_eq!(of(&["nothing"]), ["nothing"]);
        assert_eq!(of(&["**/*.py"]), [""; 0]);
    }
}
