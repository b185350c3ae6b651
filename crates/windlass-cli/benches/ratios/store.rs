//! How long the commands that read take, with a store full of loops.

use windlass_core::{
    ending::{CancelledBy, Ending},
    event::{Event, EventKind},
    ids::{LoopId, Place},
    said::Said,
    step::{SessionStep, Step},
};
use windlass_store::store::{Durability, NewLoop, Owner, Store};

use crate::world::{World, best, ms, report, run};

const LOOPS: u32 = 10_000;
const MESSAGES: u32 = 100;

/// `--version`, `status` and `list` with 10,000 loops and 1,000,000 messages in the store.
pub(crate) fn status(world: &World) {
    let store = Store::open(&world.home()).unwrap();
    for number in 0..LOOPS {
        fill(world, &store, number);
    }
    drop(store);
    for (arguments, target) in
        [(&["--version"][..], "≤ 5 ms"), (&["status"], "≤ 10 ms"), (&["list"], "≤ 20 ms")]
    {
        let took = best(&[(); 15].map(|()| run(world.windlass(arguments))));
        let what = format!("`{}`, 10,000 loops, 1,000,000 messages", arguments.join(" "));
        report(&what, &ms(took), "", target);
    }
}

fn fill(world: &World, store: &Store, number: u32) {
    let id = LoopId::of_number(fastrand::u64(..));
    let directory = match number {
        0 => world.work().canonicalize().unwrap(),
        _ => world.path(&format!("other-{}", number % 50)),
    };
    let new = NewLoop {
        id: id.clone(),
        name: format!("loop-{number}"),
        kind: "iterate".to_owned(),
        directory,
        worktree: None,
        agent: "command".to_owned(),
        options: serde_json::json!({}),
        owner: Owner::this_process(),
    };
    let epoch = store.create_loop(&new).unwrap();
    let place = Place::new(1, "agent");
    let session = SessionStep {
        role: "agent".into(),
        agent: "command".into(),
        prompt: "go".into(),
        lesson: None,
        task: None,
    };
    let mut kinds = vec![
        EventKind::IterationStarted { iteration: 1 },
        EventKind::StepStarted {
            place: place.clone(),
            step: Step::Session(session),
            fingerprint: String::new(),
        },
    ];
    kinds.extend((0..MESSAGES).map(|n| EventKind::AgentSaid {
        place: place.clone(),
        said: Said::Text { text: format!("message {n} of loop {number}, some words long\n") },
    }));
    // All but the first have ended: that one was cut off.
    if number > 0 {
        let ending = Ending::Cancelled { by: CancelledBy::Request };
        kinds.push(EventKind::LoopFinished { ending });
    }
    let events: Vec<Event> = (1..)
        .zip(kinds)
        .map(|(seq, kind)| Event {
            seq,
            at: windlass::now(),
            ran_ms: None,
            loop_id: id.clone(),
            kind,
        })
        .collect();
    store.append(&id, epoch, &events, Durability::Process).unwrap();
}
