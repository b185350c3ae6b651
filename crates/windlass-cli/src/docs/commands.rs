//! Every `windlass …` in the pages, in blocks and in sentences, is one that the program takes: the name of
//! the command, its flags and their values.

use std::{fs, path::Path};

use clap::error::ErrorKind;

use crate::args;

/// The pages: all of `docs` and those at the root.
fn pages() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = fs::read_dir(root.join("docs")).unwrap().flatten().map(|entry| entry.path());
    let docs = docs.filter(|path| path.extension().is_some_and(|this| this == "md"));
    let pages = docs.chain(["README.md", "CONTRIBUTING.md"].map(|page| root.join(page)));
    let read = |path: std::path::PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(path).unwrap())
    };
    let mut pages: Vec<_> = pages.map(read).collect();
    pages.sort();
    pages
}

/// A command of a page.
#[derive(Debug, PartialEq)]
struct Named {
    command: String,
    /// Whether it stands in a sentence, where the name of a command is enough.
    in_sentence: bool,
}

/// The commands of a page: lines of its blocks, and what is code in its sentences.
fn named(page: &str) -> Vec<Named> {
    let mut found = Vec::new();
    let commands: Vec<String> =
        args::command().get_subcommands().map(|one| one.get_name().to_owned()).collect();
    // Whether it is one for a shell.
    let mut block = None;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            let is_console =
                line.trim_end().ends_with("console") || line.trim_end().ends_with("sh");
            block = if block.is_some() { None } else { Some(is_console) };
        } else if let Some(is_console) = block {
            let line = line.trim().trim_start_matches("$ ");
            // Other blocks hold sentences, too.
            let is_call = line.strip_prefix("windlass ").is_some_and(|rest| {
                let name = rest.split(' ').next().unwrap_or_default();
                is_console || name.starts_with('-') || commands.iter().any(|one| one == name)
            });
            if is_call {
                let line = line.split(" # ").next().unwrap_or(line);
                // The explanation next to an example.
                let line = line.split("  ").next().unwrap_or(line).trim();
                found.push(Named { command: line.to_owned(), in_sentence: false });
            }
        } else {
            let code = line.split('`').skip(1).step_by(2);
            let code = code.filter(|code| code.starts_with("windlass "));
            found.extend(code.map(|code| Named { command: code.to_owned(), in_sentence: true }));
        }
    }
    found
}

/// The calls of windlass in a line for `sh`.
fn calls(line: &str) -> Vec<Vec<String>> {
    let words = shell_words::split(line).unwrap_or_default();
    let calls = words.split(|word| ["&&", "|", ";", "&", ">", "||"].contains(&word.as_str()));
    let calls = calls.filter(|call| call.first().is_some_and(|word| word == "windlass"));
    calls.map(<[String]>::to_vec).collect()
}

/// What is wrong with a call, if anything.
fn wrong(call: &[String], in_sentence: bool) -> Option<String> {
    let is_general = |word: &str| word == "…" || word == "COMMAND";
    if call.get(1).is_none_or(|word| is_general(word)) {
        return None;
    }
    let filled = call.iter().map(|word| match word.trim_matches(['[', ']']) {
        "N" => "1".to_owned(),
        word => word.to_owned(),
    });
    let error = args::command().try_get_matches_from(filled).err()?;
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => None,
        // Not everything that it needs.
        ErrorKind::MissingRequiredArgument | ErrorKind::InvalidValue if in_sentence => None,
        _ => Some(error.to_string()),
    }
}

#[test]
fn every_command_of_the_pages_is_one_that_windlass_takes() {
    let mut count = 0;
    let mut complaints = Vec::new();
    for (page, text) in pages() {
        for Named { command, in_sentence } in named(&text) {
            let calls = calls(&command);
            count += calls.len();
            if calls.is_empty() {
                complaints.push(format!("{page}: `{command}` is no command for `sh`"));
            }
            let wrong = calls.iter().filter_map(|call| wrong(call, in_sentence));
            complaints.extend(wrong.map(|wrong| format!("{page}: `{command}`: {wrong}")));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(count > 150, "the reader of the pages finds too little: {count}");
}

#[test]
fn a_flag_that_is_not_there_is_found() {
    let page = "It is `windlass show --colour`.\n```console\n$ windlass rollback mine && windlass lst\n```\n";
    let wrong = named(page).into_iter().flat_map(|Named { command, in_sentence }| {
        calls(&command).into_iter().filter_map(move |call| wrong(&call, in_sentence))
    });
    let wrong: Vec<String> =
        wrong.map(|wrong| wrong.lines().next().unwrap_or_default().to_owned()).collect();
    assert_eq!(
        wrong,
        ["error: unexpected argument '--colour' found", "error: unrecognized subcommand 'lst'",]
    );
}
