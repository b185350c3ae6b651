//! Errors, hints and notes that name a command: each is provoked, and what it names is run.

use std::{fs, os::unix::fs::symlink};

use testkit::{Env, Ran};

use super::{Scene, commands};
use crate::{
    COMPLETE,
    merging::{committed, in_worktree},
    readme::repository,
    scripted, shell,
    tasks::tasks,
    user_config, world,
};

/// Holds that these commands are suggested, where `*` is any word, and that all that are work.
#[track_caller]
pub(super) fn suggests(scene: &Scene, wanted: &[&str]) {
    let all = commands(&scene.said);
    for one in wanted {
        assert!(all.iter().any(|command| fits(command, one)), "`{one}` is not among {all:?}");
    }
    scene.assert_all_work(&scene.said);
}

/// Whether a command is one like this, where `*` is any word.
pub(super) fn fits(command: &str, wanted: &str) -> bool {
    let (command, wanted) = (command.split(' '), wanted.split(' '));
    command.clone().count() == wanted.clone().count()
        && command.zip(wanted).all(|(word, wanted)| wanted == "*" || word == wanted)
}

/// What a command said that was refused.
#[track_caller]
fn refused<const N: usize>(env: Env, args: [&str; N]) -> Scene {
    let ran = env.windlass(args);
    assert!(ran.code.is_some_and(|code| code != 0), "it was not refused: {ran}");
    Scene::after(env, &ran)
}

/// What a command said that did what was asked.
#[track_caller]
fn said<const N: usize>(env: Env, args: [&str; N]) -> Scene {
    let ran = env.windlass(args).success();
    Scene::after(env, &ran)
}

/// A loop `mine` that ended so.
fn after(run: impl Fn(&Env) -> Ran) -> Env {
    let env = world();
    drop(run(&env));
    env
}

fn done(env: &Env) -> Ran {
    let script = format!("write a.txt x\nsay {COMPLETE}\n");
    scripted(env, &script, &["--name", "mine", "--check", "true"]).run().success()
}

fn stopped(env: &Env) -> Ran {
    scripted(env, "say on it\n", &["--name", "mine", "--check", "false"]).run().code(3)
}

/// A claim that was rejected.
fn rejected(env: &Env) -> Ran {
    let script = format!("append a.txt x\\n\nsay {COMPLETE}\n");
    let args = ["--name", "mine", "--check", "false", "--max-iterations", "1"];
    scripted(env, &script, &args).run().code(1)
}

#[test]
fn a_loop_that_is_not_there() {
    let first = ["windlass init && windlass iterate -p 'Make the tests pass.'"];
    suggests(&refused(repository(), ["status"]), &first);
    suggests(&refused(repository(), ["show", "nothing"]), &first);
    suggests(&said(repository(), ["list"]), &first);
    suggests(&refused(after(done), ["show", "nothing"]), &["windlass list"]);
    let env = after(done);
    env.write("below/x", "");
    suggests(&refused(env, ["-C", "below", "why"]), &["windlass list"]);
}

#[test]
fn a_first_visit() {
    let scene = said(repository(), []);
    let mut all = commands(&scene.said);
    all.retain(|command| command != "windlass demo");
    assert_eq!(all, ["windlass init", "windlass iterate -p 'Make the tests pass.'"]);
    all.iter().for_each(|command| scene.assert_works(command, &scene.env.work()));
}

#[test]
fn a_check_that_was_found() {
    let env = repository();
    let ran = env.windlass(["iterate", "-p", "add", "--agent", "claude"]);
    suggests(&Scene::after(env, &ran), &["windlass init"]);
}

#[test]
fn a_setting_and_a_prompt_that_are_not_there() {
    let env = world();
    user_config(&env, "max_iteration = 1\n");
    suggests(&refused(env, ["config"]), &["windlass config --default"]);
    suggests(&refused(world(), ["config", "max_iteration"]), &["windlass config --default"]);
    suggests(&refused(world(), ["config", "--prompts", "nothing"]), &["windlass config --prompts"]);
}

#[test]
fn what_is_not_trusted() {
    let env = repository();
    env.write("windlass.toml", "max_iterations = 7\n");
    suggests(&refused(env, ["iterate", "-p", "add"]), &["windlass trust *"]);
    let env = repository();
    let hooks = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}"#;
    env.write(".claude/settings.json", hooks);
    suggests(&refused(env, ["iterate", "-p", "add"]), &["windlass trust"]);
    let env = world();
    env.write("windlass.toml", "max_iterations = 7\n");
    suggests(&said(env, ["trust"]), &["windlass trust --revoke"]);
}

#[test]
fn an_agent_and_a_sandbox_that_are_not_there() {
    suggests(&refused(world(), ["iterate", "-p", "x"]), &["windlass agents"]);
    let asked = ["iterate", "-p", "x", "--agent", "codex"];
    suggests(&refused(world(), asked), &["windlass agents"]);
    let env = world();
    let asked = ["iterate", "-p", "x", "-c", "true", "--sandbox", "docker", "--image", "x"];
    let ran = env.command(asked).env("DOCKER_HOST", "unix:///nowhere/docker.sock").run().code(4);
    suggests(&Scene::after(env, &ran), &["windlass doctor"]);
}

#[test]
fn a_task_file_without_tasks() {
    let env = world();
    env.write("TASKS.md", "");
    let ran = tasks(&env, "TASKS.md", "say x\n", &[]).run();
    assert!(ran.code.is_some_and(|code| code != 0), "{ran}");
    suggests(&Scene::after(env, &ran), &["windlass tasks --help"]);
}

#[test]
fn a_loop_that_cannot_be_resumed() {
    let open = ["windlass why *", "windlass resume * --reset-circuit"];
    suggests(&refused(after(stopped), ["resume", "mine"]), &open);
    suggests(&refused(after(done), ["resume", "mine"]), &["windlass show *"]);
}

#[test]
fn work_that_cannot_be_accepted() {
    suggests(&refused(after(done), ["accept", "mine"]), &["windlass show *"]);
    suggests(&refused(after(stopped), ["accept", "mine"]), &["windlass why *"]);
    let env = after(rejected);
    env.write("a.txt", "another");
    let scene = refused(env, ["accept", "mine"]);
    suggests(&scene, &["windlass accept * --this-tree", "windlass rollback * *"]);
}

#[test]
fn work_that_cannot_be_merged() {
    let env = world();
    let body = "echo x > a.txt";
    let args = ["--check", "false", "--auto-commit", "--max-iterations", "1"];
    drop(in_worktree(&env, "mine", body, &args).run().code(1));
    let scene = refused(env, ["merge", "mine"]);
    suggests(&scene, &["windlass why *", "windlass merge * --any-ending"]);
    let env = world();
    drop(in_worktree(&env, "mine", body, &[]).run().success());
    suggests(&refused(env, ["merge", "mine"]), &["windlass merge * --commit"]);
    let env = world();
    committed(&env, "mine", body, &[]);
    env.windlass(["merge", "mine", "--name", "home"]).success();
    suggests(&refused(env, ["merge", "home"]), &["windlass list"]);
    let env = world();
    drop(in_worktree(&env, "mine", body, &[]).run().success());
    suggests(&said(env, ["gc"]), &["windlass merge * --commit"]);
    let env = world();
    crate::merging::commit(&env, "a.txt", "one\n");
    committed(&env, "mine", "echo two > a.txt", &[]);
    crate::merging::commit(&env, "a.txt", "three\n");
    suggests(&refused(env, ["merge", "mine"]), &["windlass merge * --resolve"]);
}

#[test]
fn the_way_back() {
    suggests(&refused(after(done), ["rollback", "mine"]), &["windlass rollback * 0"]);
    suggests(&said(after(done), ["rollback", "mine", "0"]), &["windlass rollback * *"]);
}

#[test]
fn a_rule_to_try() {
    let replay = "windlass replay * --set stagnation=5 --set same-error=3";
    suggests(&said(after(stopped), ["replay", "mine"]), &[replay]);
}

#[test]
fn a_circuit_that_was_closed() {
    suggests(&said(after(stopped), ["reset", "mine"]), &["windlass resume *"]);
}

#[test]
fn a_dashboard_without_a_terminal() {
    let scene = refused(after(done), ["watch"]);
    let all = commands(&scene.said);
    // The first says what needs one.
    let all: Vec<_> = all.iter().filter(|command| *command != "windlass watch").collect();
    assert_eq!(all, ["windlass log --follow", "windlass status"]);
    all.iter().for_each(|command| scene.assert_works(command, &scene.env.work()));
}

#[test]
fn a_directory_that_became_a_link() {
    let env = world();
    let body = format!("echo x > a.txt; echo '{COMPLETE}'");
    let place = env.root().join("tmp/place");
    fs::create_dir(&place).expect("the folder is ours");
    env.other("git", ["init", "--quiet"]).directory(&place).run().success();
    let call = shell(&env, &body, &["--name", "mine", "--check", "false", "--max-iterations", "1"]);
    drop(call.directory(&place).run().code(1));
    fs::rename(&place, env.root().join("tmp/moved")).expect("the folder is ours");
    symlink(env.work(), &place).expect("the folder is ours");
    let ran = env.windlass(["rollback", "mine", "0"]);
    suggests(&Scene::after(env, &ran), &["windlass list"]);
}
