//! Which files decide whether a check passes, and so are not the agent's to change: scripts that
//! *are* the check, and tests. A source file that a check merely names is what the work is about, and so is a
//! script whose output the check looks at.

mod under_test;

use std::{
    collections::BTreeSet,
    path::{Component, Path, PathBuf},
};

use crate::{
    shell::{self, Simple, is_assignment},
    test_names::is_test,
};

/// Files that checks depend on, as far as their commands tell; whether there are such files is for
/// others to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckFiles {
    /// Scripts that a shell or a build tool is given, and tests.
    pub files: BTreeSet<String>,
    /// Programs that are run by their path: they count if they are scripts.
    pub programs: BTreeSet<String>,
}

/// Shells, which run the first file that they are given.
const SHELLS: [&str; 10] =
    ["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "source", "."];

/// Build tools that take a file of rules.
const BUILDERS: [&str; 5] = ["make", "gmake", "ninja", "just", "rake"];

/// How such a file is named.
const RULES: [&str; 5] = ["-f", "--file", "--makefile", "--justfile", "--rakefile"];

/// Programs that run the one that follows them.
const WRAPPERS: [&str; 14] = [
    "env", "timeout", "nice", "ionice", "nohup", "time", "exec", "command", "builtin", "setsid",
    "stdbuf", "xvfb-run", "sudo", "doas",
];

/// Endings of scripts that are run by their path; with any other it is a source file.
const SCRIPTS: [&str; 8] = ["sh", "bash", "zsh", "ksh", "dash", "fish", "bats", "command"];

/// How deep a shell in a shell is looked at.
const DEEPEST: usize = 4;

/// The files that the commands of checks depend on.
pub fn check_files(checks: &[String]) -> CheckFiles {
    let mut found = CheckFiles::default();
    for check in checks {
        found.read(check, Path::new(""), DEEPEST);
    }
    found
}

impl CheckFiles {
    fn read(&mut self, line: &str, directory: &Path, depth: usize) {
        let mut directory = directory.to_owned();
        let commands = shell::commands(line);
        for (at, command) in commands.iter().enumerate() {
            if let [program, to] = command.words.as_slice()
                && program == "cd"
            {
                directory.push(to);
                continue;
            }
            self.take_tests(command, &directory);
            if command.decides && !under_test::is_under_test(&commands, at) {
                self.take_script(unwrapped(&command.words), &directory, depth);
            }
        }
        // What prints into a word or a pipe is looked at; a test is one wherever it runs.
        for inner in shell::substitutions(line) {
            shell::commands(&inner).iter().for_each(|command| self.take_tests(command, &directory));
        }
    }

    fn take_tests(&mut self, command: &Simple, directory: &Path) {
        for word in command.words.iter().chain(&command.inputs) {
            // What follows is the name of one test in it.
            let word = word.split("::").next().unwrap_or_default();
            if let Some(path) = inside(directory, word).filter(|path| is_test(path)) {
                self.files.insert(path);
            }
        }
    }

    fn take_script(&mut self, words: &[String], directory: &Path, depth: usize) {
        let Some((program, arguments)) = words.split_first() else { return };
        let name = program.rsplit('/').next().unwrap_or(program);
        if SHELLS.contains(&name) {
            match operand(arguments) {
                Some(Operand::Line(line)) if depth > 0 => self.read(line, directory, depth - 1),
                Some(Operand::File(file)) => self.files.extend(inside(directory, file)),
                _ => (),
            }
        } else if BUILDERS.contains(&name) {
            let rules = rules(arguments).and_then(|file| inside(directory, file));
            self.files.extend(rules);
        }
        if program.contains('/') && !is_source(program) {
            self.programs.extend(inside(directory, program));
        }
    }
}

/// What a shell is given to run.
enum Operand<'a> {
    File(&'a str),
    Line(&'a str),
}

/// The script that a shell is given, as a file or in a word.
fn operand(arguments: &[String]) -> Option<Operand<'_>> {
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let is_option = argument.len() > 1 && argument.starts_with(['-', '+']);
        let is_short = is_option && !argument.starts_with("--");
        if is_short && argument.contains('c') {
            return arguments.next().map(|line| Operand::Line(line));
        }
        if is_short && argument.ends_with('o') {
            arguments.next();
        } else if !is_option {
            return Some(Operand::File(argument));
        }
    }
    None
}

/// The command that wrappers such as `timeout 60` run.
pub(crate) fn unwrapped(words: &[String]) -> &[String] {
    let mut words = words;
    while let Some((program, rest)) = words.split_first()
        && WRAPPERS.contains(&program.as_str())
    {
        let is_timeout = program == "timeout";
        let mut at = 0;
        while let Some(word) = rest.get(at) {
            let takes_next = matches!(word.as_str(), "-n" | "-u" | "-k" | "-s" | "-c");
            let is_passed = word.starts_with('-') || is_assignment(word);
            match is_passed {
                true => at += 1 + usize::from(takes_next),
                false => break,
            }
        }
        words = rest.get(at + usize::from(is_timeout)..).unwrap_or_default();
    }
    words
}

/// The file of rules that a build tool is given.
fn rules(arguments: &[String]) -> Option<&str> {
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        for flag in RULES {
            match argument.strip_prefix(flag) {
                Some("") => return arguments.next().map(String::as_str),
                Some(rest) if rest.starts_with('=') => return Some(&rest[1..]),
                Some(rest) if flag == "-f" => return Some(rest),
                _ => (),
            }
        }
    }
    None
}

/// Whether a program by its name is a source file in a language that programs are written in.
fn is_source(program: &str) -> bool {
    let ending = Path::new(program).extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| !SCRIPTS.contains(&ending))
}

/// A path as it is below the work tree, if it is.
fn inside(directory: &Path, word: &str) -> Option<String> {
    let mut path = PathBuf::new();
    for part in directory.join(word).components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => (),
            Component::ParentDir => return None,
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    path.to_str().filter(|path| !path.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests;
