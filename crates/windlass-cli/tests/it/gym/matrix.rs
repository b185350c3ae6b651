//! The gym with other thresholds: are errors fewest at the defaults?
//!
//! Every agent runs once with the defaults, and its journal is replayed with the other thresholds. Where
//! the replay says that another one would not have changed anything, what became of the loop holds for it
//! too. Where it would have, or came within one of it, the agent runs again for real: a replay does not
//! know what an agent does after the end, nor what checks say that were never run.

mod knob;

use std::{collections::BTreeSet, fmt::Write as _};

use testkit::Env;

use self::knob::{Knob, knobs};
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
    let settings: BTreeSet<String> = knobs.iter().flat_map(Knob::all_replayed).collect();
    let nights = side_by_side(&agents, |agent| night(agent, &settings));
    let again: Vec<Again> = runs_again(&knobs, &nights);
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
    println!("{}", table.text);
    assert!(table.better.is_empty(), "{}", table.better.join("\n"));
    hold(BEGIN, END, &format!("{BEGIN}\n{}\n{END}", table.text));
}

/// Lets an agent loose with the defaults, and replays its journal.
fn night(agent: &Agent, settings: &BTreeSet<String>) -> Night {
    let env = prepared(agent);
    let ended = ended(&env, agent, &run(&env, agent, &[]));
    let moved = moved(&env, &ended, settings);
    Night { ended, moved }
}

/// The settings with which a replay says that the loop would have ended otherwise.
fn moved(env: &Env, ended: &Ended, settings: &BTreeSet<String>) -> BTreeSet<String> {
    let call = env.command(["replay", "--json"]);
    let call = settings.iter().fold(call, |call, setting| call.arg("--set").arg(setting));
    let replayed = call.run().success().json();
    let rows = replayed["settings"].as_array().expect("a row a setting");
    assert_eq!(rows.len(), settings.len(), "they are in the order in which they were given");
    let by = match ended.by.as_str() {
        "agent_failed" => "agent-failing",
        by => by,
    };
    let is_moved = |stop: &serde_json::Value| match stop["iteration"].as_u64() {
        // It would have gone on to where it was done, or to the last allowed iteration.
        None => !matches!(by, "done" | "max_iterations"),
        Some(at) => at != u64::from(ended.iterations) || stop["rule"].as_str() != Some(by),
    };
    let moved = settings.iter().zip(rows).filter(|(_, row)| is_moved(&row["stop"]));
    moved.map(|(setting, _)| setting.clone()).collect()
}

/// The agents whose loops another threshold may have changed.
fn runs_again(knobs: &[Knob], nights: &[Night]) -> Vec<Again> {
    let mut again = Vec::new();
    for (at, knob) in knobs.iter().enumerate() {
        for value in knob.values().filter(|&value| value != knob.default) {
            let replayed = knob.replayed(value);
            for (agent, night) in nights.iter().enumerate() {
                if replayed.iter().any(|setting| night.moved.contains(setting)) {
                    again.push(Again { agent, knob: at, value });
                }
            }
        }
    }
    again
}

/// The rows, and the thresholds that are better than a default.
#[derive(Default)]
struct Table {
    text: String,
    better: Vec<String>,
    /// The errors of the rows of one rule: those of its default, and all others.
    of_default: Option<(u32, u32, u32)>,
    others: Vec<(u32, (u32, u32, u32))>,
}

impl Table {
    fn row(&mut self, knob: &Knob, value: u32, sums: &Sums, again: usize) {
        if self.text.is_empty() {
            self.text.push_str(
                "| rule | threshold | right | honest, given up early | hopeless, stopped early | \
                 hopeless, stopped late | iterations wasted | runs again |\n\
                 |---|---|---|---|---|---|---|---|\n",
            );
        }
        let Sums { right, too_early_honest, too_early, too_late, wasted, .. } = sums;
        let is_default = value == knob.default;
        let shown = if is_default { format!("**{value}**") } else { value.to_string() };
        let early = too_early - too_early_honest;
        let _ = writeln!(
            self.text,
            "| `{}` | {shown} | {right} | {too_early_honest} | {early} | {too_late} | {wasted} | \
             {again} |",
            knob.rule
        );
        self.compare(knob, value, (sums.agents - right, *too_early_honest, *wasted));
    }

    /// Misses decide; then honest agents that were given up; then what was wasted.
    fn compare(&mut self, knob: &Knob, value: u32, errors: (u32, u32, u32)) {
        if value == knob.default {
            self.of_default = Some(errors);
        } else {
            self.others.push((value, errors));
        }
        if Some(value) != knob.values().last() {
            return;
        }
        let of_default = self.of_default.take().expect("the default is among the values");
        let better = self.others.drain(..).filter(|(_, errors)| *errors < of_default);
        let told = better.map(|(value, errors)| {
            format!("{}: {value} has {errors:?}, the default {of_default:?}", knob.rule)
        });
        self.better.extend(told);
    }
}
