//! No suggestion is left out: each command that a message of the program names is tried by a test here, or
//! stands in a list with the reason why not.

use testkit::source::{rust_files, text};

use super::NAMES;

/// The files of tests that try what is suggested.
const TRIED: [&str; 3] = ["doctor.rs", "errors.rs", "running.rs"];

/// What is not tried there, and why.
const ELSEWHERE: [(&str, &str); 24] = [
    ("windlass accept", "says who reopened a loop"),
    ("windlass report", "the demo names it: morning/report.rs runs it"),
    ("windlass accept *", "an advice of `why`: morning/suggested.rs runs it"),
    ("windlass diff *", "morning/suggested.rs runs it"),
    ("windlass log * --iteration *", "an advice of `why`: morning/suggested.rs runs it"),
    ("windlass merge *", "of a merge whose worktree is gone: morning/suggested.rs runs the same"),
    ("windlass merge **", "the flag follows the state: morning/suggested.rs runs both"),
    ("windlass pr *", "morning/suggested.rs runs it"),
    ("windlass pr * --loop", "morning/suggested.rs runs it"),
    ("windlass cancel", "says who cancelled"),
    ("windlass demo", "takes a minute: demo.rs runs it"),
    ("windlass iterate -p 'Make the tests pass.' --agent *", "the end of the demo: demo.rs"),
    ("windlass gc", "after a container or a tree did not answer"),
    ("windlass list --all", "needs 50 loops: short_calls.rs runs it"),
    ("windlass watch", "needs a terminal: watch.rs runs it"),
    ("windlass serve", "says who printed an address"),
    ("windlass serve --allow DIR", "a page cannot know which directory is wanted"),
    ("windlass diff", "a cut diff on the dashboard"),
    ("windlass diff * *", "a cut diff in the browser"),
    ("windlass findings", "a cut list in the browser"),
    ("windlass log", "a cut message on the dashboard"),
    ("windlass log --json", "a cut list: left_behind/large.rs"),
    ("windlass show --json", "a cut list: left_behind/large.rs"),
    ("windlass resume", "after a panic: panicking.rs"),
];

/// The commands that messages in a text name, with `*` for what is known only then.
fn named(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    // A literal that goes on in the next line.
    let mut joined = String::new();
    for line in code.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        match line.strip_suffix('\\') {
            Some(line) => joined.push_str(line),
            None => joined.extend([line, "\n"]),
        }
    }
    let mut found = Vec::new();
    for (at, _) in joined.match_indices("windlass ") {
        let (before, rest) = joined.split_at(at);
        let begins = before.ends_with('`') || before.ends_with('"') || before.ends_with(": ");
        let command = rest.split(['`', '"', '\n']).next().unwrap_or_default();
        let is_name = command.split(' ').nth(1).is_some_and(|name| NAMES.contains(name));
        // What a command is compared with, and the usage line of one.
        let is_other =
            before.ends_with("starts_with(\"") || before.ends_with("override_usage = \"");
        if begins && is_name && !is_other {
            found.push(skeleton(command.trim()));
        }
    }
    found
}

/// A command with `*` in place of what is filled in.
fn skeleton(command: &str) -> String {
    let mut parts = command.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    rest.fold(first, |whole, part| format!("{whole}*{part}"))
}

#[test]
fn every_command_that_a_message_names_is_tried() {
    let is_message = |path: &str| {
        !path.contains("/tests") && !path.contains("/samples") && !path.contains("/docs")
    };
    let crates = ["windlass-cli", "windlass", "windlass-system", "windlass-repo", "windlass-store"];
    let sources = crates.iter().flat_map(|name| rust_files(&format!("crates/{name}/src")));
    let sources = sources.filter(|source| is_message(&source.path));
    let named: Vec<_> = sources
        .flat_map(|source| {
            named(&source.text).into_iter().map(move |one| (one, source.path.clone()))
        })
        .collect();
    assert!(named.len() > 80, "the reader of the sources finds too little: {}", named.len());
    let tests = TRIED.map(|file| text(&format!("crates/windlass-cli/tests/it/suggesting/{file}")));
    let is_tried =
        |command: &str| tests.iter().any(|test| test.contains(&format!("\"{command}\"")));
    let is_elsewhere = |command: &str| ELSEWHERE.iter().any(|(one, _)| *one == command);
    let missing: Vec<String> = named
        .iter()
        .filter(|(command, _)| !is_tried(command) && !is_elsewhere(command))
        .map(|(command, path)| format!("{path}: {command}"))
        .collect();
    assert!(missing.is_empty(), "no test tries these:\n{}", missing.join("\n"));
    let is_named = |command: &str| named.iter().any(|(one, _)| one == command);
    let gone: Vec<_> = ELSEWHERE.iter().filter(|(command, _)| !is_named(command)).collect();
    assert!(gone.is_empty(), "nothing names these any more: {gone:?}");
}

#[test]
fn commands_of_literals_are_read_as_they_are_printed() {
    let source = "\
        /// A comment: `windlass list`\n\
        let hint = format!(\"`windlass why {name}` tells more; `windlass merge {name} \\\n    \
        --any-ending` takes it\");\n\
        if command.starts_with(\"windlass diff \") {}\n\
        let prose = \"windlass is well\";\n";
    assert_eq!(named(source), ["windlass why *", "windlass merge * --any-ending"]);
}
