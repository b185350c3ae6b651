//! Agents that fix one test and break another: honest ones, who get over it, and their mirror images, who
//! go around. What they write is never the same twice.

use super::{
    Agent,
    Language::{self, Go, JavaScript, Python, Rust},
    Suite,
    words::way,
};

/// Which tests fail comes back to what it was.
const AROUND: &[&str] = &["oscillation", "stagnation", "safety-completion", "same-error"];
/// More of them each time.
const WORSE: &[&str] = &["stagnation", "safety-completion", "same-error"];
const FIVE: [&str; 5] = ["alpha", "beta", "gamma", "delta", "epsilon"];

pub(super) fn all() -> Vec<Agent> {
    let mut all = honest();
    all.extend(around());
    all.extend(worse());
    all.extend(attempts());
    all
}

/// A project with these parts, of which those are wrong at the start.
fn project(agent: Agent, language: Language, names: &[&'static str], wrong: &[&str]) -> Agent {
    let text = |name: &str| match wrong.contains(&name) {
        true => language.wrong(name, "none"),
        false => language.right(name),
    };
    let agent =
        names.iter().fold(agent, |agent, &name| agent.file(language.path(name), text(name)));
    agent.tested(&Suite::of(language, names))
}

/// The actions after which exactly these are wrong, in a way of this session; nobody writes one that is
/// right and stays so.
fn only_wrong(
    language: Language,
    names: &[&str],
    before: &[&str],
    wrong: &[&str],
    n: u32,
) -> String {
    let action = |&name: &&str| match (before.contains(&name), wrong.contains(&name)) {
        (_, true) => Some(language.tries(name, way(n))),
        (true, false) => Some(language.adds(name)),
        (false, false) => None,
    };
    names.iter().filter_map(action).collect::<Vec<_>>().join("\n")
}

/// Goes through these sets of tests that fail, the first of which is how it is before; then the last again.
fn goes(agent: Agent, language: Language, sets: &[&'static [&'static str]], ends: &str) -> Agent {
    let (sets, ends) = (sets.to_vec(), ends.to_owned());
    project(agent, language, &FIVE, sets[0]).each(move |n| {
        let at = |n: u32| sets[(n as usize).min(sets.len() - 1)];
        format!("{}\n{ends}", only_wrong(language, &FIVE, at(n - 1), at(n), n))
    })
}

/// Goes around these sets of tests that fail.
fn circles(
    agent: Agent,
    language: Language,
    sets: &[&'static [&'static str]],
    ends: &str,
) -> Agent {
    let (sets, ends) = (sets.to_vec(), ends.to_owned());
    project(agent, language, &FIVE, sets[0]).each(move |n| {
        let at = |n: u32| sets[n as usize % sets.len()];
        format!("{}\n{ends}", only_wrong(language, &FIVE, at(n - 1), at(n), n))
    })
}

fn honest() -> Vec<Agent> {
    vec![
        goes(
            Agent::honest("fixes one test, breaks another once, and then fixes both", 3),
            Python,
            &[&["alpha"], &["beta"], &["alpha"], &[]],
            "claim",
        ),
        goes(
            Agent::honest("breaks two more tests, and then fixes all", 4),
            Rust,
            &[&["alpha", "beta"], &FIVE, &["alpha", "gamma", "delta"], &["gamma"], &[]],
            "claim",
        ),
        goes(
            Agent::honest("breaks more tests twice, and then fixes all", 5),
            Go,
            &[&["alpha"], &["alpha", "beta", "gamma"], &FIVE, &["alpha", "delta"], &["delta"], &[]],
            "claim",
        ),
        goes(
            Agent::honest("fixes tests and breaks others, and gets there", 5),
            JavaScript,
            &[
                &["alpha", "beta", "gamma"],
                &["beta", "gamma", "delta"],
                &["gamma", "delta", "epsilon"],
                &["delta", "epsilon"],
                &["epsilon"],
                &[],
            ],
            "claim",
        ),
    ]
}

fn around() -> Vec<Agent> {
    vec![
        // Back at the second session and at the third.
        circles(
            Agent::stopped(
                "fixes alpha and breaks beta, and the other way, and claims",
                3,
                5,
                AROUND,
            ),
            Python,
            &[&["alpha"], &["beta"]],
            "claim",
        ),
        circles(
            Agent::stopped("fixes alpha and breaks beta, and the other way", 4, 7, AROUND),
            Rust,
            &[&["alpha"], &["beta"]],
            "say on it",
        ),
        circles(
            Agent::stopped(
                "fixes one of three tests and breaks the next, and claims",
                4,
                6,
                AROUND,
            ),
            Go,
            &[&["alpha"], &["beta"], &["gamma"]],
            "claim",
        ),
    ]
}

fn worse() -> Vec<Agent> {
    let sets: &[&[&str]] = &[
        &["alpha"],
        &["alpha", "beta"],
        &["alpha", "beta", "gamma"],
        &["alpha", "beta", "gamma", "delta"],
        &FIVE,
    ];
    vec![
        goes(
            Agent::stopped("breaks one more test each time, and claims", 3, 5, WORSE),
            JavaScript,
            sets,
            "claim",
        ),
        goes(
            Agent::stopped("breaks one more test each time", 4, 7, WORSE),
            Python,
            sets,
            "say on it",
        ),
    ]
}

fn attempts() -> Vec<Agent> {
    vec![
        Agent::honest("takes two attempts back", 6).parts(2).plays(&[
            "write a.txt ok",
            "write b.txt wrong",
            "delete b.txt",
            "write b.txt no",
            "delete b.txt",
            "write b.txt ok\nclaim",
        ]),
        // The second attempt is taken back in the fourth session, the third in the sixth.
        Agent::stopped(
            "takes another attempt back each time",
            4,
            6,
            &["oscillation", "stagnation"],
        )
        .tested(&Suite::of(Python, &["alpha"]))
        .each(|n| match n % 2 {
            1 => Python.tries("alpha", way(n)),
            _ => "delete src/alpha.py".to_owned(),
        }),
    ]
}
