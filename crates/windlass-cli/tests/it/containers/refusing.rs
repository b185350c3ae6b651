//! Containers that cannot be had: each is told with what to do, and nothing is left.

use std::{fs, os::unix::net::UnixListener};

use testkit::{
    Env, Ran,
    engine::{BARE_IMAGE, Engine, IMAGE},
};

use super::in_container;
use crate::world;

fn refused(env: &Env, engine: &Engine, image: &str, args: &[&str]) -> Ran {
    let (name, value) = engine.variable();
    let call = env.command(["iterate", "-p", "x", "--network", "none", "--sandbox"]);
    let call = call.arg(engine.name()).arg("--image").arg(image).env(name, value);
    args.iter().fold(call, |call, arg| call.arg(arg)).run()
}

fn error(ran: &Ran, engine: &Engine) -> String {
    let text = ran.masked_stderr().replace(engine.name(), "ENGINE");
    text.replace(&engine.socket().display().to_string(), "SOCKET")
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn an_image_that_is_not_there_is_told_with_how_to_get_it() {
    Engine::each(|engine| {
        let env = world();
        let ran = refused(&env, engine, "no/such-image:1", &["-c", "sh"]).code(4);
        insta::allow_duplicates! { insta::assert_snapshot!(error(&ran, engine), @"
        error: the sandbox `ENGINE` cannot be had here: the image `no/such-image:1` is not on this machine

        hint: get it with `ENGINE pull no/such-image:1`, or build it
        hint: `windlass doctor` tells what this machine can do
        "); }
        assert!(engine.containers().is_empty());
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn an_image_without_a_shell_is_told() {
    Engine::each(|engine| {
        let env = world();
        let ran = refused(&env, engine, BARE_IMAGE, &["-c", "sh"]).code(4);
        insta::allow_duplicates! { insta::assert_snapshot!(error(&ran, engine), @"
        error: the sandbox `ENGINE` cannot be had here: the image `windlass-bare:latest` has no `sh`

        hint: take an image with a shell, and with what the agent and the checks need
        hint: `windlass doctor` tells what this machine can do
        "); }
        assert!(engine.containers().is_empty());
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn a_program_that_is_not_in_the_image_is_told() {
    Engine::each(|engine| {
        let env = world();
        let ran = refused(&env, engine, IMAGE, &["--agent", "codex"]).code(4);
        insta::allow_duplicates! { insta::assert_snapshot!(error(&ran, engine), @"
        error: the sandbox `ENGINE` cannot be had here: `codex`, which the agent `codex` runs, is not in the image `windlass-test:latest`

        hint: take an image that has it, or add it to this one
        hint: `windlass doctor` tells what this machine can do
        "); }
        assert!(engine.containers().is_empty());
        assert_eq!(env.sql("SELECT count(*) FROM loops").trim(), "0");
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn a_path_that_would_give_the_machine_away_is_refused() {
    Engine::each(|engine| {
        let env = world();
        let socket = engine.socket();
        let place = socket.parent().unwrap().display().to_string();
        for path in [socket.display().to_string(), place, "/".to_owned(), "~".to_owned()] {
            for flag in ["--sandbox-read", "--sandbox-write"] {
                let ran = refused(&env, engine, IMAGE, &["-c", "sh", flag, &path]).code(2);
                assert!(ran.stderr.contains("cannot be given to a sandbox"), "{path}: {ran}");
            }
        }
        assert!(engine.containers().is_empty());
    });
}

#[test]
fn a_network_of_named_hosts_needs_another_sandbox() {
    let env = world();
    let call = ["iterate", "-p", "x", "-c", "sh", "--sandbox", "docker", "--network", "model"];
    insta::assert_snapshot!(env.windlass(call).code(2).masked_stderr(), @"
    error: `--network model` needs a sandbox that holds the network back: a container is not held to hosts; take `--sandbox bwrap`
    ");
}

#[test]
fn a_container_needs_an_image() {
    let env = world();
    let call = ["iterate", "-p", "x", "-c", "sh", "--sandbox", "podman"];
    insta::assert_snapshot!(env.windlass(call).code(2).masked_stderr(), @"
    error: `--sandbox podman` needs an image to make the container of

    hint: name one with `--image`: one that has `sh`, the agent's program and what the checks need
    ");
}

#[test]
fn an_engine_that_does_not_run_is_told_with_how_to_start_it() {
    let env = world();
    let call = ["iterate", "-p", "x", "-c", "sh", "--sandbox", "docker", "--image", "x"];
    let gone = env.root().join("gone.sock");
    let told = |path: &std::path::Path| {
        let host = format!("unix://{}", path.display());
        env.command(call).env("DOCKER_HOST", host).run().code(4).masked_stderr()
    };
    insta::assert_snapshot!(told(&gone), @"
    error: the sandbox `docker` cannot be had here: there is no socket `/tmp/windlass-XXXXXX/gone.sock`

    hint: install and start Docker: `sudo systemctl start docker`; or set DOCKER_HOST to `unix://` and the path of its socket
    hint: `windlass doctor` tells what this machine can do
    ");
    // A socket that nobody listens at any more.
    drop(UnixListener::bind(&gone).unwrap());
    insta::assert_snapshot!(told(&gone), @"
    error: the sandbox `docker` cannot be had here: nobody answers at `/tmp/windlass-XXXXXX/gone.sock`: docker does not run

    hint: install and start Docker: `sudo systemctl start docker`; or set DOCKER_HOST to `unix://` and the path of its socket
    hint: `windlass doctor` tells what this machine can do
    ");
    let ran = env.command(call).env("DOCKER_HOST", "tcp://127.0.0.1:2375").run().code(4);
    insta::assert_snapshot!(ran.masked_stderr(), @"
    error: the sandbox `docker` cannot be had here: `DOCKER_HOST` is `tcp://127.0.0.1:2375`, and only a Unix socket of this machine will do

    hint: unset it, or set it to `unix://` and the path of a socket
    hint: `windlass doctor` tells what this machine can do
    ");
    let home = env.windlass_home().join("run");
    assert_eq!(fs::read_dir(home).map_or(0, Iterator::count), 0, "something is left");
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn a_name_that_is_taken_by_a_stranger_is_told_and_left_to_him() {
    Engine::each(|engine| {
        let env = world();
        let call = in_container(&env, engine, &["iterate", "-p", "x", "--max-iterations", "1"]);
        call.args(["--name", "first", "-c", "sh -c :"]).run().code(1);
        let id = env.sql("SELECT id FROM loops").trim().to_owned();
        let name = format!("windlass-{id}-0");
        engine.make(&name, &serde_json::json!({}));
        let (variable, value) = engine.variable();
        let call = env.command(["resume", "first", "--max-iterations", "3"]).env(variable, value);
        let ran = call.run().code(4);
        insta::allow_duplicates! { insta::assert_snapshot!(error(&ran, engine), @"
        error: the sandbox `ENGINE` cannot be had here: another container has the name `windlass-[id............]-0`

        hint: remove it with `ENGINE rm -f windlass-[id............]-0`
        hint: `windlass doctor` tells what this machine can do
        "); }
        assert_eq!(engine.containers(), [name]);
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn the_doctor_tells_which_engines_answer() {
    Engine::each(|engine| {
        let env = world();
        let (variable, value) = engine.variable();
        let ran = env.command(["doctor"]).env(variable, value).run().success();
        let line = ran.stdout.lines().find(|line| line.contains("container")).unwrap();
        assert!(line.contains(&format!("{} ", engine.name())), "{line}");
    });
}
