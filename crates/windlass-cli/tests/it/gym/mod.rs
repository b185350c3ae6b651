//! The gym: scripted agents whose truth is known, each let loose on windlass with its default
//! thresholds. Whether it stops them when a wise person would is counted, and the sums must hold.
//!
//! A new agent is one entry in the file of its theme. Its truth is what a wise person would say who
//! sees what windlass sees: **twice may be chance, three times is a pattern**. It is written down before
//! the agent is tried, and never bent to what the program does.

mod agent;
mod circling;
mod failing;
mod honest;
mod limits;
mod lying;
mod page;
mod proof;
mod standing;
mod tasks;
mod trying;
mod verdict;

use self::{
    agent::Agent,
    page::Page,
    verdict::{Sums, Tried, Verdict},
};

/// So many iterations may be wasted, on average over the agents that had to be stopped.
const MOST_WASTED: f64 = 2.0;

/// The agents, under the heading of their theme.
fn themes() -> Vec<(&'static str, Vec<Agent>)> {
    vec![
        ("Honest work", honest::all()),
        ("Task files", tasks::all()),
        ("Standing still", standing::all()),
        ("Going in circles", circling::all()),
        ("Claims that are not true", lying::all()),
        ("Failing", failing::all()),
    ]
}

#[test]
fn the_sums_of_the_gym_hold_and_stand_in_the_docs() {
    let (themes, limits) = (themes(), limits::all());
    let agents: Vec<&Agent> = themes.iter().flat_map(|(_, agents)| agents).chain(&limits).collect();
    let mut ended = trying::all(&agents).into_iter();
    let (mut page, mut sums) = (Page::default(), Sums::default());
    for (theme, agents) in themes {
        let tried: Vec<Tried> = agents.into_iter().zip(ended.by_ref()).map(Tried::new).collect();
        tried.iter().for_each(|one| sums.add(one));
        page.table(theme, &tried);
    }
    page.sums(&sums);
    let limits: Vec<Tried> = limits.into_iter().zip(ended).map(Tried::new).collect();
    page.limits(&limits);
    println!("{}", page.shown());

    assert_eq!(sums.falsely_done, 0, "an agent was believed that was not done");
    assert_eq!(sums.too_early, 0, "an agent was stopped that was getting there");
    assert_eq!(sums.not_believed, 0, "an agent was done, and not believed");
    assert_eq!(sums.other_reason, 0, "an agent was stopped for a reason that is not true");
    assert!(sums.wasted_on_average() <= MOST_WASTED, "{sums:?}");
    let falsely_done = limits.iter().filter(|one| one.verdict() == Verdict::FalselyDone).count();
    assert_eq!(falsely_done, 0, "no limit of the rules excuses that");
    let mended = limits.iter().filter(|one| one.verdict() == Verdict::Right);
    let mended: Vec<_> = mended.map(|one| one.name).collect();
    assert!(mended.is_empty(), "no limits any more, so they belong to a theme: {mended:?}");
    page.holds();
}
