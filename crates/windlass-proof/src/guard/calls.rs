//! What a command line has make or just do, and where.

use std::path::PathBuf;

use crate::{check_files::unwrapped, shell};

/// A build tool that reads a file of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builder {
    Make,
    Just,
}

/// One call of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    /// Where its file is looked for, from where the line is run.
    pub directory: PathBuf,
    /// What it is to make; `""` is what it makes by default.
    pub goals: Vec<String>,
}

/// Options that take the next word.
const MAKE_TAKES: [&str; 14] = [
    "-f",
    "--file",
    "--makefile",
    "-I",
    "--include-dir",
    "-o",
    "--old-file",
    "-W",
    "--what-if",
    "--new-file",
    "-l",
    "-E",
    "--eval",
    "--debug",
];
const JUST_TAKES: [&str; 9] = [
    "-f",
    "--justfile",
    "--dotenv-filename",
    "--dotenv-path",
    "-E",
    "--shell",
    "--shell-arg",
    "--color",
    "--chooser",
];

/// How deep a shell in a shell is looked at.
const DEEPEST: usize = 4;

impl Builder {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Make => "make",
            Self::Just => "just",
        }
    }

    fn is(self, program: &str) -> bool {
        let name = program.rsplit('/').next().unwrap_or(program);
        match self {
            Self::Make => matches!(name, "make" | "gmake"),
            Self::Just => name == "just",
        }
    }

    fn call(self, arguments: &[String], mut directory: PathBuf) -> Call {
        let (takes, enters): (&[&str], [&str; 2]) = match self {
            Self::Make => (&MAKE_TAKES, ["-C", "--directory"]),
            Self::Just => (&JUST_TAKES, ["-d", "--working-directory"]),
        };
        let mut goals = Vec::new();
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let entered = enters.iter().find_map(|enter| match word.strip_prefix(enter)? {
                "" => words.next().map(String::as_str),
                rest => Some(rest.strip_prefix('=').unwrap_or(rest)),
            });
            match entered {
                Some(entered) => directory.push(entered),
                None if takes.contains(&word.as_str()) => drop(words.next()),
                None if word == "--set" => drop(words.nth(1)),
                None if word == "-j" => {
                    let is_number = |word: &&String| word.chars().all(|c| c.is_ascii_digit());
                    if words.clone().next().filter(is_number).is_some() {
                        words.next();
                    }
                }
                None if word.starts_with('-') || shell::is_assignment(word) => (),
                None => goals.push(word.strip_prefix("./").unwrap_or(word).to_owned()),
            }
        }
        if goals.is_empty() {
            goals.push(String::new());
        }
        Call { directory, goals }
    }
}

/// The calls in a line of the shell.
pub(super) fn calls(line: &str, builder: Builder) -> Vec<Call> {
    let mut found = Vec::new();
    collect(line, builder, PathBuf::new(), DEEPEST, &mut found);
    found
}

fn collect(
    line: &str,
    builder: Builder,
    mut directory: PathBuf,
    depth: usize,
    found: &mut Vec<Call>,
) {
    for command in shell::commands(line) {
        let Some((program, arguments)) = unwrapped(&command.words).split_first() else { continue };
        let inner = arguments.iter().skip_while(|word| *word != "-c").nth(1);
        match (program.as_str(), inner) {
            ("cd", _) => directory.extend(arguments.first()),
            ("sh" | "bash" | "dash" | "zsh", Some(line)) if depth > 0 => {
                collect(line, builder, directory.clone(), depth - 1, found);
            }
            (program, _) if builder.is(program) => {
                found.push(builder.call(arguments, directory.clone()));
            }
            _ => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_and_directories_are_read_from_a_line() {
        let read = |line: &str| -> Vec<String> {
            let calls = calls(line, Builder::Make).into_iter();
            calls.map(|it| format!("{}|{}", it.directory.display(), it.goals.join(" "))).collect()
        };
        for (line, expected) in [
            ("make", vec!["|"]),
            ("make test lint", vec!["|test lint"]),
            ("A=1 timeout 60 make -j 4 -k V=1 test", vec!["|test"]),
            ("make -C sub check && make -Cother", vec!["sub|check", "other|"]),
            ("cd a && gmake --directory=b all; ls", vec!["a/b|all"]),
            ("sh -c 'make x | cat'", vec!["|x"]),
            ("make -f other.mk -j8 x", vec!["|x"]),
            ("cargo test make", vec![]),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
        let just = calls("just --set a b -d sub test", Builder::Just);
        assert_eq!(just, [Call { directory: "sub".into(), goals: vec!["test".to_owned()] }]);
    }
}
