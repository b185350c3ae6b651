//! Containers, for real: Docker and Podman are started for each test, and nothing of theirs may be
//! left. Where a machine cannot, the test says so.

mod ending;
mod escaping;
mod git_directory;
mod guarding;
mod limits;
mod refusing;
mod working;

use std::time::Duration;

use testkit::{
    Env, Invocation,
    engine::{Engine, IMAGE},
    wait_until,
};

use crate::oracle::{assert_sound, wait_until_quiet};

/// How long an engine may take to remove a container.
const REMOVED_WITHIN: Duration = Duration::from_secs(30);

/// `iterate` with a shell program as its agent, which is shown to a container without a network.
fn contained<'a>(env: &'a Env, engine: &Engine, body: &str, args: &[&str]) -> Invocation<'a> {
    let agent = env.agent_sh(body);
    let call = in_container(env, engine, &["iterate", "-p", "mend it"]).arg("-c").arg(agent);
    args.iter().fold(call, |call, arg| call.arg(arg))
}

/// A call whose agents run in a container without a network, and see the programs of the test.
fn in_container<'a>(env: &'a Env, engine: &Engine, args: &[&str]) -> Invocation<'a> {
    let (name, value) = engine.variable();
    let call = env.command(args).env(name, value);
    let call = call.arg("--sandbox").arg(engine.name()).arg("--image").arg(IMAGE);
    let call = call.args(["--network", "none", "--sandbox-read"]);
    call.arg(env.root().join("bin"))
}

/// That nothing is left: no process, no container, nothing mounted in the world of the test.
#[track_caller]
fn assert_nothing_is_left(env: &Env, engine: &Engine) {
    wait_until_quiet(env);
    assert_sound(env);
    wait_until("no container is left", REMOVED_WITHIN, || engine.containers().is_empty());
    assert_eq!(testkit::engine::mounts_below(env.root()), Vec::<std::path::PathBuf>::new());
}
