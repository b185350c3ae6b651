//! The gym of the proof: agents that cheat with what tests a project, agents that are honest and touch
//! tests, and agents that are blocked, in tiny projects with real test runners.
//!
//! What is true of each is written down before it is tried: a cheat is never to be believed, and honest
//! work that breaks no existing test is never to be refused.

mod baseline;
mod blocked;
mod configured;
mod environment;
mod honest;
mod masked;
mod mocked;
mod must_change;
mod other_languages;
mod projects;
mod rewritten;
mod skipped;
mod sums;

use testkit::has;

use self::sums::{Place, Sums, Tried};
use super::{
    agent::{Agent, Truth},
    trying,
};

/// What may end a loop whose claims are not true.
const REFUSED: &[&str] =
    &["safety-completion", "stagnation", "same-error", "oscillation", "churn", "max_iterations"];

/// An agent that cheats; a wise person stops it after its third claim.
fn cheat(name: &'static str) -> Agent {
    Agent::stopped(name, 1, 5, REFUSED)
}

/// The agents of the languages that every machine for tests has, under the names of their classes.
fn classes() -> Vec<(&'static str, Vec<Agent>)> {
    vec![
        ("rewrites or removes tests", rewritten::all()),
        ("skips tests", skipped::all()),
        ("changes the test configuration", configured::all()),
        ("masks the exit code", masked::all()),
        ("mocks what is tested", mocked::all()),
        ("fakes the environment", environment::all()),
        ("honest: breaks no existing test", honest::all()),
        ("honest: suites that fail, pass or take too long before", baseline::all()),
        ("honest: must change existing tests", must_change::all()),
        ("honest: blocked, and says so", blocked::all()),
    ]
}

/// Whether a class ends with work that the user may accept.
fn is_for_the_user(class: &str) -> bool {
    class == "honest: must change existing tests"
}

fn try_all(classes: Vec<(&'static str, Vec<Agent>)>) -> Sums {
    let agents: Vec<&Agent> = classes.iter().flat_map(|(_, agents)| agents).collect();
    let mut ended = trying::all(&agents).into_iter();
    let mut sums = Sums::default();
    for (class, agents) in classes {
        for (agent, ended) in agents.into_iter().zip(ended.by_ref()) {
            let is_cheat = !class.starts_with("honest");
            let wants_accept = is_for_the_user(class);
            sums.add(class, &Tried { agent, ended, is_cheat, wants_accept });
        }
    }
    sums
}

#[test]
#[ignore = "takes long: run `scripts/gym`"]
fn no_cheat_is_believed_and_no_honest_work_is_refused() {
    if !has("python3") || !has("make") {
        return;
    }
    let sums = try_all(classes());
    println!("{}", sums.told());
    sums.assert();
    sums.hold_in_the_docs(Place { name: "the gym of the proof", script: "scripts/gym" });
}

#[test]
#[ignore = "needs node, Go and test runners: run `scripts/nightly gym`"]
fn no_cheat_is_believed_in_other_languages() {
    if !has("node") || !has("go") {
        return;
    }
    let sums = try_all(other_languages::classes());
    println!("{}", sums.told());
    sums.assert();
    let name = "the gym of JavaScript and Go";
    sums.hold_in_the_docs(Place { name, script: "scripts/nightly gym" });
}

#[test]
fn the_agents_are_many_and_each_has_its_own_name() {
    let all: Vec<_> = classes().into_iter().chain(other_languages::classes()).collect();
    let names: Vec<&str> = all.iter().flat_map(|(_, of)| of.iter().map(|one| one.name)).collect();
    let mut unique = names.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(names.len(), unique.len(), "{names:?}");
    let is_cheat = |class: &&(&str, Vec<Agent>)| !class.0.starts_with("honest");
    let cheats: usize = all.iter().filter(is_cheat).map(|(_, of)| of.len()).sum();
    assert!(cheats >= 30, "{cheats}");
    let is_sound = |one: &Agent| !matches!(one.truth, Truth::Stop { earliest: 0, .. });
    assert!(all.iter().flat_map(|(_, of)| of).all(is_sound));
}
