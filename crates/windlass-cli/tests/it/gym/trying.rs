//! Lets agents loose: each in a world of its own, some side by side, with the defaults of the program.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use testkit::Env;

use super::{
    agent::{Agent, Plays, Truth},
    verdict::{Ended, Verdict},
};
use crate::{user_config, world};

/// So many side by side: some only wait, for a pause after a failed session.
const SIDE_BY_SIDE: usize = 4;

/// A loop of the gym takes a second or two; on a machine with other things to do, longer.
const LIMIT: Duration = Duration::from_secs(300);

/// An agent that was let loose.
pub(super) struct Tried {
    pub name: &'static str,
    pub truth: Truth,
    pub ended: Ended,
}

impl Tried {
    pub(super) fn verdict(&self) -> Verdict {
        Verdict::of(&self.truth, &self.ended)
    }
}

/// Lets all of them loose; gives them back in their order.
pub(super) fn all(themes: Vec<(&'static str, Vec<Agent>)>) -> Vec<(&'static str, Vec<Tried>)> {
    let agents: Vec<&Agent> = themes.iter().flat_map(|(_, agents)| agents).collect();
    let (next, ended) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                while let Some(agent) = agents.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let one = try_out(agent);
                    ended.lock().unwrap().push((agent.name, one));
                }
            });
        }
    });
    let mut ended = ended.into_inner().unwrap();
    let mut take = |name| {
        let at = ended.iter().position(|(other, _)| *other == name).expect("each was tried");
        ended.swap_remove(at).1
    };
    let tried = |agent: Agent, ended| Tried { name: agent.name, truth: agent.truth, ended };
    let of_theme = |agents: Vec<Agent>, take: &mut dyn FnMut(&'static str) -> Ended| {
        agents
            .into_iter()
            .map(|agent| {
                let ended = take(agent.name);
                tried(agent, ended)
            })
            .collect()
    };
    themes.into_iter().map(|(theme, agents)| (theme, of_theme(agents, &mut take))).collect()
}

fn try_out(agent: &Agent) -> Ended {
    let env = world();
    for (path, text) in &agent.files {
        env.write(path, text);
    }
    if !agent.files.is_empty() {
        env.git(["add", "--all"]);
        env.git(["commit", "--quiet", "--message=files"]);
    }
    let result = run(&env, agent);
    let ending = &result["ending"];
    let by = ending["rule"].as_str().or(ending["type"].as_str()).expect("it has ended");
    let iterations = result["iterations"].as_u64().and_then(|n| u32::try_from(n).ok());
    let looked = env.other("sh", ["-c", &agent.is_done]).run();
    Ended {
        by: by.to_owned(),
        iterations: iterations.expect("a number of iterations"),
        is_done: looked.code == Some(0),
    }
}

fn run(env: &Env, agent: &Agent) -> serde_json::Value {
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
    call.run().json()
}
