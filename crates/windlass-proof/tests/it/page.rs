//! Writes the table of `docs/counts.md` from the registry, and fails where it says something else.
//! `WINDLASS_UPDATE_DOCS=1 cargo nextest run -p windlass-proof page` writes it.

use std::{fmt::Write as _, fs, path::Path};

use windlass_proof::counts::RUNNERS;

const BEGIN: &str = "<!-- runners: this table is generated -->";
const END: &str = "<!-- end of runners -->";

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The first version that was recorded, without what is known anyway.
fn version(folder: &str) -> String {
    let path = format!("crates/windlass-proof/tests/recordings/{folder}/versions.txt");
    let text = fs::read_to_string(root().join(path)).unwrap();
    let first = text.lines().next().unwrap();
    let is_version = |word: &&str| word.contains(|c: char| c.is_ascii_digit());
    let word = first.split([' ', '/']).find(is_version).unwrap();
    word.trim_start_matches(|c: char| c.is_alphabetic()).to_owned()
}

fn table() -> String {
    let mut table = format!(
        "{BEGIN}\n| runner | language | recorded with | good to know |\n|---|---|---|---|\n"
    );
    for runner in RUNNERS {
        let (name, language, note) = (runner.name, runner.language, runner.note);
        let _ =
            writeln!(table, "| {name} | {language} | {} | {note} |", version(runner.recordings));
    }
    table + END
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the caller says what is written")]
fn the_page_on_counts_has_every_runner() {
    let path = root().join("docs/counts.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("the table has its place in the page");
    let (_, after) = rest.split_once(END).expect("the table's place has an end");
    let wanted = format!("{before}{}{after}", table());
    if std::env::var_os("WINDLASS_UPDATE_DOCS").is_some() {
        fs::write(&path, &wanted).unwrap();
    } else {
        assert!(
            page == wanted,
            "docs/counts.md is stale: `WINDLASS_UPDATE_DOCS=1 cargo nextest run -p windlass-proof page` writes it"
        );
    }
}
