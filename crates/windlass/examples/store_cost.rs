//! What the store costs: `cargo run --release -p windlass --example store_cost [DIRECTORY]`.
//!
//! Fills a store with 10,000 loops and 1,000,000 messages and prints how long the calls take that
//! have a target, by the clock and in time of the processor. A directory that is given is kept,
//! and not filled a second time.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "it is a measurement, run by hand")]

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde_json::json;
use windlass::{
    ending::{ClaimedBy, Ending},
    event::{Event, EventKind},
    ids::{LoopId, Place},
    ownership::Owner,
    said::Said,
    step::{SessionStep, Step},
    store::{Durability, NewLoop, Store},
    time::Timestamp,
};

const LOOPS: usize = 10_000;
const MESSAGES_A_LOOP: usize = 100;

fn main() {
    let scratch = tempfile::tempdir().unwrap();
    let home = std::env::args_os().nth(1).map_or(scratch.path().to_owned(), PathBuf::from);
    measure("first open", 1, || drop(Store::open(&home).unwrap()));
    let store = Store::open(&home).unwrap();
    if store.loops(None).unwrap().len() < LOOPS {
        appends(&store, &home);
        measure("filling", 1, || fill(&store, &home));
    }
    let size = std::fs::metadata(store.path()).unwrap().len() / 1_000_000;
    println!("{:30} {size:>9} MB", "size");
    reads(&home);
    appends(&store, &home);
}

/// Prints the best of several runs: the machine is shared, and what disturbs only ever adds.
fn measure(what: &str, runs: u32, mut work: impl FnMut()) {
    let (mut clock, mut processor) = (Duration::MAX, Duration::MAX);
    for _ in 0..runs {
        let (begin, used) = (Instant::now(), processor_time());
        work();
        clock = clock.min(begin.elapsed());
        processor = processor.min(processor_time() - used);
    }
    println!("{what:30} {clock:>12.1?} {processor:>12.1?}");
}

/// How long this thread was on a processor.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(stat.split(' ').next().unwrap().parse().unwrap())
}

fn appends(store: &Store, directory: &Path) {
    for (durability, rounds) in [(Durability::Process, 3000), (Durability::Power, 200)] {
        let id = create(store, directory);
        let mut seq = 0;
        let mut times: Vec<Duration> = (0..rounds)
            .map(|round| {
                let events = events(&id, seq, three(round));
                seq += 3;
                let begin = Instant::now();
                store.append(&id, 1, &events, durability).unwrap();
                begin.elapsed()
            })
            .collect();
        times.sort();
        let what = format!("append of 3, {durability:?}, median");
        println!("{what:30} {:>12.1?}  (best {:.1?})", times[times.len() / 2], times[0]);
    }
    let id = create(store, directory);
    let place = Place::new(1, "agent");
    store.append(&id, 1, &events(&id, 0, vec![session(&place)]), Durability::Process).unwrap();
    let said = (0..1000).map(|_| text(&place)).collect();
    let batch = events(&id, 1, said);
    measure("append of 1,000 messages", 1, || {
        store.append(&id, 1, &batch, Durability::Process).unwrap();
    });
}

fn reads(home: &Path) {
    let opened = || Store::open_existing(home).unwrap().unwrap();
    measure("open", 50, || drop(opened()));
    measure("open, find, last messages", 50, || {
        let store = opened();
        let record = store.find(None, home).unwrap();
        store.last_messages(&record.id, 5).unwrap();
    });
    measure("open, all loops", 50, || assert!(opened().loops(None).unwrap().len() > LOOPS));
    let store = opened();
    let last = store.find(None, &home.join("project-7")).unwrap().id;
    measure("all loops, again", 50, || assert!(store.loops(None).unwrap().len() > LOOPS));
    measure("find in directory", 50, || drop(store.find(None, home).unwrap()));
    let prefix = &last.as_str()[..10];
    measure("find by prefix", 50, || drop(store.find(Some(prefix), home).unwrap()));
    measure("not found, nearest name", 50, || drop(store.find(Some("loop-x999"), home)));
    measure("history", 50, || drop(store.history(&last).unwrap()));
    measure("100 events", 50, || drop(store.events(&last, 1, 100).unwrap()));
}

fn fill(store: &Store, directory: &Path) {
    for number in 0..LOOPS {
        let place = Place::new(1, "agent");
        let elsewhere = directory.join(format!("project-{}", number % 100));
        let id = create(store, &elsewhere);
        let mut kinds = vec![EventKind::IterationStarted { iteration: 1 }, session(&place)];
        kinds.extend((0..MESSAGES_A_LOOP).map(|_| text(&place)));
        let ending = Ending::Done { by: ClaimedBy::Promise, unverified: false };
        kinds.push(EventKind::LoopFinished { ending });
        store.append(&id, 1, &events(&id, 0, kinds), Durability::Process).unwrap();
    }
}

fn create(store: &Store, directory: &Path) -> LoopId {
    let id = LoopId::random();
    let options = json!({
        "prompt": "Make the tests pass. ".repeat(10), "checks": ["cargo test"], "timeout": "60m",
        "protect": ["tests/**"], "promise": "COMPLETE", "max_iterations": 20, "grace": "5s",
        "idle_timeout": "15m", "failure_threshold": 5, "auto_commit": false,
    });
    let new = NewLoop {
        name: format!("loop-{id}"),
        id: id.clone(),
        kind: "iterate".to_owned(),
        directory: directory.to_owned(),
        worktree: None,
        agent: "scripted".to_owned(),
        options,
        owner: Owner::this_process(),
    };
    store.create_loop(&new).unwrap();
    id
}

fn events(id: &LoopId, after: u64, kinds: Vec<EventKind>) -> Vec<Event> {
    let stamp = |(seq, kind)| Event { seq, at: Timestamp::now(), loop_id: id.clone(), kind };
    (after + 1..).zip(kinds).map(stamp).collect()
}

fn three(round: u32) -> Vec<EventKind> {
    vec![
        EventKind::IterationStarted { iteration: round + 1 },
        EventKind::Noted { text: "a note of usual length for a loop".to_owned() },
        EventKind::Claimed { iteration: round + 1, by: ClaimedBy::Promise },
    ]
}

fn session(place: &Place) -> EventKind {
    EventKind::StepStarted {
        place: place.clone(),
        step: Step::Session(SessionStep {
            role: "agent".to_owned(),
            agent: "scripted".to_owned(),
            prompt: "Make the tests pass. ".repeat(10),
        }),
        fingerprint: "0123456789abcdef".to_owned(),
    }
}

fn text(place: &Place) -> EventKind {
    let text = "I read the file and see that the second case is wrong. ".repeat(4);
    EventKind::AgentSaid { place: place.clone(), said: Said::Text { text } }
}
