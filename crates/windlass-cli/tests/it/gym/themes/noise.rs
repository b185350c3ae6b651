//! Agents whose check is noisy: timings whose width changes, ids, tests in another order. Noise is no
//! progress, and hides none.

use super::{
    Agent,
    Language::{Go, JavaScript, Python, Rust},
    Suite,
    words::{NAMES, claims, name, report, way},
};

const SAME: &[&str] = &["stagnation", "same-error", "safety-completion", "churn"];

pub(super) fn all() -> Vec<Agent> {
    vec![
        Agent::honest("fixes one more test each time, below 40 KB of timings", 7)
            .tested(&Suite::of(Rust, &NAMES[..7]).noisy())
            .each(|n| format!("{}\nclaim", Rust.adds(name(n)))),
        Agent::honest("fixes one more test each time, in tests of another order", 6)
            .tested(&Suite::of(JavaScript, &NAMES[..6]).shuffled())
            .each(|n| format!("{}\n{}", JavaScript.adds(name(n)), claims(n, 6))),
        Agent::honest("writes what git ignores, and 40 KB of timings hide what is fixed", 6)
            .file(".gitignore", "generated/\n")
            .tested(&Suite::of(Python, &NAMES[..6]).below("generated").noisy())
            .each(|n| {
                let source = super::words::escaped(&Python.right(name(n)));
                format!("write generated/{}.py {source}\n{}", name(n), claims(n, 6))
            }),
        Agent::stopped(
            "claims and does nothing, and the check prints 40 KB of timings",
            3,
            4,
            SAME,
        )
        .tested(&Suite::of(Rust, &NAMES[..4]).noisy())
        .plays(&["claim"]),
        Agent::stopped("claims with a note, and the check prints 40 KB of timings", 3, 5, SAME)
            .tested(&Suite::of(Python, &NAMES[..4]).noisy())
            .each(|n| format!("append notes.md {}\\n\nclaim", report(n))),
        Agent::stopped("keeps notes, and the check prints 40 KB of timings", 3, 5, SAME)
            .tested(&Suite::of(Go, &NAMES[..4]).noisy())
            .each(|n| format!("append notes.md {}\\n", report(n))),
        Agent::stopped("rewrites one function, claims, and tests run in another order", 3, 6, SAME)
            .tested(&Suite::of(Go, &NAMES[..4]).shuffled())
            .each(|n| format!("{}\nclaim", Go.tries("alpha", way(n)))),
        Agent::stopped("does nothing, and tests run in another order", 3, 4, SAME)
            .tested(&Suite::of(JavaScript, &NAMES[..4]).shuffled())
            .plays(&["say hm"]),
    ]
}
