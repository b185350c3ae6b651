//! Lets agents loose: each in a world of its own, some side by side, with the defaults of the program.

use std::{
    path::Path,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use testkit::{Env, Invocation, Ran};

use super::{
    agent::{Agent, Plays},
    verdict::Ended,
};
use crate::{user_config, world};

/// So many side by side: some only wait, for a pause after a failed session.
const SIDE_BY_SIDE: usize = 4;

/// A loop of the gym takes a second or two; on a machine with other things to do, longer.
const LIMIT: Duration = Duration::from_secs(300);

/// Lets all of them loose; gives what became of each.
pub(super) fn all(agents: &[&Agent]) -> Vec<Ended> {
    side_by_side(agents, |agent| {
        let env = prepared(agent);
        ended(&env, agent, &run(&env, agent, &[]))
    })
}

/// Does this for all of them, some at a time; gives what comes of each, in their order.
pub(super) fn side_by_side<T: Sync, R: Send + Sync>(
    of: &[T],
    what: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let results: Vec<OnceLock<R>> = of.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(one) = of.get(index) else { break };
                    assert!(results[index].set(what(one)).is_ok(), "each is done once");
                }
            });
        }
    });
    results.into_iter().map(|one| one.into_inner().expect("each was done")).collect()
}

/// A world as the agent finds it.
pub(super) fn prepared(agent: &Agent) -> Env {
    let env = world().with_baselines();
    for (path, text) in &agent.files {
        env.write(path, text);
    }
    if !agent.files.is_empty() {
        env.git(["add", "--all"]);
        env.git(["commit", "--quiet", "--message=files"]);
    }
    if !agent.setup.is_empty() {
        env.other("sh", ["-ec", agent.setup]).run().success();
    }
    for (path, text) in &agent.dirty {
        env.write(path, text);
    }
    if let Some(runner) = agent.modules {
        install_modules(&env, runner);
    }
    install_cargo(&env);
    for (name, body) in &agent.programs {
        env.install(name, body);
    }
    env
}

/// Whether the work is done, as the gym itself sees it.
pub(super) fn is_done(env: &Env, agent: &Agent) -> bool {
    env.other("sh", ["-c", &agent.is_done]).run().code == Some(0)
}

/// What became of a loop.
pub(super) fn ended(env: &Env, agent: &Agent, ran: &Ran) -> Ended {
    let result = ran.json();
    let ending = &result["ending"];
    let by = ending["rule"].as_str().or(ending["type"].as_str()).expect("it has ended");
    let iterations = result["iterations"].as_u64().and_then(|n| u32::try_from(n).ok());
    let next = ran.stderr.lines().filter(|line| line.starts_with("next:"));
    Ended {
        by: by.to_owned(),
        iterations: iterations.expect("a number of iterations"),
        is_done: is_done(env, agent),
        next: next.collect::<Vec<_>>().join("\n"),
    }
}

/// Copies a test runner of JavaScript, which `scripts/nightly` has installed: agents change it.
#[expect(
    clippy::disallowed_methods,
    reason = "the script that starts the test says where they are"
)]
fn install_modules(env: &Env, runner: &str) {
    let runners =
        std::env::var_os("WINDLASS_JS_RUNNERS").expect("`scripts/nightly` says where they are");
    let from = format!("{}/{runner}/node_modules", Path::new(&runners).display());
    env.other("cp", ["-a", &from, "."]).run().success();
}

/// Lets checks call the cargo that runs these tests, which is not on the path of a test's world.
fn install_cargo(env: &Env) {
    let folder = Path::new(env!("CARGO")).parent().expect("a program is in a folder").display();
    env.install("cargo", &format!("PATH={folder}:$PATH exec {folder}/cargo \"$@\""));
}

/// Runs the loop, with these arguments more.
pub(super) fn run(env: &Env, agent: &Agent, more: &[String]) -> Ran {
    let mut call = env.command([agent.kind, "--json"]).limit(LIMIT);
    if agent.kind != "tasks" {
        call = call.args(["-p", agent.prompt]);
    }
    call = played(env, agent, call).args(&agent.args);
    if let Some(check) = &agent.check {
        call = call.arg("--check").arg(check);
    }
    call.args(more).run()
}

/// With the agent's program.
fn played<'a>(env: &Env, agent: &Agent, call: Invocation<'a>) -> Invocation<'a> {
    match &agent.plays {
        Plays::Script(script) => {
            call.args(["--agent", "scripted", "--script"]).arg(env.script(script))
        }
        Plays::Shell(body) => call.arg("-c").arg(env.agent_sh(body)),
        Plays::Claude(body) => {
            let program = env.agent_sh(body).display().to_string();
            let table = format!("[agents.gym]\ncommand = ['{program}']\ndecoder = 'claude'\n");
            user_config(env, &table);
            call.args(["--agent", "gym"])
        }
    }
}
