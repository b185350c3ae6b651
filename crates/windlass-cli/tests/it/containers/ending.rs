//! How a loop in a container ends when somebody else ends it.

use std::time::{Duration, Instant};

use testkit::{
    Env,
    engine::{Engine, Kind},
    wait_until,
};

use super::{assert_nothing_is_left, contained};
use crate::{
    COMPLETE,
    oracle::{LIMIT, lines, standing},
    world,
};

/// The first session hangs with a child, later ones are done at once.
fn hangs_once() -> String {
    format!(
        "if ! test -f ready; then sleep 998 & echo > ready; sleep 999; fi\n\
         pgrep -f 'sleep 99[89]' && exit 9; echo '{COMPLETE}'"
    )
}

fn wait_for_agent(env: &Env) {
    let ready = env.work().join("ready");
    wait_until("the agent runs", LIMIT, || lines(&ready) == 1);
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn after_a_kill_nothing_is_left_and_the_loop_goes_on() {
    Engine::each(|engine| {
        let env = world();
        let running = contained(&env, engine, &hangs_once(), &["--name", "killed"]).spawn();
        wait_for_agent(&env);
        assert_eq!(engine.containers().len(), 1);
        drop(running.kill9());
        // The container goes by itself, with all that was in it.
        assert_nothing_is_left(&env, engine);
        let (name, value) = engine.variable();
        env.command(["resume", "killed"]).env(name, value).run().success();
        assert_eq!(standing(&env), "done");
        assert_nothing_is_left(&env, engine);
        let ran = env.windlass(["gc"]).success();
        assert_eq!(ran.stdout, "there is nothing to remove\n");
        let locks = env.git(["worktree", "list", "--porcelain"]);
        assert!(!locks.contains("locked"), "{locks}");
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn what_a_dead_engine_kept_is_found_by_its_label() {
    Engine::each(|engine| {
        for command in ["gc", "rm", "resume"] {
            let env = world();
            let body = hangs_once();
            let running = contained(&env, engine, &body, &["--name", "killed"]).spawn();
            wait_for_agent(&env);
            let name = engine.containers().pop().unwrap();
            drop(running.kill9());
            wait_until("it goes by itself", LIMIT, || engine.containers().is_empty());
            // As if the engine had not come to remove it.
            let id = env.sql("SELECT id FROM loops").trim().to_owned();
            engine.make(&name, &serde_json::json!({"windlass.loop": id}));
            engine.make("of-others", &serde_json::json!({"windlass.loop": "another"}));
            let (variable, value) = engine.variable();
            let ran = match command {
                "gc" => env.windlass(["gc"]).success(),
                "rm" => env.windlass(["rm", "killed"]).success(),
                _ => env.command(["resume", "killed"]).env(variable, value).run().success(),
            };
            if command == "gc" {
                assert_eq!(ran.stdout, "removed 1 container that no loop needs\n");
            }
            assert_eq!(engine.containers(), ["of-others"], "{command}");
            engine.remove("of-others");
        }
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn a_cancel_reaches_the_agent_in_its_container() {
    Engine::each(|engine| {
        let env = world();
        let body = "trap 'echo told > told; exit 0' TERM; sleep 998 & echo > ready; wait";
        let running = contained(&env, engine, body, &["--name", "called-off"]).spawn();
        wait_for_agent(&env);
        let began = Instant::now();
        env.windlass(["cancel", "called-off"]).success();
        assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
        running.wait().code(143);
        assert_eq!(env.read("told"), "told\n");
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn an_agent_that_stays_when_it_is_told_to_go_is_killed_after_its_grace() {
    Engine::each(|engine| {
        let env = world();
        let body = "trap '' TERM INT HUP; echo > ready; while :; do sleep 1; done";
        let args = ["--name", "stubborn", "--grace", "500ms"];
        let running = contained(&env, engine, body, &args).spawn();
        wait_for_agent(&env);
        env.windlass(["cancel", "stubborn"]).success();
        running.wait().code(143);
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn a_session_that_takes_too_long_is_ended_inside_too() {
    Engine::each(|engine| {
        let env = world();
        let args = ["--timeout", "1s", "--grace", "500ms", "--max-iterations", "2"];
        let body =
            format!("if test -f ready; then echo '{COMPLETE}'; exit 0; fi; {}", hangs_once());
        contained(&env, engine, &body, &args).run().success();
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn a_container_that_somebody_removes_is_made_anew() {
    Engine::each(|engine| {
        let env = world();
        let running = contained(&env, engine, &hangs_once(), &[]).spawn();
        wait_for_agent(&env);
        engine.remove(&engine.containers()[0]);
        let ran = running.wait().success();
        assert!(
            ran.stderr.contains("the container could not be cleaned up and was recreated"),
            "{ran}"
        );
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn an_engine_that_dies_ends_the_loop_with_a_word_about_it() {
    for kind in [Kind::Docker, Kind::Podman] {
        let Some(mut engine) = Engine::start(kind) else { continue };
        let env = world();
        let running = contained(&env, &engine, "echo > ready; sleep 999", &["--json"]).spawn();
        wait_for_agent(&env);
        engine.kill();
        let ran = running.wait().code(4);
        let ending = ran.json()["ending"].clone();
        assert_eq!(ending["type"], "error", "{ran}");
        let message = ending["message"].as_str().unwrap();
        assert!(message.contains(&format!("{} is lost", engine.name())), "{message}");
        engine.restart();
        let (name, value) = engine.variable();
        env.command(["gc"]).env(name, value).run().success();
        assert_nothing_is_left(&env, &engine);
    }
}
