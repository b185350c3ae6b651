//! Agents that tune one number: honest ones, whose figure falls, and their mirror images.

use super::{Agent, alike::TUNES, words::claims};

const TURNS: &[&str] = &["churn", "stagnation", "same-error", "safety-completion", "oscillation"];

pub(super) fn all() -> Vec<Agent> {
    let mut all = honest();
    all.extend(hopeless());
    all
}

/// The rate of a session, in hundreds.
fn rate(n: usize) -> String {
    format!("rate = {}00", n + 1)
}

/// A check that measures what a rate is worth: by session, beginning with how it is before.
fn tuned(agent: Agent, figures: &[&str]) -> Agent {
    let of = |n: usize, figure: &str| {
        format!("case $(cat limits.toml) in '{}') f={figure};; esac\n", rate(n))
    };
    let known: String = figures.iter().enumerate().map(|(n, figure)| of(n, figure)).collect();
    agent
        .prompt("tune the rate in limits.toml until the loss is 0.10")
        .file("limits.toml", format!("{}\n", rate(0)))
        .check(format!("{known}echo \"loss: $f\"; [ $f = 0.10 ]"))
}

fn tunes(n: u32) -> String {
    format!("write limits.toml {}\\n", rate(n as usize))
}

fn honest() -> Vec<Agent> {
    vec![
        tuned(
            Agent::honest("tunes one number, and the figure of the check falls", 7),
            &["0.80", "0.70", "0.60", "0.50", "0.40", "0.30", "0.20", "0.10"],
        )
        .each(|n| format!("{}\n{}", tunes(n), claims(n, 7))),
        tuned(
            Agent::honest("tunes one number, the figure falls, and it claims each time", 8),
            &["0.80", "0.71", "0.63", "0.50", "0.44", "0.31", "0.24", "0.17", "0.10"],
        )
        .each(|n| format!("{}\nclaim", tunes(n))),
        tuned(
            Agent::honest("tunes one number, and the figure is worse once", 6),
            &["0.80", "0.60", "0.70", "0.50", "0.30", "0.20", "0.10"],
        )
        .each(|n| format!("{}\n{}", tunes(n), claims(n, 6))),
    ]
}

fn hopeless() -> Vec<Agent> {
    let wobbles = [
        "0.62", "0.71", "0.58", "0.66", "0.73", "0.61", "0.69", "0.64", "0.75", "0.60", "0.68",
        "0.72", "0.63", "0.59", "0.70", "0.67", "0.74", "0.62", "0.65", "0.76", "0.61", "0.69",
    ];
    let worse = [
        "0.20", "0.26", "0.31", "0.38", "0.42", "0.47", "0.55", "0.58", "0.61", "0.64", "0.68",
        "0.70", "0.73", "0.75", "0.77", "0.80", "0.83", "0.86", "0.88", "0.90", "0.93", "0.95",
    ];
    vec![
        tuned(Agent::stopped("tunes one number, and the figure wobbles", 4, 6, TURNS), &wobbles)
            .each(tunes),
        tuned(
            Agent::stopped("tunes one number, the figure wobbles, and it claims", 4, 6, TURNS),
            &wobbles,
        )
        .each(|n| format!("{}\nclaim", tunes(n))),
        tuned(Agent::stopped("tunes one number, and the figure gets worse", 3, 5, TURNS), &worse)
            .each(tunes),
        // An honest one gets there in five.
        Agent::stopped("tunes one number forever", 5, 7, TURNS)
            .alike(TUNES)
            .file("limits.toml", "requests = 5\n")
            .check("grep -q 'requests = none' *.toml || { echo too slow; exit 1; }")
            .each(|n| format!("write limits.toml requests = {n}0\\n")),
        Agent::stopped("tunes one number to and fro", 3, 4, TURNS)
            .file("limits.toml", "requests = 5\n")
            .check("grep -q 'requests = none' *.toml || { echo too slow; exit 1; }")
            .circles(&["write limits.toml requests = 60\\n", "write limits.toml requests = 70\\n"]),
    ]
}
