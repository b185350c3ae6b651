//! Which files decide whether a check passes, and so are not the agent's to change: scripts that
//! *are* the check, and tests. A source file that a check merely names is what the work is about.

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
        for command in shell::commands(line) {
            if let [program, to] = command.words.as_slice()
                && program == "cd"
            {
                directory.push(to);
                continue;
            }
            self.take_tests(&command, &directory);
            if command.decides {
                self.take_script(unwrapped(&command.words), &directory, depth);
            }
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
            self.take_operand(arguments, directory, depth);
        } else if BUILDERS.contains(&name) {
            let rules = rules(arguments).and_then(|file| inside(directory, file));
            self.files.extend(rules);
        }
        if program.contains('/') && !is_source(program) {
            self.programs.extend(inside(directory, program));
        }
    }

    /// The script that a shell is given, as a file or in a word.
    fn take_operand(&mut self, arguments: &[String], directory: &Path, depth: usize) {
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let is_option = argument.len() > 1 && argument.starts_with(['-', '+']);
            let is_short = is_option && !argument.starts_with("--");
            if is_short && argument.contains('c') {
                if let Some(line) = arguments.next().filter(|_| depth > 0) {
                    self.read(line, directory, depth - 1);
                }
                return;
            }
            if is_short && argument.ends_with('o') {
                arguments.next();
            } else if !is_option {
                self.files.extend(inside(directory, argument));
                return;
            }
        }
    }
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
mod tests {
    use super::*;

    /// Checks, and the files that they depend on; programs have a star.
    const CHECKS: &[(&str, &[&str])] = &[
        // Scripts that are the check.
        ("sh check.sh", &["check.sh"]),
        ("sh ./run.sh", &["run.sh"]),
        ("bash -eux run.sh arg", &["run.sh"]),
        ("bash -o pipefail run.sh", &["run.sh"]),
        ("/bin/sh run.sh", &["run.sh"]),
        (". ./run.sh", &["run.sh"]),
        ("./test.sh", &["test.sh", "*test.sh"]),
        ("./run", &["*run"]),
        ("ci/run.sh --all", &["*ci/run.sh"]),
        ("./gradlew test", &["*gradlew"]),
        ("make -f x.mk", &["x.mk"]),
        ("make -fx.mk all", &["x.mk"]),
        ("make --file=x.mk", &["x.mk"]),
        ("just --justfile ci.just t", &["ci.just"]),
        ("env A=1 timeout -k 5 60 nice -n 5 sh run.sh", &["run.sh"]),
        ("A=1 sh run.sh", &["run.sh"]),
        ("sh -c 'sh run.sh && ./other'", &["run.sh", "*other"]),
        ("bash -lc \"./run --fast\"", &["*run"]),
        ("cd ci && sh run.sh", &["ci/run.sh"]),
        ("(cd ci; ./run)", &["*ci/run"]),
        ("cat a | sh run.sh", &["run.sh"]),
        ("! sh run.sh", &["run.sh"]),
        ("if sh run.sh; then true; fi", &["run.sh"]),
        // Tests.
        ("pytest tests/test_a.py", &["tests/test_a.py"]),
        ("pytest tests/test_a.py::test_one -q", &["tests/test_a.py"]),
        ("python3 -m unittest test_calc.py", &["test_calc.py"]),
        ("python3 check.py", &["check.py"]),
        ("python3 verify_output.py", &["verify_output.py"]),
        ("node --test calc.test.js", &["calc.test.js"]),
        ("npx jest src/calc.spec.ts", &["src/calc.spec.ts"]),
        ("go test ./calc_test.go", &["calc_test.go"]),
        ("ruby spec/calc_spec.rb", &["spec/calc_spec.rb"]),
        ("javac src/CalcTest.java", &["src/CalcTest.java"]),
        ("bats all.bats", &["all.bats"]),
        ("./test.sh | tee log", &["test.sh"]),
        ("diff out tests/expected.txt", &["tests/expected.txt"]),
        ("python3 main.py < tests/input", &["tests/input"]),
        ("./run_tests.py", &["run_tests.py"]),
        // Source files, and whatever else is merely named.
        ("python3 main.py", &[]),
        ("python3 -m py_compile calc.py", &[]),
        ("grep -q Usage README.md", &[]),
        ("grep -q done test_plan.md", &[]),
        ("node index.js", &[]),
        ("./main.py", &[]),
        ("ruby -c lib/calc.rb", &[]),
        ("gcc -o calc calc.c && ./calc", &["*calc"]),
        ("sh greet.sh | grep -q hello", &[]),
        ("test \"$(sh greet.sh)\" = hello", &[]),
        ("test -f out.txt", &[]),
        ("rustc --edition 2024 src/main.rs", &[]),
        ("cargo test", &[]),
        ("make test", &[]),
        ("npm test > log.sh", &[]),
        ("python3 spell_check.py", &[]),
        ("python3 latest.py contest.py", &[]),
        ("cat openapi.spec.yaml", &[]),
        ("python3 main.py # sh run.sh", &[]),
        // Out of the tree.
        ("sh ../x.sh; sh /etc/x.sh; /usr/bin/x; sh a/../../x.sh", &[]),
        ("cd .. && sh tests/x.sh", &[]),
        ("cd /srv && sh x.sh", &[]),
        ("sh", &[]),
        ("", &[]),
    ];

    #[test]
    fn only_scripts_that_are_the_check_and_tests_are_not_the_agents_to_change() {
        let mut wrong = Vec::new();
        for (check, expected) in CHECKS {
            let found = check_files(&[(*check).to_owned()]);
            let programs = found.programs.iter().map(|program| format!("*{program}"));
            let found: Vec<String> = found.files.iter().cloned().chain(programs).collect();
            if found != *expected {
                wrong.push(format!("`{check}`: {expected:?}, and not {found:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
