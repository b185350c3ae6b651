//! What windlass suggests to type works as printed, in the state in which it is suggested: in errors, hints
//! and notes, by `doctor`, and from wherever it was printed. The endings of loops are in `morning`.

mod doctor;
mod errors;
mod places;
mod running;
mod sources;

use std::{collections::BTreeSet, fs, path::Path, sync::LazyLock};

use testkit::{Env, Ran};

/// Exit codes that say that a command did not work: usage, setup, storage, a bug, not found.
const BROKEN: [i32; 6] = [2, 4, 6, 70, 126, 127];

/// What stands for something that the reader would have to fill in.
const PLACEHOLDERS: [&str; 9] =
    ["LOOP", "NAME", "DIR", "FILE", "BRANCH", "CMD", "MORE", "ITERATION", "N"];

/// How commands of other programs begin.
const OTHERS: [&str; 5] = ["git ", "gh ", "kill ", "chmod ", "(cd "];

/// What stands before a command in its line.
const LABELS: [&str; 6] = ["→ ", "next: ", "next ", "undo: ", "undo ", "hint: "];

/// The names of windlass's commands, as its help has them.
static NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let help =
        Env::outside_git(env!("CARGO_BIN_EXE_windlass")).windlass(["--help"]).success().stdout;
    let names = help.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let is_name = |name: &&str| name.starts_with(|first: char| first.is_ascii_lowercase());
    names.filter(is_name).map(str::to_owned).collect()
});

fn is_command(text: &str) -> bool {
    match text.strip_prefix("windlass ") {
        Some(rest) => rest.split(' ').next().is_some_and(|name| NAMES.contains(name)),
        None => OTHERS.iter().any(|begin| text.starts_with(begin)),
    }
}

/// All commands that a screen suggests: in backticks anywhere, at the beginning of a line, after a label,
/// and after a colon.
pub(crate) fn commands(screen: &str) -> Vec<String> {
    let mut found = BTreeSet::new();
    for line in screen.lines().map(str::trim) {
        let mut bare = line;
        while let Some(rest) = LABELS.iter().find_map(|label| bare.strip_prefix(label)) {
            bare = rest.trim();
        }
        let after = line.rsplit_once(": ").map_or("", |(_, rest)| rest.trim());
        let quoted = line.split('`').skip(1).step_by(2);
        let all = [bare, after].into_iter().chain(quoted).filter(|text| is_command(text));
        found.extend(all.map(str::to_owned));
    }
    found.into_iter().collect()
}

/// A world, and what a user of it has set.
pub(crate) struct Scene {
    pub(crate) env: Env,
    /// What was printed when it came to be.
    pub(crate) said: String,
    /// Variables of the user.
    pub(crate) variables: Vec<(&'static str, String)>,
    /// What answers over the network while commands are tried.
    pub(crate) _github: Option<testkit::github::GitHub>,
}

impl Scene {
    /// A world in which that was printed.
    pub(crate) fn new(env: Env, said: impl Into<String>) -> Self {
        Self { env, said: said.into(), variables: Vec::new(), _github: None }
    }

    /// A world in which that was run.
    pub(crate) fn after(env: Env, ran: &Ran) -> Self {
        Self::new(env, format!("{}{}", ran.stdout, ran.stderr))
    }

    /// Runs a command as a user would type it, and then puts everything back.
    #[track_caller]
    pub(crate) fn try_out(&self, command: &str, from: &Path) -> Ran {
        let env = &self.env;
        let places = [env.work(), env.windlass_home()];
        let kept = places.clone().map(|place| {
            let aside = env.root().join("kept").join(place.file_name().expect("it has a name"));
            fs::create_dir_all(env.root().join("kept")).expect("the folder is ours");
            copy(env, &place, &aside);
            (place, aside)
        });
        let ran = self.call(command, from);
        kept.iter().for_each(|(place, aside)| copy(env, aside, place));
        ran
    }

    /// Runs a command as a user would type it.
    #[track_caller]
    pub(crate) fn call(&self, command: &str, from: &Path) -> Ran {
        let env = &self.env;
        env.install("windlass", &format!("exec '{}' \"$@\"", env.program().display()));
        let call = env.other("sh", ["-c", command]).directory(from);
        let call = self.variables.iter().fold(call, |call, (name, value)| call.env(name, value));
        call.run()
    }

    /// Holds that a suggested command works where it was printed.
    #[track_caller]
    pub(crate) fn assert_works(&self, command: &str, from: &Path) {
        assert_complete(command);
        assert_worked(command, &self.try_out(command, from));
    }

    /// Holds that all commands of a screen work, and that there are some.
    #[track_caller]
    pub(crate) fn assert_all_work(&self, screen: &str) {
        let all = commands(screen);
        assert!(!all.is_empty(), "nothing is suggested: {screen}");
        all.iter().for_each(|command| self.assert_works(command, &self.env.work()));
    }
}

/// Holds that nothing is left to fill in.
#[track_caller]
pub(crate) fn assert_complete(command: &str) {
    let is_word = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let mut words = command.split(|char| !is_word(char));
    let has_placeholder = words.any(|word| PLACEHOLDERS.contains(&word));
    assert!(!has_placeholder && !command.contains(['<', '…']), "`{command}` is not complete");
}

/// Holds that a command did what it says.
#[track_caller]
pub(crate) fn assert_worked(command: &str, ran: &Ran) {
    // What is wrong is what it was asked for.
    let is_answer = command.starts_with("windlass doctor") && ran.stdout.contains("→");
    let code = ran.code.expect("it was not killed");
    assert!(is_answer || !BROKEN.contains(&code), "`{command}` does not work as printed: {ran}");
}

/// Copies a directory with all that is in it, in place of what is there.
fn copy(env: &Env, from: &Path, to: &Path) {
    drop(fs::remove_dir_all(to));
    if from.exists() {
        let call = [Path::new("-a"), from, to];
        env.other("cp", call).directory(env.root()).run().success();
    }
}

#[test]
fn commands_are_found_wherever_they_stand() {
    let screen = "\
windlass is well, and `cargo test` passes
next: windlass show mine
  undo   windlass rollback mine 0
hint: to go on: windlass resume mine
hint: `windlass why mine` tells more; `windlass merge mine --any-ending` takes what is there
            → read the file, then type `windlass trust windlass.toml`
run a first loop:     windlass iterate -p 'Make the tests pass.'
  (cd /work && git push -u origin topic)
error: windlass has a bug";
    insta::assert_snapshot!(commands(screen).join("\n"), @"
    (cd /work && git push -u origin topic)
    windlass iterate -p 'Make the tests pass.'
    windlass merge mine --any-ending
    windlass resume mine
    windlass rollback mine 0
    windlass show mine
    windlass trust windlass.toml
    windlass why mine
    ");
}
