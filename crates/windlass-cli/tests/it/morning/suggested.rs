//! Every command that is suggested is run as printed, in the state in which it is suggested; and what is
//! told of each ending is held by a snapshot.

use testkit::Env;

use super::{
    bare,
    endings::{at_work, each_ending, ended, in_conflict, waiting},
};
use crate::suggesting::{Scene, assert_complete, commands};

/// What every screen tells of a loop.
fn told(env: &Env) -> String {
    let mut out = String::new();
    for (title, args) in [
        ("windlass", &[][..]),
        ("report", &["report"]),
        ("list", &["list"]),
        ("status", &["status"]),
        ("why", &["why"]),
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
    settings.add_filter(r"loop/\d{8}-\d{6}", "loop/[time]");
    settings.add_filter(r"([^ \n]) {2,}", "$1  ");
    settings
}

/// What is suggested on any screen.
fn suggested(scene: &Scene) -> Vec<String> {
    let env = &scene.env;
    let looks = ["report", "list", "status", "why", "show"];
    let looks = looks.map(|look| env.windlass([look]).success());
    let looks = looks.iter().map(|ran| format!("{}{}", ran.stdout, ran.stderr));
    let screens: Vec<String> = looks.chain([bare(env), scene.said.clone()]).collect();
    commands(&screens.join("\n"))
}

/// Holds what is told of an ending, and runs what is suggested there.
#[track_caller]
fn check(name: &str) {
    let scene = ended(name);
    settings().bind(|| insta::assert_snapshot!(format!("told_of_{name}"), told(&scene.env)));
    let all = suggested(&scene);
    assert!(!all.is_empty(), "nothing is suggested");
    for command in all {
        scene.assert_works(&command, &scene.env.work());
    }
}

each_ending!(check);

/// Holds what is told of a loop that goes on. What only looks is run first, then what follows it, and
/// what ends it last.
#[track_caller]
fn check_running(name: &str, env: Env, running: testkit::Background) {
    settings().bind(|| insta::assert_snapshot!(format!("told_of_{name}"), told(&env)));
    let scene = Scene::new(env, "");
    let all = suggested(&scene);
    let (follow, cancel) = ("windlass log mine --follow", "windlass cancel mine");
    assert!([follow, cancel].iter().all(|one| all.iter().any(|command| command == one)), "{all:?}");
    let env = &scene.env;
    env.install("windlass", &format!("exec '{}' \"$@\"", env.program().display()));
    let followed = env.other("sh", ["-c", follow]).spawn();
    for command in all.iter().filter(|command| ![follow, cancel].contains(&command.as_str())) {
        assert_complete(command);
        scene.call(command, &env.work()).success();
    }
    scene.call(cancel, &env.work()).success();
    followed.wait().success();
    drop(running.wait());
}

#[test]
fn running() {
    let (env, running) = at_work();
    check_running("running", env, running);
}

#[test]
fn waiting_for_a_limit() {
    let (env, running) = waiting();
    check_running("waiting", env, running);
}

#[test]
fn a_merge_that_is_in_conflict() {
    let scene = in_conflict();
    scene.assert_all_work(&scene.said);
}
