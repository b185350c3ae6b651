//! What is to be said about a proof that stands: programs that a check may have run, and that are
//! others than when the loop began.

use std::cmp::Reverse;

use windlass_core::step::Fingerprints;

use crate::GONE;

/// So many programs are named.
const MOST: usize = 3;

/// What is to be said where programs differ from `before`: `now` has those that do. Programs that
/// the commands of the checks name come first.
pub fn doubts(before: &Fingerprints, now: &Fingerprints, checks: &[String]) -> Vec<String> {
    let mut paths: Vec<&String> = now.keys().collect();
    paths.sort_by_key(|path| Reverse(is_named(path, checks)));
    let rest = paths.len().saturating_sub(MOST);
    let mut doubts: Vec<String> = paths
        .into_iter()
        .take(MOST)
        .map(|path| {
            let how = match (before.get(path), now[path].as_str()) {
                (_, GONE) => "is gone",
                (None, _) => "is new",
                (Some(_), _) => "was changed",
            };
            format!("`{path}` {how} since the loop began, and is in PATH: a check may have run it")
        })
        .collect();
    doubts.extend((rest > 0).then(|| format!("the same holds for {rest} more in PATH")));
    doubts
}

/// The programs of `now` that differ from `before`.
pub fn differing(before: &Fingerprints, now: Fingerprints) -> Fingerprints {
    let gone = before.keys().filter(|path| !now.contains_key(*path));
    let mut differing: Fingerprints = gone.map(|path| (path.clone(), GONE.to_owned())).collect();
    differing.extend(now.into_iter().filter(|(path, print)| before.get(path) != Some(print)));
    differing
}

fn is_named(path: &str, checks: &[String]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_part = |c: char| c.is_whitespace() || "/;&|()'\"$`".contains(c);
    checks.iter().any(|check| check.split(is_part).any(|word| word == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prints(list: &[(&str, &str)]) -> Fingerprints {
        list.iter().map(|(path, print)| ((*path).to_owned(), (*print).to_owned())).collect()
    }

    #[test]
    fn what_differs_is_told_and_what_a_check_names_comes_first() {
        let before = prints(&[("bin/a", "1"), ("bin/b", "1"), ("bin/pytest", "1")]);
        let now = prints(&[("bin/b", "1"), ("bin/pytest", "2"), ("bin/x", "1"), ("bin/y", "1")]);
        let differing = differing(&before, now);
        let told = doubts(&before, &differing, &["cd z && python -m y; pytest -q".to_owned()]);
        let after = "since the loop began, and is in PATH: a check may have run it";
        assert_eq!(
            told,
            [
                format!("`bin/pytest` was changed {after}"),
                format!("`bin/y` is new {after}"),
                format!("`bin/a` is gone {after}"),
                "the same holds for 1 more in PATH".to_owned(),
            ]
        );
        assert!(doubts(&before, &Fingerprints::new(), &[]).is_empty());
    }
}
