//! Agents whose check tells only figures: honest ones, whose figure gets better, and their mirror
//! images, whose figure stays, wobbles, gets worse, or counts something else.

use super::{
    Agent,
    Language::{self, Go, JavaScript, Python, Rust},
    Suite,
    alike::COUNTS,
    words::{NAMES, claims, letter, name, way},
};

/// The check says the same, or nothing better.
const NO_BETTER: &[&str] = &["stagnation", "safety-completion", "same-error", "churn"];
/// And its figure comes back to where it was.
const WOBBLES: &[&str] = &["stagnation", "safety-completion", "same-error", "churn", "oscillation"];

pub(super) fn all() -> Vec<Agent> {
    let mut all = numbers_of_tests();
    all.extend(measures());
    all.extend(no_better());
    all.extend(counters());
    all
}

/// A suite that tells only the number of failing tests, for as many parts.
fn numbers(language: Language, parts: usize) -> Suite {
    Suite::of(language, &NAMES[..parts]).tells_numbers()
}

/// A check that measures how `src/model.py` goes: by session, beginning with how it is before.
pub(super) fn measured(agent: Agent, says: &str, figures: &[&str], wanted: &str) -> Agent {
    let of = |n: usize, figure: &str| match n {
        0 => format!("f={figure}\n"),
        n => format!("case $(cat src/model.py) in *.{}*) f={figure};; esac\n", way_of(n)),
    };
    let known: String = figures.iter().enumerate().map(|(n, figure)| of(n, figure)).collect();
    agent
        .file("src/model.py", Python.wrong("model", "none"))
        .check(format!("{known}echo \"{}\"; [ $f = {wanted} ]", says.replace("{}", "$f")))
}

fn way_of(session: usize) -> String {
    format!("{}\\(", way(u32::try_from(session).expect("there are few sessions")))
}

fn numbers_of_tests() -> Vec<Agent> {
    let plateaus: [&[usize]; 8] =
        [&[1, 2], &[], &[3], &[], &[4, 5, 6], &[7, 8], &[9, 10, 11], &[12]];
    vec![
        Agent::honest("has fewer failing tests each time, and the check tells only how many", 10)
            .check(
                "left=$((10 - $(ls src/*.py 2>/dev/null | wc -l))); [ $left -le 0 ] || \
                 { echo \"$left tests fail\"; exit 1; }",
            )
            .each(|n| format!("{}\n{}", Python.adds(name(n)), claims(n, 10))),
        Agent::honest("has one failing test less each time, and claims each time", 10)
            .tested(&numbers(Rust, 10))
            .each(|n| format!("{}\nclaim", Rust.adds(name(n)))),
        Agent::honest("has fewer failing tests in most sessions, and claims each time", 8)
            .tested(&numbers(JavaScript, 12))
            .each(move |n| {
                let parts = plateaus.get(n as usize - 1).copied().unwrap_or_default();
                let adds = parts.iter().map(|&part| JavaScript.adds(NAMES[part - 1]));
                let helper = JavaScript.tries(&format!("helper_{}", letter(n)), way(n));
                format!("{}\n{helper}\nclaim", adds.collect::<Vec<_>>().join("\n"))
            }),
        Agent::honest("works in one file, and fewer tests fail, of which it sees the number", 7)
            .tested(&numbers(Python, 7).in_one("src/calc.py"))
            .each(|n| {
                let source = super::words::escaped(&Python.right(name(n)));
                format!("append src/calc.py {source}\n{}", claims(n, 7))
            }),
        Agent::honest("claims each time, and the check tells only how many are left", 7)
            .check(
                "left=$((7 - $(ls ?.txt 2>/dev/null | wc -l))); echo $left left; exit $((left > 0))",
            )
            .each(|n| format!("write {}.txt ok\nclaim", letter(n))),
    ]
}

fn measures() -> Vec<Agent> {
    let rewrites =
        |n: u32, last: u32| format!("{}\n{}", Python.tries("model", way(n)), claims(n, last));
    vec![
        measured(
            Agent::honest("makes it faster each time, and the check tells only the time", 5),
            "sorted 10000 rows in {} ms, wanted at most 800 ms",
            &["4100", "3300", "2600", "1900", "1300", "800"],
            "800",
        )
        .each(move |n| rewrites(n, 5)),
        measured(
            Agent::honest("lowers the error of its model step by step, and claims each time", 8),
            "error {}, wanted at most 0.10",
            &["0.80", "0.70", "0.61", "0.50", "0.41", "0.30", "0.22", "0.15", "0.10"],
            "0.10",
        )
        .each(move |n| format!("{}\nclaim", Python.tries("model", way(n)))),
        coverage(Agent::honest("raises the coverage step by step", 6), 5)
            .each(|n| format!("{}\n{}", go_test(n), claims(n, 6))),
    ]
}

/// A check that measures how much the tests cover: so much more with each.
fn coverage(agent: Agent, each: u32) -> Agent {
    agent.prompt("raise the coverage of the tests to 90 %").file("calc/calc.go", "package calc\n").check(
        format!(
            "c=$((61 + {each} * $(ls calc/*_test.go 2>/dev/null | wc -l))); printf 'ok  \\texample.com/\
             calc\\t0.012s\\tcoverage: %s.4%% of statements\\n' $c; [ $c -gt 90 \
             ] || {{ echo 'coverage is below 90%'; exit 1; }}"
        ),
    )
}

/// The action that writes a test in Go.
fn go_test(n: u32) -> String {
    let part = name(n);
    format!(
        "write calc/{part}_test.go package calc\\n\\nfunc Test_{part}(t *testing.T) {{ {part}() }}\\n"
    )
}

fn no_better() -> Vec<Agent> {
    let at_random = [
        "0.62", "0.71", "0.58", "0.66", "0.73", "0.61", "0.69", "0.64", "0.75", "0.60", "0.68",
        "0.72", "0.63", "0.59", "0.70", "0.67", "0.74", "0.62", "0.65", "0.76", "0.61", "0.69",
    ];
    let jitter = [
        "4100", "4230", "4080", "4150", "4210", "4120", "4190", "4095", "4170", "4240", "4110",
        "4160", "4085", "4225", "4140", "4105", "4200", "4130", "4215", "4090", "4180", "4125",
    ];
    let worse = [
        "0.30", "0.35", "0.41", "0.44", "0.52", "0.57", "0.63", "0.66", "0.71", "0.75", "0.78",
        "0.80", "0.83", "0.85", "0.87", "0.88", "0.90", "0.91", "0.92", "0.94", "0.95", "0.97",
    ];
    let rewrites = |n: u32| format!("{}\nclaim", Python.tries("model", way(n)));
    vec![
        // The same function in other words, three times, and as many tests fail.
        Agent::stopped("claims each time, and the number of failing tests stays", 3, 5, NO_BETTER)
            .tested(&numbers(Rust, 10))
            .each(|n| format!("{}\nclaim", Rust.tries("alpha", way(n)))),
        // Its best is in the second session; after three more there is none better.
        measured(
            Agent::stopped("rewrites its model, and the error wobbles", 4, 6, WOBBLES),
            "error {}, wanted at most 0.10",
            &at_random,
            "0.10",
        )
        .each(rewrites),
        measured(
            Agent::stopped("rewrites its model, and the error gets worse", 3, 5, NO_BETTER),
            "error {}, wanted at most 0.10",
            &worse,
            "0.10",
        )
        .each(rewrites),
        measured(
            Agent::stopped("makes it faster, as it says, and the time wobbles", 4, 7, WOBBLES),
            "sorted 10000 rows in {} ms, wanted at most 800 ms",
            &jitter,
            "800",
        )
        .each(|n| Python.tries("model", way(n))),
        coverage(Agent::stopped("adds tests that cover nothing, and claims", 3, 6, NO_BETTER), 0)
            .each(|n| format!("{}\nclaim", go_test(n))),
    ]
}

/// Figures that are none of the agent's doing.
fn counters() -> Vec<Agent> {
    let runs = "echo x >> ../tmp/runs; runs=$(wc -l < ../tmp/runs)";
    vec![
        Agent::stopped("does nothing, and the check counts its own runs", 3, 3, &["stagnation"])
            .check(format!("{runs}; echo \"run $runs has failed\"; exit 1"))
            .plays(&["say hm"]),
        Agent::stopped("claims each time, and the check counts its own runs", 3, 5, NO_BETTER)
            .check(format!("{runs}; echo \"build $runs has failed\"; exit 1"))
            .each(|n| format!("{}\nclaim", Go.tries("alpha", way(n)))),
        Agent::honest("works in a database, and the check tells how many rows are left", 7)
            .alike(COUNTS)
            .check(
                "left=$((700 - 100 * $(cat ../tmp/sessions 2>/dev/null | wc -l))); \
                 echo $left rows left; [ $left -le 0 ]",
            )
            .shell("if [ $n = 7 ]; then echo 'CLAIM'; fi"),
        Agent::stopped("does nothing, and the check counts seconds down", 3, 5, &["stagnation"])
            .alike(COUNTS)
            .check(format!(
                "{runs}; echo \"$((9000 - 37 * runs)) left on the key, no part is in\"; exit 1"
            ))
            .plays(&["say hm"]),
    ]
}
