//! What is suggested while a loop runs, or hangs: what only looks is run first, and what ends it last.

use super::{Scene, assert_complete, assert_worked, commands, errors::fits};
use crate::morning::at_work;
use crate::{COMPLETE, oracle::LIMIT, scripted, shell, world};

/// Runs what is suggested about the loop that runs.
#[track_caller]
fn suggests(scene: &Scene, wanted: &[&str]) {
    let mut all = commands(&scene.said);
    for one in wanted {
        assert!(all.iter().any(|command| fits(command, one)), "`{one}` is not among {all:?}");
    }
    all.sort_by_key(|command| (command.contains(" cancel "), command.contains(" resume ")));
    for command in all {
        assert_complete(&command);
        assert_worked(&command, &scene.call(&command, &scene.env.work()));
    }
}

#[test]
fn a_loop_that_another_process_runs() {
    let (env, running) = at_work();
    let ran = env.windlass(["resume", "mine"]);
    assert!(ran.code.is_some_and(|code| code != 0), "{ran}");
    let wanted = ["windlass status *", "windlass cancel *", "windlass resume * --take-over"];
    suggests(&Scene::after(env, &ran), &wanted);
    drop(running.wait());
}

#[test]
fn a_work_tree_that_another_loop_has() {
    let (env, running) = at_work();
    let ran = shell(&env, "true", &["--name", "other"]).run();
    assert!(ran.code.is_some_and(|code| code != 0), "{ran}");
    suggests(&Scene::after(env, &ran), &["windlass cancel *"]);
    drop(running.wait());
}

#[test]
fn work_that_goes_on_and_cannot_be_accepted() {
    let (env, running) = at_work();
    let ran = env.windlass(["accept", "mine"]).code(2);
    suggests(&Scene::after(env, &ran), &["windlass cancel *"]);
    drop(running.wait());
}

#[test]
fn a_loop_that_was_cancelled() {
    let (env, running) = at_work();
    let ran = env.windlass(["cancel", "mine"]).success();
    drop(running.wait());
    suggests(&Scene::after(env, &ran), &["windlass resume *"]);
}

#[test]
fn a_loop_that_was_detached() {
    let env = world();
    let script = format!("say {COMPLETE}\n");
    let ran = scripted(&env, &script, &["--name", "mine", "--detach"]).limit(LIMIT).run().success();
    suggests(&Scene::after(env, &ran), &["windlass log --follow *"]);
}
