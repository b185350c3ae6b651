//! Pieces of sentences about what was left behind: cut to a length that people read.

/// So many characters of a value are shown.
const LONGEST: usize = 120;

/// When a hook runs, as the end of a sentence.
const HOOKS: &[(&str, &str)] = &[
    ("pre-commit", "at your next `git commit`"),
    ("prepare-commit-msg", "at your next `git commit`"),
    ("commit-msg", "at your next `git commit`"),
    ("post-commit", "after your next `git commit`"),
    ("pre-merge-commit", "at your next `git merge`"),
    ("post-merge", "after your next `git pull`"),
    ("pre-rebase", "at your next `git rebase`"),
    ("post-rewrite", "after your next `git rebase`"),
    ("post-checkout", "after your next `git checkout`"),
    ("pre-push", "at your next `git push`"),
    ("pre-auto-gc", "at your next `git gc`"),
    ("post-index-change", "after your next `git status`"),
    ("reference-transaction", "at your next commit or fetch"),
    ("fsmonitor-watchman", "where `core.fsmonitor` names it"),
    ("applypatch-msg", "at your next `git am`"),
    ("pre-applypatch", "at your next `git am`"),
    ("post-applypatch", "after your next `git am`"),
    ("sendemail-validate", "at your next `git send-email`"),
];

/// When a hook runs.
pub(super) fn hook(name: &str) -> &'static str {
    let known = HOOKS.iter().find(|(hook, _)| *hook == name);
    known.map_or("where git or another hook calls it", |(_, when)| when)
}

/// A value in one line, with what would be too much cut off, and without a password in an address.
pub(super) fn cut(value: &str) -> String {
    let line: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = without_password(&line);
    if line.chars().count() <= LONGEST {
        return line;
    }
    line.chars().take(LONGEST).chain(['…']).collect()
}

/// An address without the name and password before its host.
fn without_password(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let host_end = rest.find(['/', ' ']).unwrap_or(rest.len());
    match rest[..host_end].rfind('@') {
        Some(at) => format!("{scheme}://…{}", &rest[at..]),
        None => text.to_owned(),
    }
}

/// The beginning of an id.
pub(super) fn short(id: &str) -> String {
    cut(id).chars().take(12).collect()
}

/// A path and a name in it, which may be empty.
pub(super) fn joined(path: &str, name: &str) -> String {
    if name.is_empty() { path.to_owned() } else { format!("{path}/{name}") }
}

/// How many stashes, with the verb.
pub(super) fn stashes(count: usize) -> String {
    if count == 1 { "1 stash is".to_owned() } else { format!("{count} stashes are") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_cut_and_hold_no_password() {
        assert_eq!(cut("https://me:secret@host/x"), "https://…@host/x");
        assert_eq!(cut("a\nb"), "a b");
        assert_eq!(cut(&"é".repeat(200)).chars().count(), LONGEST + 1);
    }
}
