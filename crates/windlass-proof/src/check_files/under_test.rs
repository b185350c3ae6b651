//! Whether a script that a check runs is the program under test and not the check, as far as the check's other
//! commands tell. One whose name says that it checks is the check, and so is one that alone decides.

use super::{Operand, SHELLS, operand, unwrapped};
use crate::{shell::Simple, test_names::is_test};

/// Words in the names of scripts that check something.
const CHECKS: [&str; 16] = [
    "test",
    "tests",
    "testing",
    "check",
    "checks",
    "verify",
    "verification",
    "validate",
    "ci",
    "lint",
    "spec",
    "specs",
    "e2e",
    "smoke",
    "qa",
    "unittest",
];

/// Programs that look at what others leave behind.
const JUDGES: [&str; 17] = [
    "test",
    "[",
    "[[",
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "diff",
    "cmp",
    "comm",
    "jq",
    "awk",
    "wc",
    "sha256sum",
    "md5sum",
    "cksum",
    "xmllint",
];

/// Programs that make a program, and those that do if they are told to.
const COMPILERS: [&str; 7] = ["cc", "gcc", "g++", "c++", "clang", "clang++", "rustc"];
const BUILDERS: [&str; 5] = ["make", "cmake", "ninja", "go", "cargo"];

/// Words in the names of scripts that make a program.
const BUILDS: [&str; 2] = ["build", "compile"];

/// Arguments by which a program tells of itself.
const OF_ITSELF: [&str; 6] = ["--self-test", "--selftest", "--version", "-V", "--help", "-h"];

/// Where no program under test prints into: prose, sources, and their folders.
const PROSE: [&str; 4] = [".md", ".rst", ".adoc", "LICENSE"];
const SOURCES: [&str; 16] = [
    ".rs", ".py", ".js", ".ts", ".go", ".c", ".h", ".cpp", ".java", ".rb", ".php", ".sh", ".toml",
    ".json", ".yml", ".yaml",
];
const FOLDERS: [&str; 5] = ["src", "lib", "docs", "tests", "."];

/// Whether the script that the command runs is the program that the check is about.
pub(super) fn is_under_test(commands: &[Simple], at: usize) -> bool {
    let call = Call::of(&commands[at]);
    let Some(call) = call.filter(|call| !call.says_check()) else { return false };
    let (before, after) = (&commands[..at], &commands[at + 1..]);
    let is_again = |other: &Simple| Call::of(other).is_some_and(|it| it.script == call.script);
    call.asks_of_itself()
        || (at + 1..commands.len()).any(|later| judges(commands, later))
        || before.iter().chain(after).any(is_again)
        || has_word(call.script, &BUILDS) && after.iter().any(|other| Call::of(other).is_some())
        || call.is_program() && before.iter().any(builds)
}

/// A script that a command runs: the one that a shell is given, or a program by its path.
struct Call<'a> {
    script: &'a str,
    /// The words before it, if a shell runs it.
    options: &'a [String],
    arguments: &'a [String],
}

impl<'a> Call<'a> {
    fn of(command: &'a Simple) -> Option<Self> {
        let words = unwrapped(&command.words);
        let (program, rest) = words.split_first()?;
        let name = program.rsplit('/').next().unwrap_or(program);
        if !SHELLS.contains(&name) {
            let by_path = program.contains('/');
            return by_path.then_some(Self { script: program, options: &[], arguments: rest });
        }
        let Some(Operand::File(script)) = operand(rest) else { return None };
        let place = rest.iter().position(|word| word == script)?;
        Some(Self { script, options: &rest[..place], arguments: &rest[place + 1..] })
    }

    /// Whether its name, its folder's, or what it is told to do says that it checks something.
    fn says_check(&self) -> bool {
        let is_task = |word: &&String| !word.contains(['/', '.']) && !word.starts_with('-');
        is_test(self.script)
            || has_word(self.script, &CHECKS)
            || self.arguments.iter().filter(is_task).any(|word| has_word(word, &CHECKS))
    }

    /// Whether it tells of itself, or is only read.
    fn asks_of_itself(&self) -> bool {
        let is_read = |option: &String| !option.starts_with("--") && option.contains('n');
        self.arguments.iter().any(|argument| OF_ITSELF.contains(&argument.as_str()))
            || self.options.iter().any(|option| option.starts_with('-') && is_read(option))
    }

    /// Whether it has no ending, as programs have that are built.
    fn is_program(&self) -> bool {
        !self.script.rsplit('/').next().unwrap_or(self.script).contains('.')
    }
}

fn has_word(script: &str, words: &[&str]) -> bool {
    let lower = script.to_lowercase();
    lower.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| words.contains(&word))
}

/// Whether a command looks at what one before it left: not at prose or source files, which nothing prints into.
fn judges(commands: &[Simple], at: usize) -> bool {
    let command = &commands[at];
    let Some((program, arguments)) = unwrapped(&command.words).split_first() else { return false };
    let name = program.rsplit('/').next().unwrap_or(program);
    if !JUDGES.contains(&name) {
        return false;
    }
    let has_pattern = name.ends_with("grep") || matches!(name, "rg" | "jq" | "awk");
    let operands = arguments.iter().filter(|argument| !argument.starts_with('-'));
    let files = operands.skip(usize::from(has_pattern)).chain(&command.inputs);
    let files: Vec<&String> = files.filter(|it| !["]", "]]", "!"].contains(&it.as_str())).collect();
    let piped = at.checked_sub(1).map(|before| &commands[before]).filter(|it| !it.decides);
    match (files.as_slice(), piped) {
        ([], Some(source)) => !source.words.iter().skip(1).any(|word| is_of_the_work(word)),
        (files, _) => files.is_empty() || !files.iter().all(|file| is_of_the_work(file)),
    }
}

/// Whether a path is that of prose or of source code.
fn is_of_the_work(path: &str) -> bool {
    let folder = path.trim_start_matches("./").split('/').next().unwrap_or_default();
    PROSE.iter().chain(&SOURCES).any(|ending| path.ends_with(ending))
        || path.starts_with("README")
        || FOLDERS.contains(&folder)
}

/// Whether a command makes a program.
fn builds(command: &Simple) -> bool {
    let words = unwrapped(&command.words);
    let Some((program, arguments)) = words.split_first() else { return false };
    let is_told = || {
        let goals = arguments.iter().filter(|argument| !argument.starts_with("-j"));
        let is_build = |goal: &String| matches!(goal.as_str(), "all" | "build" | "--build");
        goals.clone().any(is_build) || program == "make" && goals.clone().next().is_none()
    };
    COMPILERS.contains(&program.as_str())
        || BUILDERS.contains(&program.as_str()) && is_told()
        || Call::of(command).is_some_and(|call| has_word(call.script, &BUILDS))
}
