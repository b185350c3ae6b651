//! Rules on snapshots: each belongs to a test that is still there.

use std::path::Path;

use crate::source::Source;

/// A snapshot: its path and its text.
pub struct Snapshot {
    pub path: String,
    pub text: String,
}

/// Snapshots that no test looks at any more.
pub fn orphaned(snapshots: &[Snapshot], files: &[&Source]) -> Vec<String> {
    let orphans = snapshots.iter().filter(|snapshot| {
        let source = snapshot.text.lines().find_map(|line| line.strip_prefix("source: "));
        let Some(source) = source else { return true };
        // A `mod.rs` may assert what other files of its folder name.
        let folder = source.strip_suffix("mod.rs").unwrap_or(source);
        let mut files = files.iter().filter(|file| file.path.starts_with(folder));
        !files.any(|file| {
            names(file, name_of(&snapshot.path)) || names(file, stem_of(&snapshot.path))
        })
    });
    orphans.map(|snapshot| format!("{} belongs to no test", snapshot.path)).collect()
}

/// Whether a file has a function of that name, or a string that is it. The text of `format!` counts
/// by what it begins or ends with.
fn names(file: &Source, name: &str) -> bool {
    let is_written = |text: &str| match (text.split_once('{'), text.rsplit_once('}')) {
        (Some((before, _)), Some((_, after))) => {
            let after = after.rsplit("__").next().unwrap_or(after);
            format!("{before}{after}").len() > 2
                && name.starts_with(before)
                && name.ends_with(after)
        }
        _ => text == name,
    };
    let mut strings = file.facts.strings.iter();
    file.facts.items.iter().any(|item| item.name == name) || strings.any(|it| is_written(&it.text))
}

/// The name that stands in the test's source: `it__cli__help-2.snap` is of `help`.
fn name_of(path: &str) -> &str {
    let stem = stem_of(path);
    let name = stem.rsplit("__").next().unwrap_or(stem);
    match name.rsplit_once('-') {
        Some((name, number)) if number.parse::<u32>().is_ok() => name,
        _ => name,
    }
}

/// The file's name without its ending.
fn stem_of(path: &str) -> &str {
    Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_without_its_test_is_complained_of() {
        let file = Source::new(
            "crates/x/tests/it/cli.rs",
            "#[test] fn help() { a(\"exit-codes\", f(\"{x}__nothing\")) }",
        );
        let snapshot = |name: &str, source: &str| Snapshot {
            path: format!("crates/x/tests/it/snapshots/it__cli__{name}.snap"),
            text: format!("---\nsource: {source}\n---\n"),
        };
        let here = "crates/x/tests/it/cli.rs";
        let good = [
            snapshot("8__nothing", here),
            snapshot("help", here),
            snapshot("help-2", here),
            snapshot("exit-codes", here),
        ];
        assert_eq!(orphaned(&good, &[&file]), [""; 0]);
        let bad = [snapshot("hel", here), snapshot("help", "crates/x/gone.rs")];
        assert_eq!(orphaned(&bad, &[&file]).len(), 2);
    }

    #[test]
    fn a_snapshot_that_a_folder_asserts_is_named_by_a_file_of_it() {
        let file = Source::new("crates/x/tests/it/old/list.rs", "fn f() { a(g(\"listed__{x}\")) }");
        let snapshot = |name: &str| Snapshot {
            path: format!("crates/x/tests/it/old/1.0/{name}.snap"),
            text: "---\nsource: crates/x/tests/it/old/mod.rs\n---\n".to_owned(),
        };
        assert_eq!(orphaned(&[snapshot("listed__tasks")], &[&file]), [""; 0]);
        assert_eq!(orphaned(&[snapshot("shown__tasks")], &[&file]).len(), 1);
    }
}
