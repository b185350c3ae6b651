//! Rules on lints: an exception must be one from a lint that is on, and say why.

use std::collections::BTreeSet;

use toml::{Table, Value};

use crate::source::{Source, facts::Level};

/// Lints that are on without being asked for, of those that we make exceptions from. Of clippy these
/// are the groups correctness, suspicious, style, complexity and perf. Look a lint up before it is
/// added here: `pedantic`, `restriction` and `nursery` are off.
const ON_BY_DEFAULT: [&str; 3] =
    ["clippy::disallowed_methods", "clippy::unnecessary_cast", "dead_code"];

/// The lints that a manifest of a workspace turns on.
pub fn enabled(manifest: &Table) -> BTreeSet<String> {
    let lints = manifest["workspace"].get("lints").and_then(Value::as_table);
    let groups = lints.into_iter().flatten();
    let named = groups.flat_map(|(tool, lints)| {
        let prefix = if tool == "rust" { String::new() } else { format!("{tool}::") };
        let lints = lints.as_table().into_iter().flatten();
        lints.filter(|(_, level)| is_on(level)).map(move |(name, _)| format!("{prefix}{name}"))
    });
    named.collect()
}

fn is_on(level: &Value) -> bool {
    let level = level.get("level").unwrap_or(level);
    level.as_str().is_some_and(|level| level != "allow")
}

/// Exceptions that stand for nothing: of a lint that is off, without a reason, or by `allow`.
pub fn exceptions(file: &Source, enabled: &BTreeSet<String>) -> Vec<String> {
    let levels = &file.facts.levels;
    let here: BTreeSet<&str> = levels
        .iter()
        .filter(|it| it.is_inner && matches!(it.level.as_str(), "warn" | "deny"))
        .map(|it| it.lint.as_str())
        .collect();
    let complaint = |it: &Level| {
        let lint = &it.lint;
        let is_on = enabled.contains(lint)
            || here.contains(lint.as_str())
            || ON_BY_DEFAULT.contains(&lint.as_str());
        let what = match it.level.as_str() {
            "allow" => format!("has an `allow` of {lint}: use `expect` with a reason"),
            "expect" if !is_on => {
                format!("expects {lint}, which nothing turns on: turn it on, or leave this out")
            }
            "expect" if !it.has_reason => format!("expects {lint} without a reason"),
            _ => return None,
        };
        Some(format!("{}:{} {what}", file.path, it.line))
    };
    levels.iter().filter_map(complaint).collect()
}

/// Files that make an exception from a lint, which only some may; and who may and does not.
pub fn doors(files: &[&Source], lint: &str, may: &[&str]) -> Vec<String> {
    let opens =
        |file: &Source| file.facts.levels.iter().any(|it| it.level == "expect" && it.lint == lint);
    let open = files.iter().filter(|file| opens(file) && !may.contains(&file.path.as_str()));
    let shut = may.iter().filter(|path| !files.iter().any(|it| it.path == **path && opens(it)));
    open.map(|file| format!("{} opens a door: it makes an exception from {lint}", file.path))
        .chain(
            shut.map(|path| format!("{path} makes no exception from {lint}: take it off the list")),
        )
        .collect()
}

/// Files of a list that do not turn a lint on for all of themselves, or are not there.
pub fn without_warning(files: &[&Source], lint: &str, list: &[&str]) -> Vec<String> {
    let warns = |it: &Level| {
        it.is_inner && it.lint == lint && matches!(it.level.as_str(), "warn" | "deny" | "forbid")
    };
    let is_warned =
        |path: &str| files.iter().any(|it| it.path == path && it.facts.levels.iter().any(warns));
    let without = list.iter().filter(|path| !is_warned(path));
    without.map(|path| format!("{path} lacks `#![warn({lint})]`")).collect()
}

/// Roots of crates that do not forbid a lint.
pub fn without_forbid(roots: &[&Source], lint: &str) -> Vec<String> {
    let forbids = |it: &Level| it.level == "forbid" && it.lint == lint && it.is_inner;
    let without = roots.iter().filter(|root| !root.facts.levels.iter().any(forbids));
    without.map(|root| format!("{} lacks `#![forbid({lint})]`", root.path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(text: &str) -> Vec<String> {
        let manifest = "[workspace.lints.clippy]\nexit = \"warn\"\ntodo = { level = \"allow\" }\n\
            [workspace.lints.rust]\nunreachable_pub = \"warn\"";
        let enabled = enabled(&manifest.parse().unwrap());
        assert_eq!(enabled.len(), 2, "{enabled:?}");
        exceptions(&Source::new("a.rs", text), &enabled)
    }

    #[test]
    fn an_exception_that_stands_for_nothing_is_complained_of() {
        for (text, what) in [
            ("#[expect(clippy::cast_sign_loss, reason = \"a\")] fn f() {}", "nothing turns on"),
            ("fn f() { #[expect(clippy::todo, reason = \"a\")] g() }", "nothing turns on"),
            ("mod a { #![expect(clippy::exit)] }", "without a reason"),
            ("#[allow(clippy::exit, reason = \"a\")] fn f() {}", "has an `allow`"),
            ("#[cfg_attr(unix, allow(dead_code))] fn f() {}", "has an `allow`"),
            ("#[cfg(test)] mod t { #[allow(unused)] fn f() {} }", "has an `allow`"),
        ] {
            let found = complaints(text);
            assert!(found.len() == 1 && found[0].contains(what), "{text}: {found:?}");
        }
    }

    #[test]
    fn an_exception_with_a_reason_passes() {
        for text in [
            "#[expect(clippy::exit, unreachable_pub, reason = \"a\")] fn f() {}",
            "#[expect(dead_code, reason = \"a\")] fn f() {}",
            "#![warn(clippy::cast_sign_loss)]\n#[expect(clippy::cast_sign_loss, reason = \"a\")] fn f() {}",
        ] {
            assert_eq!(complaints(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn an_open_door_and_a_needless_key_are_complained_of() {
        let open = Source::new("a.rs", "#![expect(clippy::exit, reason = \"a\")]");
        let shut = Source::new("b.rs", "");
        let files = [&open, &shut];
        assert_eq!(doors(&files, "clippy::exit", &["b.rs"]).len(), 2);
        assert_eq!(doors(&files, "clippy::exit", &["a.rs"]), [""; 0]);
    }

    #[test]
    fn a_file_that_turns_a_lint_off_is_complained_of() {
        let file = Source::new("a.rs", "#![warn(clippy::exit)]");
        let other = Source::new("b.rs", "#[warn(clippy::exit)] fn f() {}");
        let files = [&file, &other];
        assert_eq!(without_warning(&files, "clippy::exit", &["a.rs"]), [""; 0]);
        assert_eq!(without_warning(&files, "clippy::exit", &["b.rs", "gone.rs"]).len(), 2);
    }

    #[test]
    fn a_root_that_forbids_nothing_is_complained_of() {
        let root = Source::new("lib.rs", "#![deny(unsafe_code)] // #![forbid(unsafe_code)]");
        assert_eq!(without_forbid(&[&root], "unsafe_code").len(), 1);
        let root = Source::new("lib.rs", "#![forbid(unsafe_code)]");
        assert_eq!(without_forbid(&[&root], "unsafe_code"), [""; 0]);
    }
}
