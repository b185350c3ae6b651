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
    /// How long loops of one iteration took, and of many more.
    short: Vec<Duration>,
    long: Vec<Duration>,
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
            way.run(world);
        }
    }
    for way in &mut ways {
        way.short.sort();
        way.long.sort();
    }
    for way in &ways {
        for (which, at) in [("minimum", 0), ("median", ROUNDS / 2)] {
            let took = way.an_iteration(at);
            report(&format!("a session, sandbox {}: {which}", way.name), &ms(took), "", "");
            if way.name != "none" {
                let over = took.saturating_sub(ways[0].an_iteration(at));
                let target = if at == 0 { way.target } else { "" };
                report(&format!("  {} above none: {which}", way.name), &ms(over), "", target);
            }
        }
    }
}

fn way<'a>(name: &'static str, engine: Option<&'a Engine>, target: &'static str) -> Way<'a> {
    Way { name, engine, target, short: Vec::new(), long: Vec::new() }
}

impl Way<'_> {
    fn run(&mut self, world: &World) {
        self.short.push(self.iterations(world, 1));
        self.long.push(self.iterations(world, ITERATIONS + 1));
    }

    /// What one iteration costs, by the loops at a place in their order; starting and ending the
    /// program and the container is taken off.
    fn an_iteration(&self, at: usize) -> Duration {
        self.long[at].saturating_sub(self.short[at]) / ITERATIONS
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
        let store = windlass_store::store::Store::open(&world.home()).unwrap();
        let record = store.find(None, &world.work().canonicalize().unwrap()).unwrap();
        assert_eq!(record.iteration, n, "the loop stopped early, and nothing was measured");
        took
    }
}
