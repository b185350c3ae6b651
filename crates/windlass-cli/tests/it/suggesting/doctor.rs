//! What `doctor` suggests for each unhealthy state that can be brought about.

use std::{fs, os::unix::fs::PermissionsExt};

use testkit::Env;

use super::{Scene, commands, errors::suggests};
use crate::{COMPLETE, merging::in_worktree, scripted, user_config, world};

/// What `doctor` says.
fn examined(env: Env) -> Scene {
    let ran = env.windlass(["doctor"]);
    Scene::after(env, &ran)
}

/// Holds that these are suggested and work, and that `doctor` does not suggest them any more after that.
#[track_caller]
fn cures(env: Env, wanted: &[&str]) {
    let scene = examined(env);
    suggests(&scene, wanted);
    for command in commands(&scene.said) {
        scene.call(&command, &scene.env.work()).success();
        let again = scene.env.windlass(["doctor"]);
        assert!(!commands(&again.stdout).contains(&command), "`{command}` did not help: {again}");
    }
}

#[test]
fn no_agent_is_installed() {
    suggests(&examined(world()), &["windlass agents"]);
}

#[test]
fn the_config_cannot_be_read() {
    let env = world();
    user_config(&env, "max_iteration = 1\n");
    suggests(&examined(env), &["windlass config --default"]);
}

#[test]
fn the_repository_is_not_trusted() {
    let env = world();
    env.install("claude", "echo '{\"loggedIn\": true}'");
    env.write("windlass.toml", "max_iterations = 7\n");
    cures(env, &["windlass trust *"]);
}

#[test]
fn others_may_look_into_the_home() {
    let env = world();
    env.install("claude", "echo '{\"loggedIn\": true}'");
    scripted(&env, &format!("say {COMPLETE}\n"), &[]).run().success();
    fs::set_permissions(env.windlass_home(), fs::Permissions::from_mode(0o755)).unwrap();
    cures(env, &["chmod 700 *"]);
}

#[test]
fn the_store_is_damaged() {
    let env = world();
    env.install("claude", "echo '{\"loggedIn\": true}'");
    scripted(&env, &format!("say {COMPLETE}\n"), &["--name", "mine"]).run().success();
    let store = env.windlass_home().join("windlass.db");
    let mut bytes = fs::read(&store).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0xff);
    fs::write(&store, bytes).unwrap();
    let refused = env.windlass(["list"]);
    let scene = Scene::after(env, &refused);
    if refused.code == Some(6) {
        suggests(&scene, &["windlass doctor"]);
    }
    cures(scene.env, &["windlass doctor --repair"]);
}

#[test]
fn a_process_is_stopped_and_the_way_out_ends_it() {
    let (env, running) = crate::morning::at_work();
    let pid = env.sql("SELECT owner_pid FROM loops");
    env.other("kill", ["-STOP", pid.trim()]).run().success();
    let scene = examined(env);
    let all = commands(&scene.said);
    let cancel = "windlass cancel mine".to_owned();
    assert!(
        all.contains(&cancel) && all.contains(&format!("kill -CONT {}", pid.trim())),
        "{all:?}"
    );
    scene.call(&format!("kill -CONT {}", pid.trim()), &scene.env.work()).success();
    scene.call(&cancel, &scene.env.work()).success();
    drop(running.wait());
}

#[test]
fn a_worktree_holds_work_that_is_nowhere_else() {
    let env = world();
    drop(in_worktree(&env, "mine", "echo x > a.txt", &[]).run().success());
    let ran = env.windlass(["gc"]).success();
    suggests(&Scene::after(env, &ran), &["windlass merge * --commit"]);
}

#[test]
fn an_agent_is_not_signed_in() {
    let env = world();
    env.install(
        "claude",
        "case \"$*\" in *auth*) echo '{\"loggedIn\": false}'; exit 1 ;; esac; echo 2.1.0",
    );
    let said = env.windlass(["doctor"]).stdout;
    let login = said.lines().find_map(|line| line.trim().strip_prefix("→ `claude "));
    let login = login.unwrap_or_else(|| panic!("no way to sign in: {said}")).trim_end_matches('`');
    // The program itself decides which words it knows: here it must be called at all.
    env.other("sh", ["-c", &format!("claude {login}")]).run().code(1);
}
