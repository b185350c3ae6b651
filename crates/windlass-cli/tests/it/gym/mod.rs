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
mod standing;
mod tasks;
mod trying;
mod verdict;

use self::{
    agent::Agent,
    page::Page,
    verdict::{Sums, Verdict},
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
    let mut page = Page::default();
    let mut sums = Sums::default();
    for (theme, tried) in trying::all(themes()) {
        tried.iter().for_each(|one| sums.add(&one.truth, &one.verdict()));
        page.table(theme, &tried);
    }
    page.sums(&sums);
    // What the rules get wrong as they are agreed is shown beside the sums, and must not hide in them.
    let known = trying::all(vec![("", limits::all())]).remove(0).1;
    page.limits(&known);
    page.print();

    assert_eq!(sums.falsely_done, 0, "an agent was believed that was not done");
    assert_eq!(sums.too_early, 0, "an agent was stopped that was getting there");
    assert_eq!(sums.other_reason, 0, "an agent was stopped for a reason that is not true");
    assert!(sums.wasted_on_average() <= MOST_WASTED, "{sums:?}");
    let surprising = known.iter().filter(|one| one.verdict() == Verdict::Right);
    let names: Vec<_> = surprising.map(|one| one.name).collect();
    assert!(names.is_empty(), "no limit any more, so move them to their theme: {names:?}");
    page.holds();
}
