//! Agents that work for a reviewer: one who finds something new each time, and one who finds the same
//! forever.

use super::{
    Agent,
    Language::Python,
    words::{letter, report, way},
};

pub(super) fn all() -> Vec<Agent> {
    let points = |says: &str| format!("as reviewer\nsay FEEDBACK: 1. {says}");
    let approves = "as reviewer\nsay All points are dealt with.\\n\\nAPPROVED";
    let part = |n: u32| format!("as developer\nwrite {}.txt ok", letter(n));
    let forever: &[&str] = &["escalated", "max_iterations", "stalled", "stagnation", "oscillation"];
    let same = "`a.txt`: greet the world.";
    vec![
        Agent::honest("has a reviewer who finds something new, and deals with it", 3)
            .reviewed()
            .each(move |n| match n {
                1 | 2 => format!("{}\n{}", part(n), points(report(n))),
                _ => format!("{}\n{approves}", part(3)),
            }),
        Agent::honest("has a reviewer who finds something new three times", 4)
            .reviewed()
            .parts(4)
            .each(move |n| match n {
                1..=3 => format!("{}\n{}", part(n), points(report(n))),
                _ => format!("{}\n{approves}", part(4)),
            }),
        Agent::stopped("has a reviewer who finds the same, and does nothing", 3, 5, forever)
            .reviewed()
            .each(move |n| {
                let first =
                    if n == 1 { part(1) } else { "as developer\nsay I did that.".to_owned() };
                format!("{first}\n{}", points(same))
            }),
        Agent::stopped("has a reviewer who finds the same, and does something else", 3, 5, forever)
            .reviewed()
            .each(move |n| {
                let other = Python.tries("calc", way(n));
                format!("as developer\n{other}\n{}", points(same))
            }),
    ]
}
