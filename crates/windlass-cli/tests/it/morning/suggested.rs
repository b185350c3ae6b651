//! Every command that is suggested is run as printed, in the state in which it is suggested; and what is
//! told of each ending is held by a snapshot.

use std::{fs, path::Path};

use testkit::Env;

use super::{bare, endings::ENDINGS};

/// Exit codes that say that a command did not work: usage, setup, storage, a bug, not found.
const BROKEN: [i32; 6] = [2, 4, 6, 70, 126, 127];

/// The commands that a screen suggests: they stand at the beginning of a line, or after its label.
pub(super) fn commands(screen: &str) -> Vec<String> {
    let command = |line: &str| {
        let line = line.trim();
        let labels = ["next: ", "next ", "undo "];
        let line = labels.iter().find_map(|label| line.strip_prefix(label)).unwrap_or(line).trim();
        let begins = ["windlass ", "git ", "gh ", "(cd "];
        begins.iter().any(|word| line.starts_with(word)).then(|| line.to_owned())
    };
    screen.lines().filter_map(command).collect()
}

/// Copies a directory with all that is in it, in place of what is there.
fn copy(env: &Env, from: &Path, to: &Path) {
    drop(fs::remove_dir_all(to));
    let call = [Path::new("-a"), from, to];
    env.other("cp", call).directory(env.root()).run().success();
}

/// Runs a command as a user would type it, and then puts everything back.
#[track_caller]
pub(super) fn try_out(env: &Env, command: &str) -> testkit::Ran {
    let places = [env.work(), env.windlass_home()];
    let kept = places.clone().map(|place| {
        let aside = env.root().join("kept").join(place.file_name().expect("it has a name"));
        fs::create_dir_all(env.root().join("kept")).expect("the folder is ours");
        copy(env, &place, &aside);
        (place, aside)
    });
    env.install("windlass", &format!("exec '{}' \"$@\"", env.program().display()));
    let ran = env.other("sh", ["-c", command]).run();
    kept.iter().for_each(|(place, aside)| copy(env, aside, place));
    ran
}

/// What every screen tells of a loop.
fn told(env: &Env) -> String {
    let mut out = String::new();
    for (title, args) in [
        ("windlass", &[][..]),
        ("report", &["report"]),
        ("list", &["list"]),
        ("status", &["status"]),
    ] {
        let screen = env.windlass(args).success().masked_stdout();
        out.push_str(&format!("──── {title}\n{screen}"));
    }
    out
}

/// Snapshots without what differs from time to time.
fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"(just now|(\[time\]|\d+ (s|min)) ago)", "[ago]");
    settings.add_filter(r"\b\d+(\.\d+)? (ms|s)\b", "[time]");
    settings.add_filter(r"\b[0-9a-f]{40}\b|\b[0-9a-f]{7}\b", "[commit]");
    settings.add_filter(r"([^ \n]) {2,}", "$1  ");
    settings
}

/// Holds what is told of an ending, and runs what is suggested there.
#[track_caller]
fn check(name: &str) {
    let (_, bring) = ENDINGS.iter().find(|(ending, _)| *ending == name).expect("it is one of them");
    let (env, ran) = bring();
    settings().bind(|| insta::assert_snapshot!(format!("told_of_{name}"), told(&env)));
    let screens = [
        bare(&env),
        env.windlass(["report"]).success().stdout,
        env.windlass(["status"]).success().stdout,
        env.windlass(["why"]).success().stdout,
        ran.map(|ran| ran.stderr).unwrap_or_default(),
    ];
    let mut all: Vec<String> = screens.iter().flat_map(|screen| commands(screen)).collect();
    all.sort_unstable();
    all.dedup();
    assert!(!all.is_empty(), "too little is suggested: {all:?}");
    for command in all {
        assert!(!["LOOP", "MORE", "<", "…"].iter().any(|word| command.contains(word)), "{command}");
        let ran = try_out(&env, &command);
        assert!(
            ran.code.is_some_and(|code| !BROKEN.contains(&code)),
            "`{command}` does not work as printed: {ran}"
        );
    }
}

macro_rules! endings {
    ($($ending:ident),* $(,)?) => {$(
        #[test]
        fn $ending() {
            check(stringify!($ending));
        }
    )*
    #[test]
    fn no_ending_is_left_out() {
        let tried = [$(stringify!($ending)),*];
        assert_eq!(ENDINGS.map(|(name, _)| name), tried);
    }};
}

endings! {
    done, done_outside_git, tests_changed, undecided, rule, blocked, budget, limit, agent_failed, cancelled,
    interrupted,
}
