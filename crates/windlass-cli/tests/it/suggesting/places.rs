//! Printed commands are quoted for `sh`, and work from where they were printed.

use std::{fs, path::Path};

use testkit::Env;

use super::{Scene, assert_complete, assert_worked, commands};
use crate::{COMPLETE, scripted, world};

/// A directory that `sh` would take apart.
const ODD: &str = "it's a \"place\" $HOME";

/// A repository with a loop `mine` that is done, at `place`.
fn done_at(env: &Env, place: &Path) {
    fs::create_dir_all(place).expect("the folder is ours");
    for args in [&["init", "--quiet"][..], &["commit", "--quiet", "--allow-empty", "-m", "start"]] {
        env.other("git", args).directory(place).run().success();
    }
    let script = format!("write a b.txt x\nsay {COMPLETE}\n");
    let call = scripted(env, &script, &["--name", "mine", "--check", "true"]);
    call.directory(place).run().success();
}

/// Holds that what `windlass ARGS` suggests, typed at `from`, works there.
#[track_caller]
fn works_from(env: Env, from: &Path, args: &[&str]) -> Env {
    let ran = env.command(args).directory(from).run().success();
    let all = commands(&format!("{}{}", ran.stdout, ran.stderr));
    assert!(!all.is_empty(), "nothing is suggested: {ran}");
    let scene = Scene::new(env, "");
    for command in all {
        assert_complete(&command);
        assert_worked(&command, &scene.call(&command, from));
        // The next one finds it as it was.
        scene.env.other("rm", ["-rf", "a"]).directory(scene.env.root()).run().success();
    }
    scene.env
}

#[test]
fn in_a_directory_that_the_shell_would_take_apart() {
    for screen in ["", "report", "status", "why"] {
        let env = world();
        let place = env.root().join(ODD);
        done_at(&env, &place);
        let args: Vec<&str> = screen.split_terminator(' ').collect();
        drop(works_from(env, &place, &args));
    }
}

#[test]
fn from_a_folder_below() {
    for screen in ["report", "status", "why"] {
        let env = world();
        let place = env.root().join(ODD);
        let below = place.join("below");
        done_at(&env, &place);
        fs::create_dir(&below).expect("the folder is ours");
        drop(works_from(env, &below, &[screen, "mine"]));
    }
}

#[test]
fn from_another_directory_by_name_by_prefix_and_with_a_directory() {
    let elsewhere: [fn(&str) -> Vec<&str>; 5] = [
        |_| vec!["report", "mine"],
        |_| vec!["status", "mi"],
        |_| vec!["why", "mi"],
        |place| vec!["-C", place, "status"],
        |place| vec!["-C", place, "report"],
    ];
    for args in elsewhere {
        let env = world();
        let place = env.root().join(ODD);
        done_at(&env, &place);
        let (shown, from) = (place.display().to_string(), env.root().join("tmp"));
        let env = works_from(env, &from, &args(&shown));
        let branches = env.other("git", ["branch"]).directory(&place).run().success().stdout;
        assert!(branches.contains("windlass/mine"), "the line did not act there: {branches}");
    }
}

#[test]
fn an_untrusted_config_is_trusted_from_anywhere() {
    let env = world();
    let place = env.root().join(ODD);
    done_at(&env, &place);
    fs::write(place.join("windlass.toml"), "max_iterations = 3\n").expect("the folder is ours");
    let shown = place.display().to_string();
    let from = env.root().join("tmp");
    let asked = ["-C", &shown, "iterate", "-p", "x", "-c", "true"];
    let refused = env.command(asked).directory(&from).run().code(4);
    let all = commands(&refused.stderr);
    let trust = all.iter().find(|command| command.starts_with("windlass trust "));
    let trust = trust.unwrap_or_else(|| panic!("no way to trust it: {refused}")).clone();
    let scene = Scene::new(env, "");
    scene.call(&trust, &from).success();
    drop(scene.env.command(asked).args(["--max-iterations", "1"]).directory(&from).run().code(1));
}
