//! Files that decide how tests run because something guarded names them: a script of package.json, a recipe,
//! a script that is a check, or the configuration of a runner (`setupFiles`, `--require`, `--config`).

use std::collections::BTreeSet;

use super::{Guard, delegated::delegated, keys, keys::Kind};
use crate::{
    check_files::{check_files, unwrapped},
    globs::globs,
    shell,
};

/// Options of programs, and keys of configuration, whose value is a file that is loaded before tests.
const FLAGS: [&str; 13] = [
    "--require",
    "-r",
    "--import",
    "--loader",
    "--experimental-loader",
    "--preload",
    "--config",
    "-c",
    "--env-file",
    "--globalSetup",
    "--setupFilesAfterEnv",
    "--file",
    "--reporter",
];
const KEYS: [&str; 18] = [
    "setupFiles",
    "setupFilesAfterEnv",
    "globalSetup",
    "globalTeardown",
    "setupFile",
    "supportFile",
    "testEnvironment",
    "environment",
    "runner",
    "testRunner",
    "resolver",
    "transform",
    "preset",
    "snapshotSerializers",
    "testSequencer",
    "reporters",
    "require",
    "extends",
];

/// Interpreters, and directories whose files are tools when one of these runs them.
const INTERPRETERS: [&str; 9] =
    ["node", "tsx", "ts-node", "deno", "bun", "python", "python3", "ruby", "php"];
const TOOLS: [&str; 8] = ["scripts", "script", "tools", "tool", "ci", ".ci", "hack", "build"];

/// Scripts of package.json with names that begin like this are followed, and those that a check names.
const TESTS: [&str; 8] = ["test", "pretest", "posttest", "check", "ci", "verify", "unit", "e2e"];

/// Endings that a module is found by.
const ENDINGS: [&str; 10] =
    ["", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".json", "/index.js", "/index.ts"];

impl Guard {
    /// The files among `files` that a guarded file names and that decide how tests run, and those that it
    /// says are tests.
    pub fn named_by(&self, path: &str, text: &str, files: &BTreeSet<&str>) -> BTreeSet<String> {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let mut words = Vec::new();
        let mut tests = of_keys(text, &["testMatch"]);
        if !text.contains("coverage") {
            tests.extend(of_keys(text, &["include"]));
        }
        if name == "package.json" {
            for line in self.package_scripts(text) {
                words.extend(of_recipe(&line));
                tests.extend(shell::commands(&line).into_iter().flat_map(|it| it.words));
            }
            words.extend(of_keys(text, &KEYS));
        } else if let Some((kind, goals)) = self.rules(path) {
            for recipe in keys::recipes(kind, text, &goals) {
                words.extend(of_recipe(&recipe));
            }
        } else if matches!(ending, "sh" | "bash" | "zsh") || text.starts_with("#!") {
            words.extend(of_recipe(text));
        } else if matches!(ending, "yml" | "yaml" | "opts") || name == ".mocharc" {
            let between = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '[' | ']');
            words.extend(text.split(between).map(ToOwned::to_owned));
        } else {
            words.extend(of_keys(text, &KEYS));
        }
        let found = words.iter().filter_map(|word| resolved(directory, word, files));
        let tests = tests.iter().flat_map(|glob| matching(directory, glob, files));
        found.chain(tests).filter(|found| found != path).collect()
    }

    fn rules(&self, path: &str) -> Option<(Kind, Vec<String>)> {
        match self.shared(path)?.0 {
            super::Class::Shared { kind: kind @ (Kind::Make | Kind::Just), keys }
                if !keys.iter().any(|goal| goal == "*") =>
            {
                Some((kind, keys))
            }
            _ => None,
        }
    }

    /// The lines of a package's scripts that checks lead to.
    fn package_scripts(&self, text: &str) -> Vec<String> {
        let package: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
        let Some(scripts) = package.get("scripts").and_then(|it| it.as_object()) else {
            return Vec::new();
        };
        let mut open: Vec<&str> = scripts.keys().map(String::as_str).collect();
        open.retain(|name| {
            let is_called = |word: &String| word == name;
            TESTS.iter().any(|test| name.starts_with(test)) || self.words().any(is_called)
        });
        let (mut seen, mut lines) = (BTreeSet::new(), Vec::new());
        while let Some(name) = open.pop() {
            let line = scripts.get(name).and_then(|line| line.as_str()).unwrap_or_default();
            if seen.insert(name) {
                lines.push(line.to_owned());
                let words = line.split(|c: char| c.is_whitespace() || "'\";&|".contains(c));
                open.extend(words.filter_map(|word| Some(scripts.get_key_value(word)?.0.as_str())));
            }
        }
        lines
    }
}

/// The files that a recipe, or a script, names: those that are checks, and those that a program is given
/// to load.
fn of_recipe(recipe: &str) -> Vec<String> {
    let mut words = Vec::new();
    for command in delegated(recipe) {
        let named = check_files(&[command.join(" ")]);
        words.extend(named.files);
        let is_script =
            |it: &String| it.ends_with("sh") || !it.rsplit('/').any(|it| it.contains('.'));
        words.extend(named.programs.into_iter().filter(is_script));
        words.extend(tool(&command));
    }
    for command in shell::commands(recipe) {
        words.extend(loaded(unwrapped(&command.words)));
    }
    words
}

/// The files that options of a program have it load.
fn loaded(command: &[String]) -> Vec<String> {
    let mut words = Vec::new();
    for (at, word) in command.iter().enumerate() {
        match word.split_once('=') {
            Some((flag, file)) if FLAGS.contains(&flag) => words.push(file.to_owned()),
            _ if FLAGS.contains(&word.as_str()) => words.extend(command.get(at + 1).cloned()),
            _ => (),
        }
    }
    words
}

/// The file that an interpreter runs, if it is where tools are.
fn tool(command: &[String]) -> Option<String> {
    let (program, arguments) = command.split_first()?;
    let is_tool = |word: &&String| {
        let inner = word.trim_start_matches("./").split_once('/');
        inner.is_some_and(|(directory, _)| TOOLS.contains(&directory))
    };
    arguments.iter().find(is_tool).filter(|_| INTERPRETERS.contains(&program.as_str())).cloned()
}

/// The strings in the values of some keys, wherever these stand.
fn of_keys(text: &str, keys: &[&str]) -> Vec<String> {
    let mut words = Vec::new();
    for key in keys {
        for (at, _) in text.match_indices(*key) {
            let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            let rest = &text[at + key.len()..];
            if is_part(text[..at].chars().next_back()) || is_part(rest.chars().next()) {
                continue;
            }
            let rest = rest.trim_start_matches(['"', '\'']).trim_start();
            if let Some(value) = rest.strip_prefix([':', '=']) {
                words.extend(strings(value));
            }
        }
    }
    words
}

/// The strings of a value, which is one or a list or an object of them.
fn strings(value: &str) -> Vec<String> {
    let (mut words, mut depth) = (Vec::new(), 0_i32);
    let mut rest = value.trim_start();
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '"' | '\'' | '`' => {
                let end = rest.find(c).unwrap_or(rest.len());
                words.push(rest[..end].to_owned());
                rest = rest.get(end + 1..).unwrap_or_default();
            }
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth -= 1,
            ',' | ';' if depth == 0 => break,
            _ => (),
        }
        if depth < 0 {
            break;
        }
    }
    words
}

/// The file of the tree that a word means, from where it is named or from the root.
fn resolved(directory: &str, word: &str, files: &BTreeSet<&str>) -> Option<String> {
    let word = word.strip_prefix("<rootDir>").unwrap_or(word);
    let word = word.trim_start_matches('/');
    if word.is_empty() || word.len() > 512 || word == "." {
        return None;
    }
    [directory, ""].into_iter().find_map(|directory| {
        let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
        for part in word.split('/') {
            match part {
                "" | "." => (),
                ".." => drop(parts.pop()?),
                part => parts.push(part),
            }
        }
        let path = parts.join("/");
        ENDINGS
            .iter()
            .map(|ending| format!("{path}{ending}"))
            .find(|path| files.contains(path.as_str()))
    })
}

/// The files that a pattern for tests means, if it says more than their ending.
fn matching(directory: &str, glob: &str, files: &BTreeSet<&str>) -> Vec<String> {
    let glob = glob.strip_prefix("<rootDir>/").unwrap_or(glob).trim_start_matches("./");
    let name = glob.rsplit('/').next().unwrap_or_default();
    // `*.unit.ts`, `*_check.js`
    let is_telling = name.strip_prefix('*').and_then(|rest| rest.split_once('.')).is_some_and(
        |(first, rest)| first.starts_with(['-', '_']) || first.is_empty() && rest.contains('.'),
    );
    if !is_telling || name == "*.d.ts" {
        return Vec::new();
    }
    let from = if directory.is_empty() { String::new() } else { format!("{directory}/") };
    let Ok(glob) = globs(&[format!("{from}{glob}")]) else { return Vec::new() };
    files.iter().filter(|path| glob.is_match(path)).map(|path| (*path).to_owned()).collect()
}
