//! Documents: the map has every module, the reference every command.

use testkit::{
    house::{assert_tidy, documents},
    source,
};

use crate::{PACKAGES, package};

/// Libraries whose modules are not on the map: who uses the test kit reads its documentation.
const OFF_THE_MAP: &[&str] = &["crates/testkit"];

/// The section of ARCHITECTURE.md whose rows are modules.
const MAP: &str = "2. Where a line belongs";

#[test]
fn the_architecture_names_every_module() {
    let text = source::text("ARCHITECTURE.md");
    let mut all = Vec::new();
    for package in &*PACKAGES {
        let is_library =
            package.main_target().is_some_and(|target| target.root.ends_with("/lib.rs"));
        if is_library && !OFF_THE_MAP.contains(&package.folder.as_str()) {
            let modules = package.top_modules();
            assert!(!modules.is_empty(), "{} has no modules", package.folder);
            assert_tidy(&documents::unnamed(
                "ARCHITECTURE.md",
                &text,
                modules.iter().map(String::as_str),
            ));
            all.extend(modules);
        }
    }
    all.extend(PACKAGES.iter().map(|package| package.folder.clone()));
    assert_tidy(&documents::stale_rows("ARCHITECTURE.md", &text, MAP, &all));
    let crates = PACKAGES.iter().map(|package| package.folder.as_str());
    assert_tidy(&documents::unnamed("ARCHITECTURE.md", &text, crates));
}

/// What embedders look through to find anything.
#[test]
fn the_library_has_at_most_ten_public_modules() {
    let root = source::text("crates/windlass/src/lib.rs");
    let own = root.lines().filter(|line| line.starts_with("pub mod ")).count();
    // `event` and `options` of the core are handed on.
    assert!((1..=8).contains(&own), "{own} modules are public, and two of the core");
}

#[test]
fn the_reference_names_every_command() {
    // What has flags of its own is a command; the other files there serve them.
    let folder = "crates/windlass-cli/src/commands/";
    let files = package("crates/windlass-cli").files.iter();
    let commands = files.filter(|file| {
        file.is_in(folder) && file.facts.items.iter().any(|it| it.name == "Args" && !it.in_test)
    });
    let names: Vec<String> = commands
        .map(|file| {
            let inner = file.path[folder.len()..].trim_end_matches(".rs");
            inner.trim_end_matches("/mod").replace('_', "-").replace('/', " ")
        })
        .collect();
    assert!(names.len() > 10, "the commands were not found: {names:?}");
    let page = "docs/cli.md";
    assert_tidy(&documents::undescribed(page, &source::text(page), &names));
}
