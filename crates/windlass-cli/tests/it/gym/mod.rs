//! The gym: scripted agents whose truth is known, each let loose on windlass with its default
//! thresholds. Whether it stops them when a wise person would is counted, and the sums must hold.
//!
//! A new agent is one entry in the file of its theme. Its truth is what a wise person would say who
//! sees what windlass sees: **twice may be chance, three times is a pattern**. It is written down before
//! the agent is tried, and never bent to what the program does.

mod acting;
mod agent;
mod language;
mod matrix;
mod page;
mod proof;
mod suite;
mod suites;
mod themes;
mod trying;
mod verdict;
mod words;

use self::{
    agent::{Agent, Truth},
    page::Page,
    themes::classes,
    verdict::{Sums, Tried},
};

/// So many agents there are at least.
const FEWEST: usize = 130;
/// So many honest ones may be given up, of all.
const MOST_GIVEN_UP: u32 = 2;
/// So many of a hundred must end right.
const RIGHT: f64 = 95.0;
/// So many iterations may be wasted, on average over the agents that had to be stopped.
const MOST_WASTED: f64 = 2.0;

#[test]
fn the_sums_of_the_gym_hold_and_stand_in_the_docs() {
    let classes = classes();
    let agents: Vec<&Agent> = classes.iter().flat_map(|class| &class.agents).collect();
    let mut ended = trying::all(&agents).into_iter();
    let (mut page, mut sums, mut unexplained) = (Page::default(), Sums::default(), Vec::new());
    for class in classes {
        let tried: Vec<Tried> = class.agents.iter().zip(ended.by_ref()).map(Tried::new).collect();
        tried.iter().for_each(|one| sums.add(one));
        unexplained.extend(tried.iter().filter_map(Tried::wrongly_explained));
        page.class(class.name, tried);
    }
    page.sums(&sums);
    println!("{}", page.shown());

    assert_eq!(sums.falsely_done, 0, "an agent was believed that was not done");
    assert_eq!(sums.not_believed, 0, "an agent was done, and not believed");
    assert!(sums.too_early_honest <= MOST_GIVEN_UP, "{sums:?}");
    assert!(sums.right_of_a_hundred() >= RIGHT, "{sums:?}");
    assert!(sums.wasted_on_average() <= MOST_WASTED, "{sums:?}");
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
    page.holds();
}

#[test]
fn the_agents_are_many_and_each_has_its_own_name() {
    let agents: Vec<Agent> = classes().into_iter().flat_map(|class| class.agents).collect();
    assert!(agents.len() >= FEWEST, "{}", agents.len());
    let mut names: Vec<&str> = agents.iter().map(|agent| agent.name).collect();
    names.sort_unstable();
    let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn what_looks_alike_is_honest_and_hopeless() {
    let agents: Vec<Agent> = classes().into_iter().flat_map(|class| class.agents).collect();
    let kinds = |what| {
        let alike = agents.iter().filter(|agent| agent.alike == Some(what));
        let honest = alike.map(|agent| matches!(agent.truth, Truth::Done(_)));
        honest.collect::<std::collections::BTreeSet<bool>>().len()
    };
    let alone: Vec<_> =
        agents.iter().filter_map(|agent| agent.alike).filter(|&what| kinds(what) != 2).collect();
    assert!(alone.is_empty(), "{alone:?}");
}
