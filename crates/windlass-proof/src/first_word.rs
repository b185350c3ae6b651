//! The program that a check begins with, as far as that can be told from its command alone.

use crate::shell;

/// Characters by which a word is not what it says: the shell makes another of it.
const EXPANDED: [char; 5] = ['$', '`', '*', '?', '~'];

/// Words that begin more than a simple command.
const COMPOUND: [&str; 7] = ["if", "while", "until", "for", "case", "{", "function"];

/// The word that a check begins with, after assignments, if the shell looks it up as a command: not
/// where it is a path, where the shell makes it up, or where the check is more than simple commands.
pub fn first_word(check: &str) -> Option<String> {
    let line = check.trim_start();
    // What a command defines itself nobody else needs to know.
    let defines = line.contains("()") || line.contains("( )");
    let is_compound = line.split_whitespace().next().is_some_and(|word| COMPOUND.contains(&word));
    if line.starts_with('(') || defines || is_compound || sets_path(line) {
        return None;
    }
    let word = shell::commands(line).into_iter().next()?.words.into_iter().next()?;
    let is_plain = !word.is_empty() && !word.contains('/') && !word.contains(EXPANDED);
    is_plain.then_some(word)
}

/// Whether the command is looked up elsewhere than where windlass would look.
fn sets_path(line: &str) -> bool {
    let mut words = line.split_whitespace().take_while(|word| shell::is_assignment(word));
    words.any(|word| word.starts_with("PATH="))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_is_what_the_shell_looks_up() {
        for (check, word) in [
            ("pytest -q", "pytest"),
            ("  RUST_LOG=1 CI=yes cargo test", "cargo"),
            ("'my tool' x", "my tool"),
            ("\\npm test", "npm"),
            ("# tests\ncargo test", "cargo"),
            (">log make test", "make"),
            ("! grep -rq FIXED src", "grep"),
            ("cd web && npm test", "cd"),
            ("[ -f x ]", "["),
            ("test -f x", "test"),
        ] {
            assert_eq!(first_word(check).as_deref(), Some(word), "{check}");
        }
    }

    #[test]
    fn paths_and_what_the_shell_makes_up_are_not_looked_up() {
        for check in [
            "./test.sh",
            "scripts/check",
            "$RUNNER test",
            "\"$HOME/bin/x\"",
            "`which pytest`",
            "$(which pytest) -q",
            "(frobnicate)",
            "{ frobnicate; }",
            "if frobnicate; then true; fi",
            "frobnicate() { true; }; frobnicate",
            "PATH=bin:$PATH frobnicate",
            "A=1",
            "",
            "# nothing",
        ] {
            assert_eq!(first_word(check), None, "{check}");
        }
    }
}
