//! Which words of a check name files: a file that decides whether the check passes is not the
//! agent's to change.

use std::{
    collections::BTreeSet,
    path::{Component, Path},
};

/// The words in the commands of the checks that can be paths in the work tree, such as `tests/t.sh`
/// in `sh tests/t.sh`. Whether there are such files is for others to say.
pub fn named_paths(checks: &[String]) -> Vec<String> {
    let mut paths = BTreeSet::new();
    for check in checks {
        let words = shell_words::split(check)
            .unwrap_or_else(|_| check.split_whitespace().map(str::to_owned).collect());
        for word in words.iter().flat_map(|word| word.split([';', '&', '|', '(', ')', '<', '>'])) {
            let path = Path::new(word);
            let inside = path.is_relative()
                && path.components().all(|part| !matches!(part, Component::ParentDir));
            // `.//t.sh` is in the tree too, and `/t.sh` would not be.
            let path = word.strip_prefix("./").unwrap_or(word).trim_start_matches('/');
            if inside && !path.is_empty() {
                paths.insert(path.to_owned());
            }
        }
    }
    paths.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_lead_out_of_the_tree_name_nothing_in_it() {
        let checks = ["sh tests/t.sh && ./run; cat /etc/passwd", "sh ../x"].map(str::to_owned);
        assert_eq!(named_paths(&checks), ["cat", "run", "sh", "tests/t.sh"]);
    }

    #[test]
    fn a_word_that_begins_in_the_tree_never_names_a_file_outside() {
        let checks = ["./", ".//etc/passwd", "."].map(str::to_owned);
        assert_eq!(named_paths(&checks), [".", "etc/passwd"]);
    }

    #[test]
    fn a_quote_that_is_not_closed_hides_nothing() {
        assert_eq!(named_paths(&["sh 'a b".to_owned()]), ["'a", "b", "sh"]);
    }
}
