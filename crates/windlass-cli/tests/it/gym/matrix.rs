//! The gym with other thresholds: are errors fewest at the defaults?
//!
//! Every agent runs once with the defaults, and its journal is replayed with the other thresholds. Where
//! the replay says that another one would not have changed anything, what became of the loop holds for it
//! too. Where it may have, the agent runs again for real: a replay does not know what an agent does after
//! the end, nor what checks say that were never run.

mod knob;
mod table;

use std::collections::BTreeSet;

use serde_json::Value;
use testkit::Env;

use self::{
    knob::{Knob, knobs},
    table::Table,
};
use super::{
    agent::Agent,
    page::hold,
    themes::classes,
    trying::{ended, prepared, run, side_by_side},
    verdict::{Ended, Sums, Tried},
};

const BEGIN: &str = "<!-- The matrix of the gym, written by a test: scripts/gym --matrix -->\n";
const END: &str = "<!-- The end of the matrix of the gym -->\n";

/// What became of an agent with the defaults.
struct Night {
    ended: Ended,
    /// Other thresholds, as `replay` takes them, with which it would have ended otherwise.
    moved: BTreeSet<String>,
}

/// An agent that runs again.
struct Again {
    agent: usize,
    knob: usize,
    value: u32,
}

#[test]
#[ignore = "takes long: run `scripts/gym --matrix`"]
fn errors_are_fewest_at_the_defaults() {
    // Reviewed loops have most rules off.
    let agents = classes().into_iter().flat_map(|class| class.agents);
    let agents: Vec<Agent> = agents.filter(|agent| agent.kind != "develop").collect();
    let knobs = knobs();
    let settings = settings(&knobs);
    let nights = side_by_side(&agents, |agent| night(agent, &settings));
    let again: Vec<Again> = runs_again(&knobs, &nights);
    println!("{} agents, of which some run again: {} loops", agents.len(), again.len());
    let ended = side_by_side(&again, |one| {
        let (agent, knob) = (&agents[one.agent], &knobs[one.knob]);
        let env = prepared(agent);
        super::trying::ended(&env, agent, &run(&env, agent, &knob.flag(one.value)))
    });
    let mut table = Table::default();
    for (at, knob) in knobs.iter().enumerate() {
        for value in knob.values() {
            let is_here = |one: &&(&Again, &Ended)| one.0.knob == at && one.0.value == value;
            let runs: Vec<(&Again, &Ended)> = again.iter().zip(&ended).collect();
            let mut sums = Sums::default();
            for (index, agent) in agents.iter().enumerate() {
                let mut here = runs.iter().filter(is_here);
                let rerun = here.find(|(one, _)| one.agent == index).map(|(_, ended)| *ended);
                let ended = rerun.unwrap_or(&nights[index].ended).clone();
                sums.add(&Tried::new((agent, ended)));
            }
            table.row(knob, value, &sums, runs.iter().filter(is_here).count());
        }
    }
    println!("{}", table.told());
    assert!(table.wrong.is_empty(), "{}", table.wrong.join("\n"));
    hold(BEGIN, END, &format!("{BEGIN}\n{}\n{END}", table.told()));
}

/// What is replayed: first a default, then all that may change something.
fn settings(knobs: &[Knob]) -> Vec<String> {
    let first = knobs.iter().take(1).map(|knob| knob.replayed(knob.default));
    first.chain(knobs.iter().flat_map(Knob::all_replayed)).collect()
}

/// Lets an agent loose with the defaults, and replays its journal.
fn night(agent: &Agent, settings: &[String]) -> Night {
    let env = prepared(agent);
    let ended = ended(&env, agent, &run(&env, agent, &[]));
    let moved = moved(&env, settings);
    Night { ended, moved }
}

/// The settings with which a replay says that the loop would have ended otherwise.
fn moved(env: &Env, settings: &[String]) -> BTreeSet<String> {
    let call = env.command(["replay", "--json"]);
    let call = settings.iter().fold(call, |call, setting| call.arg("--set").arg(setting));
    let replayed = call.run().success().json();
    let rows = replayed["settings"].as_array().expect("a row a setting");
    assert_eq!(rows.len(), settings.len(), "they are in the order in which they were given");
    let stop = |row: &Value| (row["stop"]["iteration"].clone(), row["stop"]["rule"].clone());
    // The first is a default.
    let really = stop(&rows[0]);
    let moved = settings.iter().zip(rows).filter(|(_, row)| stop(row) != really);
    moved.map(|(setting, _)| setting.clone()).collect()
}

/// The agents whose loops another threshold may have changed.
fn runs_again(knobs: &[Knob], nights: &[Night]) -> Vec<Again> {
    let mut again = Vec::new();
    for (at, knob) in knobs.iter().enumerate() {
        for value in knob.values().filter(|&value| value != knob.default) {
            let replayed = knob.replayed(value);
            for (agent, night) in nights.iter().enumerate() {
                if night.moved.contains(&replayed) {
                    again.push(Again { agent, knob: at, value });
                }
            }
        }
    }
    again
}
