//! Lets agents act without windlass, to see that they are what they are said to be: the honest ones get
//! there in the session that their truth names, and no suite of the gym says so of the others.

use testkit::Env;

use super::{
    agent::{Agent, Plays, Truth},
    themes::classes,
    trying::{is_done, prepared, side_by_side},
};

/// These do the work and do not claim it, or change what says whether it is done.
const DONE_ALL_THE_SAME: &[&str] = &["has done all and never claims"];

#[test]
#[ignore = "takes long: run `scripts/gym`"]
fn honest_agents_get_there_and_hopeless_ones_do_not() {
    let agents: Vec<Agent> = classes().into_iter().flat_map(|class| class.agents).collect();
    let wrong = side_by_side(&agents, |agent| {
        let (sessions, should) = match agent.truth {
            Truth::Done(at) => (at, true),
            Truth::Stop { latest, .. } => (latest, DONE_ALL_THE_SAME.contains(&agent.name)),
        };
        let env = prepared(agent);
        let acts = actor(&env, agent);
        (1..=sessions).for_each(acts);
        (is_done(&env, agent) != should).then_some(agent.name)
    });
    let wrong: Vec<_> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// What acts in a session of that number.
fn actor<'a>(env: &'a Env, agent: &Agent) -> Box<dyn Fn(u32) + 'a> {
    let role = if agent.kind == "develop" { "developer" } else { "agent" };
    let path = match &agent.plays {
        Plays::Script(script) => {
            let path = env.script(script);
            let play = move |session: u32| {
                let call = env.command(["__windlass-scripted"]).arg(&path);
                drop(call.arg(session.to_string()).arg(role).run());
            };
            return Box::new(play);
        }
        Plays::Shell(body) | Plays::Claude(body) => env.agent_sh(body),
    };
    Box::new(move |_| drop(env.other(&path, [""; 0]).run()))
}
