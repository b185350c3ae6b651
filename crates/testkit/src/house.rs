//! Rules of the house that hold for every crate alike. Each gives the complaints as lines; an
//! empty list is a tidy crate. The rules of one crate stand in that crate's `tests/tidy.rs`.

use std::{fs, path::Path};

use crate::source::{self, Source};

/// The most lines that a file may have, unit tests not counted.
const LONGEST_FILE: usize = 400;

/// Names that say nothing of what a module is for.
const EMPTY_NAMES: [&str; 10] =
    ["util", "utils", "helper", "helpers", "common", "manager", "handler", "misc", "base", "impl"];

/// Fails with one complaint a line, if there is any.
#[track_caller]
pub fn assert_tidy(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n  {}\n", complaints.join("\n  "));
}

/// Files that do not begin with a sentence on what they are for.
pub fn without_header(files: &[Source]) -> Vec<String> {
    complain(files, "has no `//!` header that says what it is for", |file| {
        !file.text.starts_with("//! ")
    })
}

/// Files that are too long to be read in one go.
pub fn too_long(files: &[Source]) -> Vec<String> {
    let long = files.iter().filter(|file| !file.is_test() && file.lines() > LONGEST_FILE);
    long.map(|file| format!("{} has {} lines, over {LONGEST_FILE}", file.path, file.lines()))
        .collect()
}

/// Files that switch a lint off without a reason, or leave work for later.
pub fn left_undone(files: &[Source]) -> Vec<String> {
    let mut complaints = complain(files, "has an `allow`: use `expect` with a reason", |file| {
        file.code.contains("#[allow(") || file.code.contains("#![allow(")
    });
    // Written in two pieces, so that this file does not complain of itself.
    for word in [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X ")] {
        complaints
            .extend(complain(files, &format!("says {word}"), |file| file.text.contains(word)));
    }
    complaints
}

/// Modules whose names say nothing.
pub fn empty_names(files: &[Source]) -> Vec<String> {
    complain(files, "has a name that says nothing of what it is for", |file| {
        let path = Path::new(&file.path).with_extension("");
        path.iter().any(|part| EMPTY_NAMES.iter().any(|name| part == *name))
    })
}

/// Files of a crate's `src` that no `mod` line names, so that they are not part of it.
pub fn undeclared(files: &[Source]) -> Vec<String> {
    let is_root =
        |file: &&Source| ["/src/main.rs", "/src/lib.rs"].iter().any(|r| file.path.ends_with(r));
    // Before a crate is written, its root names nothing.
    if !files.iter().filter(is_root).any(|root| root.code.contains("mod ")) {
        return Vec::new();
    }
    complain(files, "is named by no `mod` line", |file| !is_declared(file, files))
}

/// Whether some file declares this one as its module.
fn is_declared(file: &Source, files: &[Source]) -> bool {
    let inner = file.path.split_once("/src/").map_or("", |(_, inner)| inner);
    if matches!(inner, "main.rs" | "lib.rs") || inner.starts_with("bin/") {
        return true;
    }
    let module = inner.trim_end_matches(".rs").trim_end_matches("/mod");
    let (parents, name) = match module.rsplit_once('/') {
        None => (["main.rs".to_owned(), "lib.rs".to_owned()], module),
        Some((parent, name)) => ([format!("{parent}.rs"), format!("{parent}/mod.rs")], name),
    };
    let line = format!("mod {name};");
    let mut parents = parents.iter().map(|parent| format!("/src/{parent}"));
    parents.any(|parent| files.iter().any(|f| f.path.ends_with(&parent) && f.code.contains(&line)))
}

/// Files of a crate's `tests/it` that no `mod` line of `main.rs` names, so that they never run.
pub fn forgotten_tests(folder: &str) -> Vec<String> {
    let main = source::text(&format!("{folder}/tests/it/main.rs"));
    let below = source::workspace().join(folder).join("tests/it");
    let Ok(entries) = fs::read_dir(below) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| {
        let path = entry.path();
        let is_module =
            path.join("mod.rs").is_file() || path.extension().is_some_and(|e| e == "rs");
        let name = path.file_stem()?.to_string_lossy().into_owned();
        (is_module && name != "main").then_some(name)
    });
    names
        .filter(|name| !main.lines().any(|line| line.trim() == format!("mod {name};")))
        .map(|name| format!("{folder}/tests/it/main.rs does not name `mod {name};`"))
        .collect()
}

/// Snapshots that no test looks at any more.
pub fn orphaned_snapshots(folder: &str) -> Vec<String> {
    let snapshots = source::files(folder, "snap").into_iter();
    snapshots
        .filter(|path| {
            let text = source::text(path);
            let header = text.lines().find_map(|line| line.strip_prefix("source: "));
            let tests = source::text(header.unwrap_or_default());
            !tests.contains(snapshot_name(path))
        })
        .map(|path| format!("{path} belongs to no test"))
        .collect()
}

/// The name that stands in the test's source: `it__cli__help-2.snap` is of `help`.
fn snapshot_name(path: &str) -> &str {
    let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let name = stem.rsplit("__").next().unwrap_or(stem);
    match name.rsplit_once('-') {
        Some((name, number)) if number.parse::<u32>().is_ok() => name,
        _ => name,
    }
}

/// One complaint for each file that is not as it should be.
pub fn complain(files: &[Source], what: &str, is_bad: impl Fn(&Source) -> bool) -> Vec<String> {
    files.iter().filter(|file| is_bad(file)).map(|file| format!("{} {what}", file.path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_untidy_file_is_complained_of() {
        let text = "use a;\n#[allow(x)]\nfn a() {} // TO".to_owned() + "DO later\n";
        let untidy = [Source::new("crates/x/src/utils.rs", &text)];
        assert_eq!(without_header(&untidy).len(), 1);
        assert_eq!(left_undone(&untidy).len(), 2);
        assert_eq!(empty_names(&untidy).len(), 1);
        let long = [Source::new("crates/x/src/a.rs", &"fn a() {}\n".repeat(LONGEST_FILE + 1))];
        assert_eq!(too_long(&long).len(), 1);
    }

    #[test]
    fn a_file_that_nothing_names_is_complained_of() {
        let file = |path: &str, text| Source::new(&format!("crates/x/src/{path}"), text);
        let files = [
            file("lib.rs", "pub mod a;\nmod c;\n"),
            file("a/mod.rs", "mod b;"),
            file("a/b.rs", ""),
            file("c.rs", ""),
            file("a/lost.rs", ""),
        ];
        assert_eq!(undeclared(&files), ["crates/x/src/a/lost.rs is named by no `mod` line"]);
    }

    #[test]
    fn a_snapshot_is_named_after_its_test() {
        assert_eq!(
            snapshot_name("a/snapshots/it__cli__the_help_is_short.snap"),
            "the_help_is_short"
        );
        assert_eq!(snapshot_name("a/snapshots/it__cli__help-2.snap"), "help");
        assert_eq!(snapshot_name("a/snapshots/it__cli__exit-codes.snap"), "exit-codes");
    }
}
