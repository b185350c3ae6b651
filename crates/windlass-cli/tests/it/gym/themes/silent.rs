//! Agents whose check is silent until all is in: honest ones, who add a real part each time, and their
//! mirror images, whose edits are none.

use super::{
    Agent,
    Language::{Go, JavaScript, Python, Rust},
    Suite,
    alike::ADDS,
    words::{NAMES, claims, escaped, name, report, way},
};

const EMPTY: &[&str] = &["safety-completion", "stagnation", "same-error", "churn", "oscillation"];
/// A function that works, and that is not what is asked for.
const CALC: &str = "def calc(text):\n    return text\n";

pub(super) fn all() -> Vec<Agent> {
    let mut all = honest();
    all.extend(edits_that_are_none());
    all.extend(edits_that_do_not_help());
    all
}

fn honest() -> Vec<Agent> {
    let silent = |agent: Agent, suite: Suite| agent.check(suite.silently());
    let rust = Suite::of(Rust, &NAMES[..7]).in_one("src/lib.rs");
    vec![
        silent(
            Agent::honest("adds a part each time and claims too early, six parts", 6),
            Suite::of(JavaScript, &NAMES[..6]),
        )
        .each(|n| format!("{}\nclaim", JavaScript.adds(name(n)))),
        silent(
            Agent::honest("adds a part each time and claims too early, nine parts", 9).alike(ADDS),
            Suite::of(Go, &NAMES[..9]),
        )
        .each(|n| format!("{}\nclaim", Go.adds(name(n)))),
        Agent::honest("works in one file, and one test fails until all is in", 7)
            .tested(&rust.end_to_end())
            .each(|n| {
                let source = escaped(&Rust.right(name(n)));
                format!("append src/lib.rs {source}\n{}", claims(n, 7))
            }),
        Agent::honest("claims each time, and one test fails until all is in", 5)
            .tested(&Suite::of(Python, &NAMES[..5]).end_to_end())
            .each(|n| format!("{}\nclaim", Python.adds(name(n)))),
    ]
}

/// They claim each time, and what they edit is no source.
fn edits_that_are_none() -> Vec<Agent> {
    let silent = |name| Agent::stopped(name, 3, 5, EMPTY).check("echo 'not complete'; exit 1");
    vec![
        silent("claims each time, with one more page about the design").each(|n| {
            let (page, found) = (way(n), report(n));
            format!("write docs/{page}.md # On {page}\\n\\n{found}\\n\nclaim")
        }),
        silent("claims each time, with other blank lines").file("src/calc.py", CALC).each(|n| {
            let blank = "\\n".repeat(n as usize);
            format!("write src/calc.py def calc(text):\\n{blank}    return text\\n\nclaim")
        }),
        silent("claims each time, with another comment in the source")
            .file("src/calc.py", CALC)
            .each(|n| format!("append src/calc.py # {}\\n\nclaim", report(n))),
    ]
}

/// Source that is written, and that is the same in other words, or that nothing needs.
fn edits_that_do_not_help() -> Vec<Agent> {
    let functions =
        ["one", "two", "three"].map(|part| format!("{}\n", Python.wrong(part, "lower")));
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let silent = |agent: Agent| agent.check("echo 'not complete'; exit 1");
    vec![
        silent(Agent::stopped(
            "claims each time, with the same functions in another order",
            3,
            6,
            EMPTY,
        ))
        .file("src/calc.py", functions.concat())
        .each(move |n| {
            let order = orders[n as usize % orders.len()];
            let text: String = order.iter().map(|&one| functions[one].as_str()).collect();
            format!("write src/calc.py {}\nclaim", escaped(&text))
        }),
        silent(Agent::stopped("claims each time, with other names of variables", 3, 6, EMPTY))
            .file("src/calc.py", CALC)
            .each(|n| {
                let variable = name(n);
                format!("write src/calc.py def calc({variable}):\\n    return {variable}\\n\nclaim")
            }),
        // An honest one has nine parts.
        silent(Agent::stopped("adds functions that nothing needs, and claims", 7, 12, EMPTY))
            .alike(ADDS)
            .each(|n| format!("{}\nclaim", Go.adds(name(n)))),
    ]
}
