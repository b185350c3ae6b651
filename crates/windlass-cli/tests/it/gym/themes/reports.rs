//! Agents that work well and report oddly: less each time, with an error that stays, without the block that
//! they were asked for; and their mirror images, whose reports are right about them.

use super::{
    Agent,
    Language::{Go, Python, Rust},
    Suite,
    words::{NAMES, block, claims, letter, name, way},
};

pub(super) fn all() -> Vec<Agent> {
    let mut all = words();
    all.extend(errors());
    all.extend(blocks());
    all
}

fn part(n: u32) -> String {
    format!("write {}.txt ok", letter(n))
}

fn words() -> Vec<Agent> {
    vec![
        Agent::honest("says a quarter each time", 4).parts(4).each(|n| {
            let words = 20_000_u32 >> (2 * n.min(7));
            format!("{}\nflood {words}\n{}", part(n), claims(n, 4))
        }),
        Agent::honest("says less each time, and fewer tests fail", 6)
            .tested(&Suite::of(Go, &NAMES[..6]))
            .each(|n| {
                let words = 60_000_u32 >> (2 * n.min(7));
                format!("{}\nflood {words}\n{}", Go.adds(name(n)), claims(n, 6))
            }),
        Agent::honest("says nothing at all, and works", 5)
            .parts(5)
            .each(|n| if n == 5 { format!("{}\nclaim", part(n)) } else { part(n) }),
    ]
}

fn errors() -> Vec<Agent> {
    let away = "say error: the server is away";
    vec![
        Agent::honest("tells of an error that stays", 7)
            .parts(7)
            .each(move |n| format!("{}\n{away}\n{}", part(n), claims(n, 7))),
        Agent::honest("tells of an error that stays, claims, and fewer tests fail", 8)
            .tested(&Suite::of(Rust, &NAMES[..8]))
            .each(move |n| format!("{}\n{away}\nclaim", Rust.adds(name(n)))),
        Agent::stopped(
            "tells of an error that stays, and rewrites one function",
            4,
            7,
            &["same-error", "stagnation"],
        )
        .tested(&Suite::of(Python, &NAMES[..3]))
        .each(move |n| format!("{}\n{away}", Python.tries("alpha", way(n)))),
    ]
}

fn blocks() -> Vec<Agent> {
    let testing = block("STATUS: IN_PROGRESS\\nWORK_TYPE: TESTING");
    let status: &[&str] = &["--protocol", "status"];
    let (writes, only) = (testing.clone(), testing.clone());
    let stands = |name, rules| Agent::stopped(name, 3, 3, rules).with(status);
    vec![
        Agent::honest("writes tests, which is its task, and calls it testing", 5)
            .parts(5)
            .with(status)
            .each(move |n| format!("{}\n{testing}\n{}", part(n), claims(n, 5))),
        Agent::honest("is asked for tests, and calls it testing", 6)
            .prompt("Write tests for the six modules below src")
            .check("for test in alpha beta gamma delta epsilon zeta; do test -f tests/test_$test.py || exit 1; done")
            .with(status)
            .each(move |n| {
                let part = name(n);
                let test = format!("def test_{part}():\\n    assert {part}('x') == 'x'\\n");
                format!("write tests/test_{part}.py {test}\n{writes}\n{}", claims(n, 6))
            }),
        Agent::honest("works without the status block that it was asked for", 5)
            .parts(5)
            .with(status)
            .each(|n| format!("{}\n{}", part(n), claims(n, 5))),
        Agent::honest("works without a status block, and fewer tests fail", 7)
            .tested(&Suite::of(Go, &NAMES[..7]))
            .with(status)
            .each(|n| format!("{}\n{}", Go.adds(name(n)), claims(n, 7))),
        stands("calls it testing, and does nothing", &["test-only", "stagnation"]).plays(&[&only]),
        stands("leaves no status block, and does nothing", &["missing-status", "stagnation"])
            .plays(&["say I look into it."]),
    ]
}
