//! What an iteration costs on top of its agent.

use std::{
    fs,
    process::{Command, Stdio},
    time::Duration,
};

use crate::world::{World, best, ms, report, run, time};

const ITERATIONS: u32 = 300;
const ROUNDS: usize = 5;

/// An iteration of an instant agent, against a bare spawn-and-wait of the same program.
pub(crate) fn overhead(world: &World) {
    let (mut floor, mut ours) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        floor.push(time(|| bare_loop(ITERATIONS)) / ITERATIONS);
        ours.push(an_iteration(world, "true"));
    }
    let (floor, ours) = (best(&floor), best(&ours));
    let ratio = ours.as_secs_f64() / floor.as_secs_f64();
    report("bare spawn and wait of `true`", &ms(floor), "1.00", "");
    report("an iteration outside git, durable", &ms(ours), &format!("{ratio:.2}"), "≤ 2.0");
}

/// The same in a repository of 10,000 files.
pub(crate) fn in_git(world: &World) {
    for folder in 0..100 {
        let folder = world.work().join(format!("src/{folder}"));
        fs::create_dir_all(&folder).unwrap();
        for file in 0..100 {
            fs::write(folder.join(format!("{file}.rs")), format!("fn f{file}() {{}}\n")).unwrap();
        }
    }
    world.git(&["init", "--quiet"]);
    world.git(&["add", "--all"]);
    world.git(&["commit", "--quiet", "--message", "start"]);
    let floor = best(&[(); ROUNDS].map(|()| time(|| bare_loop(50)) / 50));
    for (what, agent, target) in [
        ("10,000 files in git, nothing changed, above the floor", "true", "≤ 15 ms"),
        (
            "10,000 files in git, one file changed, above the floor",
            "sh -c 'date +%N > src/7/7.rs'",
            "≤ 30 ms",
        ),
    ] {
        let ours = best(&[(); 3].map(|()| iterations(world, agent, 50)));
        report(what, &ms(ours.saturating_sub(floor)), "", target);
    }
}

/// Whether the thousandth iteration costs more than the tenth.
pub(crate) fn late(world: &World) {
    let limit = "1050";
    run(world.windlass(&arguments("true", limit)));
    let store = windlass_store::store::Store::open(&world.home()).unwrap();
    let record = store.find(None, &world.work().canonicalize().unwrap()).unwrap();
    let starts: Vec<i64> =
        store.iterations(&record.id).unwrap().iter().map(|each| each.started_at.0).collect();
    let span = |from: usize| (starts[from + 45] - starts[from]).max(1);
    let (early, late) = (span(5), span(1000));
    let ratio = late as f64 / early as f64;
    report(
        "iteration 1,000 against iteration 10",
        &format!("{:.2} ms", late as f64 / 45.0),
        &format!("{ratio:.2}"),
        "≤ 1.1",
    );
}

fn an_iteration(world: &World, agent: &str) -> Duration {
    iterations(world, agent, ITERATIONS)
}

/// What one of `n` iterations costs; starting and ending the program is taken off.
fn iterations(world: &World, agent: &str, n: u32) -> Duration {
    let few = run(world.windlass(&arguments(agent, "1")));
    let many = run(world.windlass(&arguments(agent, &(n + 1).to_string())));
    let store = windlass_store::store::Store::open(&world.home()).unwrap();
    let record = store.find(None, &world.work().canonicalize().unwrap()).unwrap();
    assert_eq!(record.iteration, n + 1, "the loop stopped early, and nothing was measured");
    many.saturating_sub(few) / n
}

/// The arguments of a loop that goes on until its limit.
pub(crate) fn arguments<'a>(agent: &'a str, limit: &'a str) -> Vec<&'a str> {
    vec![
        "iterate",
        "-p",
        "go",
        "-c",
        agent,
        "--promise",
        "NEVER",
        "--max-iterations",
        limit,
        "--no-context",
        // Agents that do nothing, or write nothing but numbers, would be stopped.
        "--stagnation-threshold",
        "0",
        "--churn-threshold",
        "0",
    ]
}

/// Spawns, reads the pipe to its end, waits: the least that any loop must do.
fn bare_loop(n: u32) {
    for _ in 0..n {
        let output = Command::new("true").arg("go").stdin(Stdio::null()).output();
        assert!(output.unwrap().status.success());
    }
}
