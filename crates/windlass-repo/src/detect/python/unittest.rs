//! Python tests that are written with unittest, and the command that finds them all.

use super::super::{Detected, look::Look};

/// The command for tests that unittest finds in `tests/`, in `test/` or in the directory itself.
pub(super) fn tests(look: Look<'_>, runner: &str) -> Vec<Detected> {
    let places = ["tests", "test", ""];
    let found = places.into_iter().find_map(|folder| Some((folder, written_with(look, folder)?)));
    let Some((folder, file)) = found else { return Vec::new() };
    let python = if runner.is_empty() { "python3" } else { "python" };
    let start = match folder {
        "" => String::new(),
        // A package is imported by its name, from the directory above it.
        folder if look.has(&format!("{folder}/__init__.py")) => format!(" -s {folder} -t ."),
        folder => format!(" -s {folder}"),
    };
    let command = format!("{runner}{python} -m unittest discover{start}");
    let because = format!("{file} uses unittest");
    vec![Detected::new(command, &file, because)]
}

/// The first test in a folder that is written with unittest, named as unittest looks for it.
fn written_with(look: Look<'_>, folder: &str) -> Option<String> {
    let is_test = |name: &str| name.starts_with("test") && name.ends_with(".py");
    let names = look.names_in(folder, &is_test).into_iter();
    let mut files = names.map(|name| match folder {
        "" => name,
        folder => format!("{folder}/{name}"),
    });
    files.find(|file| look.text(file).is_some_and(|text| imports_unittest(&text)))
}

/// Mocks alone do not count: tests for pytest use them as well.
fn imports_unittest(text: &str) -> bool {
    let imports = text.lines().any(|line| {
        let mut words = line.split_whitespace();
        let is_import = matches!(words.next(), Some("import" | "from"));
        is_import && words.next().is_some_and(|module| module.trim_end_matches(',') == "unittest")
    });
    imports && text.contains("TestCase")
}
