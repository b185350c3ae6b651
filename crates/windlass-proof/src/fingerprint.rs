//! Compares protected files with how they were.

use windlass_core::step::Fingerprints;

/// What is not there.
pub const GONE: &str = "gone";

/// How the value of a path begins that cannot be read; the reason follows.
pub const UNREADABLE: &str = "unreadable: ";

/// Why the value says that its path could not be read; `None` where it could.
fn why_unreadable(print: &str) -> Option<&str> {
    print.strip_prefix(UNREADABLE)
}

/// The first path of these that could not be read, and why.
pub fn unreadable(prints: &Fingerprints) -> Option<(&str, &str)> {
    prints.iter().find_map(|(path, print)| Some((path.as_str(), why_unreadable(print)?)))
}

/// What differs, is gone, or is new: a clause each that tells the agent what to do about it. `why`
/// says of a path what protects it.
pub fn differences(
    before: &Fingerprints,
    now: &Fingerprints,
    why: impl Fn(&str) -> String,
) -> Vec<String> {
    let mut found = Vec::new();
    for (path, print) in before {
        let protected = format!("but it is protected ({}): restore it", why(path));
        match now.get(path) {
            Some(now) if now == print => (),
            Some(now) if why_unreadable(now).is_some() => {
                found.push(format!("{path} cannot be read any more, {protected}"));
            }
            Some(now) if now != GONE => found.push(format!("{path} was changed, {protected}")),
            _ => found.push(format!("{path} was deleted, {protected}")),
        }
    }
    let new = now.iter().filter(|(path, print)| !before.contains_key(*path) && *print != GONE);
    found.extend(new.map(|(path, _)| {
        format!("{path} was added where all is protected ({}): remove it", why(path))
    }));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prints(list: &[(&str, &str)]) -> Fingerprints {
        list.iter().map(|(path, print)| ((*path).to_owned(), (*print).to_owned())).collect()
    }

    #[test]
    fn each_way_to_differ_is_told_and_what_is_the_same_is_not() {
        let before = prints(&[("a", "1"), ("b", "1"), ("c", "1"), ("d", "1"), ("e", GONE)]);
        let now = prints(&[
            ("a", "1"),
            ("b", "2"),
            ("c", GONE),
            ("d", "unreadable: no"),
            ("e", GONE),
            ("f", GONE),
            ("g", "1"),
        ]);
        assert_eq!(
            differences(&before, &now, |path| format!("by {path}")),
            [
                "b was changed, but it is protected (by b): restore it",
                "c was deleted, but it is protected (by c): restore it",
                "d cannot be read any more, but it is protected (by d): restore it",
                "g was added where all is protected (by g): remove it",
            ]
        );
        assert_eq!(unreadable(&now), Some(("d", "no")));
    }
}
