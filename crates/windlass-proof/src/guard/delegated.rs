//! Which commands of a recipe or a script are checks themselves. A command that everything is handed over
//! to is the check as much as if it were named itself; one that stands among others is so only if its
//! name says that it tests something, for it may as well be the program that is tested.

use crate::{check_files::unwrapped, shell};

/// What in the name of a script says that it tests.
const TESTING: [&str; 5] = ["test", "check", "spec", "verify", "lint"];

/// Commands that decide nothing.
const ASIDE: [&str; 8] = ["echo", "printf", "cd", "set", "export", "mkdir", "true", ":"];

/// The commands that are checks, as their words.
pub(super) fn delegated(recipe: &str) -> Vec<Vec<String>> {
    let commands = shell::commands(recipe);
    let commands: Vec<&[String]> = commands
        .iter()
        .filter(|command| command.decides)
        .map(|command| unwrapped(&command.words))
        .filter(|words| words.first().is_some_and(|first| !ASIDE.contains(&first.as_str())))
        .collect();
    let is_alone = commands.len() == 1;
    let is_check = |words: &&&[String]| is_alone || words.iter().take(3).any(|word| tests(word));
    commands.iter().filter(is_check).map(|words| words.to_vec()).collect()
}

fn tests(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word).to_ascii_lowercase();
    word.contains(['/', '.']) && TESTING.iter().any(|testing| name.contains(testing))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(recipe: &str) -> Vec<String> {
        delegated(recipe).iter().map(|words| words.join(" ")).collect()
    }

    #[test]
    fn a_command_that_is_alone_or_says_that_it_tests_is_a_check() {
        assert_eq!(of("echo testing\n./scripts/run.sh --all\n"), ["./scripts/run.sh --all"]);
        assert_eq!(of("set -e\nexec timeout 60 bash all.sh"), ["bash all.sh"]);
        let among = "./prepare.sh\n./program.sh > out\nbash ci/unit-tests.sh\ndiff out expected\n";
        assert_eq!(of(among), ["bash ci/unit-tests.sh"]);
        assert_eq!(of("sh program.sh | grep -q 42"), ["grep -q 42"]);
        assert_eq!(of(""), Vec::<String>::new());
    }
}
