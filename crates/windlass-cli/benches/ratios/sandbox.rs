//! What a session costs in each sandbox, on top of one without.

use std::time::Duration;

use testkit::engine::{Engine, IMAGE, Kind};

use crate::{
    iterations::arguments,
    world::{World, ms, report, run},
};

const ITERATIONS: u32 = 20;
const ROUNDS: usize = 7;

/// One way to run a session.
struct Way<'a> {
    name: &'static str,
    engine: Option<&'a Engine>,
    target: &'static str,
    took: Vec<Duration>,
}

/// An iteration of an instant agent in each sandbox, side by side, outside git.
pub(crate) fn sandbox(world: &World) {
    let none = || way("none", None, "");
    compare(world, vec![none(), way("landlock", None, ""), way("bwrap", None, "≤ 10 ms")]);
    // Only now: an engine mounts much and never rests, which costs the others.
    let engines: Vec<Engine> =
        [Kind::Docker, Kind::Podman].into_iter().filter_map(Engine::start).collect();
    let ways = engines.iter().map(|engine| way(engine.name(), Some(engine), "≤ 150 ms"));
    compare(world, [none()].into_iter().chain(ways).collect());
}

/// Runs each in turn, again and again; the first is what the others are compared with.
fn compare(world: &World, mut ways: Vec<Way<'_>>) {
    for _ in 0..ROUNDS {
        for way in &mut ways {
            let took = way.an_iteration(world);
            way.took.push(took);
        }
    }
    ways.iter_mut().for_each(|way| way.took.sort());
    let (least, middle) = (ways[0].took[0], ways[0].took[ROUNDS / 2]);
    for way in &ways {
        let (min, median) = (way.took[0], way.took[ROUNDS / 2]);
        report(&format!("a session, sandbox {}: minimum", way.name), &ms(min), "", "");
        report(&format!("a session, sandbox {}: median", way.name), &ms(median), "", "");
        if way.name != "none" {
            let over = min.saturating_sub(least);
            report(&format!("  {} above none: minimum", way.name), &ms(over), "", way.target);
            let over = median.saturating_sub(middle);
            report(&format!("  {} above none: median", way.name), &ms(over), "", "");
        }
    }
}

fn way<'a>(name: &'static str, engine: Option<&'a Engine>, target: &'static str) -> Way<'a> {
    Way { name, engine, target, took: Vec::new() }
}

impl Way<'_> {
    /// What one iteration costs; starting and ending the program and the container is taken off.
    fn an_iteration(&self, world: &World) -> Duration {
        let few = self.iterations(world, 1);
        self.iterations(world, ITERATIONS + 1).saturating_sub(few) / ITERATIONS
    }

    fn iterations(&self, world: &World, n: u32) -> Duration {
        let limit = n.to_string();
        let mut args = arguments("true", &limit);
        args.extend(["--sandbox", self.name]);
        if self.engine.is_some() {
            args.extend(["--network", "none", "--image", IMAGE]);
        }
        let mut command = world.windlass(&args);
        if let Some(engine) = self.engine {
            let (name, value) = engine.variable();
            command.env(name, value);
        }
        let took = run(command);
        let store = windlass::store::Store::open(&world.home()).unwrap();
        let record = store.find(None, &world.work().canonicalize().unwrap()).unwrap();
        assert_eq!(record.iteration, n, "the loop stopped early, and nothing was measured");
        took
    }
}
