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

use testkit::{Env, Ran};

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
    let ended: Vec<OnceLock<Ended>> = agents.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(agent) = agents.get(index) else { break };
                    ended[index].set(try_out(agent)).expect("each is tried once");
                }
            });
        }
    });
    ended.into_iter().map(|one| one.into_inner().expect("each was tried")).collect()
}

fn try_out(agent: &Agent) -> Ended {
    let env = world().with_baselines();
    for (path, text) in &agent.files {
        env.write(path, text);
    }
    if !agent.files.is_empty() {
        env.git(["add", "--all"]);
        env.git(["commit", "--quiet", "--message=files"]);
    }
    for (path, text) in &agent.dirty {
        env.write(path, text);
    }
    if let Some(runner) = agent.modules {
        install_modules(&env, runner);
    }
    install_cargo(&env);
    let ran = run(&env, agent);
    let result = ran.json();
    let ending = &result["ending"];
    let by = ending["rule"].as_str().or(ending["type"].as_str()).expect("it has ended");
    let iterations = result["iterations"].as_u64().and_then(|n| u32::try_from(n).ok());
    let looked = env.other("sh", ["-c", &agent.is_done]).run();
    Ended {
        by: by.to_owned(),
        iterations: iterations.expect("a number of iterations"),
        is_done: looked.code == Some(0),
        next: ran
            .stderr
            .lines()
            .filter(|line| line.starts_with("next:"))
            .collect::<Vec<_>>()
            .join("\n"),
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

fn run(env: &Env, agent: &Agent) -> Ran {
    let is_tasks = agent.args.contains(&"--tasks");
    let begin: &[&str] = if is_tasks { &["tasks"] } else { &["iterate", "-p", "do all parts"] };
    let mut call = env.command(begin).arg("--json").limit(LIMIT);
    call = match &agent.plays {
        Plays::Script(script) => {
            call.arg("--agent").arg("scripted").arg("--script").arg(env.script(script))
        }
        Plays::Shell(body) => call.arg("-c").arg(env.agent_sh(body)),
        Plays::Claude(body) => {
            let program = env.agent_sh(body).display().to_string();
            let table = format!("[agents.gym]\ncommand = ['{program}']\ndecoder = 'claude'\n");
            user_config(env, &table);
            call.arg("--agent").arg("gym")
        }
    };
    call = agent.args.iter().fold(call, |call, arg| call.arg(arg));
    if let Some(check) = &agent.check {
        call = call.arg("--check").arg(check);
    }
    call.run()
}
