//! What prompts, tasks and findings ask for.

use super::*;
use crate::evidence::{FileChange, FileMark};

/// Paths that prose could be at, and the letters that stand for them below.
const PATHS: [(&str, char); 6] = [
    ("README.md", 'r'),
    ("docs/guide.md", 'g'),
    ("CHANGELOG.md", 'c'),
    ("essay.txt", 'e'),
    ("NOTES.md", 'n'),
    ("PLAN.md", 'p'),
];

/// All prose but notes and logs.
const ALL: &str = "rgce";

fn wanted(words: &str) -> String {
    let asked = WantedProse::by(words);
    PATHS.iter().filter(|(path, _)| asked.wants(path)).map(|(_, letter)| letter).collect()
}

#[track_caller]
fn table(rows: &[(&str, &str)]) {
    let wrong: Vec<_> = rows
        .iter()
        .map(|(words, expected)| (words, *expected, wanted(words)))
        .filter(|(_, expected, is)| expected != is)
        .collect();
    assert!(wrong.is_empty(), "prompt, expected, is: {wrong:#?}");
}

#[test]
fn tasks_of_prose_ask_for_it() {
    table(&[
        ("Write documentation for the parser.", ALL),
        ("Add --jobs, and update the docs.", ALL),
        ("Fix the bug, add a test and improve the documentation", ALL),
        ("Update tests and docs", ALL),
        ("Please translate the user guide into German.", ALL),
        ("Your task is to write a tutorial about loops", ALL),
        ("I want you to write an essay on sleep.", ALL),
        ("Write a short story about a dragon", ALL),
        ("Draft a blog post on the release", ALL),
        ("Write a report on how the cache behaves.", ALL),
        ("Write a report to report.md", ALL),
        ("The documentation is outdated.", ALL),
        ("The docs must be updated as well", ALL),
        ("Keep the docs up to date", ALL),
        ("We need documentation for the API", ALL),
        ("Can you extend the tutorial?", ALL),
        ("Document the public API.", ALL),
        ("Don't forget to update the docs", ALL),
        ("Rework the CLI. You should also update the\ndocumentation.", ALL),
        ("# Tasks\n\n- [ ] fix the parser\n- [ ] Documentation for --jobs\n", ALL),
        ("- [ ] T012 [P] write the user manual", ALL),
        ("Proofread all *.md files", ALL),
        ("Write a specification of the format", ALL),
        ("Write the release notes", ALL),
        ("Do not edit any code; write a guide.", ALL),
        ("Fix the broken links in the docs", ALL),
        ("Mention --jobs in the manual.", ALL),
        ("- Docs\n- fix the parser", ALL),
        ("1. Rename the flag\n2. Docs: describe it", ALL),
        ("write a novel", ALL),
    ]);
}

#[test]
fn a_path_or_name_of_prose_asks_for_it_alone() {
    table(&[
        ("Update the README", "r"),
        ("add a readme", "r"),
        ("Fix the typos in README.md", "r"),
        ("README: mention --jobs", "r"),
        ("README.md:12: the link is dead", "r"),
        ("docs/guide.md says nothing of --jobs: add it", ""),
        ("Describe the format in docs/guide.md", "g"),
        ("Everything in docs/ is to be in English", "g"),
        ("Translate `docs/*.md` to French", "g"),
        ("Improve docs/guide", "g"),
        ("Write an answer to essay.txt", "e"),
        ("Add an entry to the changelog", "c"),
        ("Add a section on loops to the README, and to docs/guide.md.", "rg"),
        ("Explain the flags in the readme", "r"),
        ("Update CHANGELOG.md and README.md.", "rc"),
        ("Only edit docs/guide.md", "g"),
        ("Implement @PLAN.md, then update NOTES.md", "n"),
        ("Keep NOTES.md up to date", "n"),
        ("Read README.md, then write docs/guide.md", "g"),
        ("Edit no file but docs/guide.md", "g"),
    ]);
}

#[test]
fn tasks_that_name_prose_by_the_way_do_not_ask_for_it() {
    for words in [
        "",
        "do all parts",
        "make the tests pass",
        "Fix the bug in the report generator (src/report.rs)",
        "Build a CLI that reads a document and writes a report.",
        "Write a program that writes a report",
        "It should parse the logs and write a report",
        "Build a tool to parse logs and write a summary",
        "Write a report to stdout when all is done",
        "Add a report command",
        "Write a document parser",
        "Add a story component to the page",
        "Update the document model in src/model.rs",
        "Create an article for the shop in the database",
        "Fix the docs build",
        "Add a --docs flag",
        "Fix src/docs.rs and src/readme.py",
        "Follow the style guide",
        "See the documentation for details",
        "Read README.md first",
        "Implement the spec in docs/guide.md",
        "Implement PLAN.md",
        "Do everything in PLAN.md",
        "Complete the tasks in PLAN.md",
        "Add the feature described in docs/guide.md",
        "Make the program match README.md",
        "The format is defined in docs/guide.md",
        "docs/guide.md describes the format. Implement it.",
        "Do not touch README.md",
        "Fix the parser without changing docs/",
        "Never update the docs",
        "No documentation is needed",
        "Don't write documentation.",
        "Rewrite the settings page in React",
        "Write specs for the user model",
        "Add manual tests",
        "Translate this module to Rust",
        "Fix the README parser",
        "Run `make docs` and fix what fails",
        "Add a link to the docs in the header",
        "The docs build fails",
        "Our docs say that it is 3, and it is 4",
        "Fix the bug that the documentation describes",
        "Add tests for the examples that docs/guide.md lists",
        "Add the fields that are listed in README.md",
        "Use the words in the documentation",
        "Update the code to follow the guide",
        "Parse docs/guide.md",
        "Please generate a report class",
        "Make all tests pass. Docs are in docs/, notes in NOTES.md",
        "Add a notes field to the user",
        "The plan: fix the parser",
        "Documentation is at https://example.com/docs/",
        "Fix all TODO comments",
        "Store the story points of each issue",
        "Review and fix the code; report what you did.",
    ] {
        assert_eq!(wanted(words), "", "{words}");
    }
}

#[test]
fn prompts_as_people_write_them() {
    table(&[
        ("Refactor the CLI into modules and make sure that the docs are updated accordingly.", ALL),
        ("Write docs", ALL),
        ("Write unit tests for the report module.", ""),
        (
            "Implement a markdown parser. The specification is in docs/guide.md; follow it exactly.",
            "",
        ),
        ("Port the project from Python 2 to Python 3", ""),
        ("Create a README with installation instructions", "r"),
        ("Create README.md with installation instructions", "r"),
        ("Create a getting started guide for new users", ALL),
        ("Clean up the documentation: it is far too long.", ALL),
        ("Implement user stories 1 to 4", ""),
        ("Please fix issue #12. The issue says: 'the docs page does not load'", ""),
        ("Work through PLAN.md from top to bottom. Tick off what is done in PLAN.md.", "p"),
        (
            "Study PLAN.md and NOTES.md. Pick the most important task, implement it, and update PLAN.md when done. Write what you learned to NOTES.md.",
            "np",
        ),
        ("Add type hints to all functions and document every public function with a docstring", ""),
        ("The manual page of the program is wrong: the flag is -j, not -J", ""),
        ("Translate all pages below docs/ into French", "g"),
        ("Fix the name in the code, the tests, and the documentation", ALL),
        ("Summarise the results in essay.txt", "e"),
        ("Write a poem", ALL),
        ("Write a function that returns a greeting, and print it", ""),
        ("Add a changelog generator", ""),
        ("Bump the version, and add it to CHANGELOG.md", "c"),
        ("Check all links in README.md and repair them", "r"),
        ("Convert the docs from rst to markdown", ALL),
        ("Delete the old guides", ALL),
        ("Build the documentation site with mkdocs", ""),
        ("Set up CI that builds the docs", ""),
        ("Add an endpoint /docs that serves the manual", ""),
        ("Make the report faster", ""),
        ("The summary must show the number of tests", ""),
        ("Add docstrings", ""),
        ("Write a Python script to download articles", ""),
        ("Improve the paper's abstract", ""),
        ("Our README lacks a section on security", "r"),
        ("README.md lacks a section on security", "r"),
        ("Remove all mentions of Foo from the docs", ALL),
        ("Refer to docs/guide.md for the API", ""),
        ("Do what README.md says", ""),
        ("Update all docs except CHANGELOG.md", ALL),
    ]);
}

#[test]
fn notes_are_asked_for_by_their_own_name_only() {
    let asked = WantedProse::by("Write the release notes");
    assert!(asked.wants("RELEASE_NOTES.md") && asked.wants("docs/release-notes-2.md"));
    assert!(!asked.wants("NOTES.md") && !asked.wants("logs/a.md") && !asked.wants("progress.md"));
    assert!(WantedProse::by("Update /home/me/x/docs/guide.md").wants("docs/guide.md"));
    assert!(WantedProse::by("Update guide.md").wants("docs/guide.md"));
    assert!(!WantedProse::by("Update guide.md").wants("docs/a-guide.md"));
    assert!(WantedProse::by("update docs/").wants("crates/x/docs/a.md"));
}

#[test]
fn prose_that_is_asked_for_is_marked() {
    let file = |path: &str, kind| FileMark {
        path: path.to_owned(),
        kind,
        change: FileChange::Content,
        id: None,
        was: None,
        shape: None,
    };
    let mut mark = FilesMark {
        changed: vec![
            file("README.md", FileKind::Prose),
            file("NOTES.md", FileKind::Prose),
            file("src/readme.rs", FileKind::Work),
        ],
        ..FilesMark::default()
    };
    mark.mark_asked(&WantedProse::by("Update the README and src/readme.rs"));
    let kinds: Vec<_> = mark.changed.iter().map(|file| file.kind).collect();
    assert_eq!(kinds, [FileKind::AskedProse, FileKind::Prose, FileKind::Work]);
}

proptest::proptest! {
    #[test]
    fn no_words_are_too_strange(words in "([a-z`'.,:/*#\\[\\] \n-]|docs|update |README|\u{2019}|the |to )*") {
        let _ = WantedProse::by(&words).wants("docs/guide.md");
    }
}
