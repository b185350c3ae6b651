//! How long it takes from a cancel to the last descendant's end.

use std::{
    thread,
    time::{Duration, Instant},
};

use crate::world::{World, best, ms, report, run};

/// A tree that obeys, and one that ignores TERM.
pub(crate) fn cancel(world: &World) {
    let obedient = "sh -c 'setsid sleep 300 & sleep 300 & touch ready; wait'";
    let stubborn = "sh -c 'trap \"\" TERM INT; sh -c \"trap : TERM; while :; do sleep 1; done\" & touch ready; while :; do sleep 1; done'";
    let took = best(&[(); 5].map(|()| one(world, obedient, "5s")));
    report("cancel to the last descendant gone, obedient tree", &ms(took), "", "≤ 50 ms");
    let took = best(&[(); 3].map(|()| one(world, stubborn, "500ms")));
    report(
        "cancel of a tree that ignores TERM, above its grace",
        &ms(took.saturating_sub(Duration::from_millis(500))),
        "",
        "≤ 100 ms",
    );
}

fn one(world: &World, agent: &str, grace: &str) -> Duration {
    let ready = world.work().join("ready");
    drop(std::fs::remove_file(&ready));
    let mut running = world
        .windlass(&["iterate", "-p", "go", "-c", agent, "--grace", grace, "--name", "cancelled"])
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !ready.exists() {
        assert!(began.elapsed() < Duration::from_secs(20), "the agent never started");
        thread::sleep(Duration::from_millis(2));
    }
    let took = run(world.windlass(&["cancel", "cancelled"]));
    running.wait().unwrap();
    run(world.windlass(&["rm", "cancelled"]));
    took
}
