//! The work tree belongs to the agent: whatever it has planted there, windlass reads and writes
//! nothing outside of it, does not hang on it, and shows no later session more than it showed the
//! first. The zoo's `tree` does the planting, in every sandbox that this machine has.

mod afterwards;
mod borrowed;
mod endless;
mod ends;
mod objects;
mod races;
mod reads;
mod scene;
mod treasure;
mod waits;
mod waits_elsewhere;
mod widened;
mod writes;
mod writes_by_git;

use std::panic::{AssertUnwindSafe, catch_unwind};

use self::scene::Scene;
use super::sandboxes::has_sandbox;

/// Does the same in each sandbox that can be had here, and in none.
#[track_caller]
fn in_every_sandbox(act: impl Fn(&Scene, &str)) {
    in_sandboxes(&["none", "landlock", "bwrap"], act);
}

/// Does the same in some sandboxes, each in a new world.
#[track_caller]
fn in_sandboxes(sandboxes: &[&str], act: impl Fn(&Scene, &str)) {
    in_worlds(Scene::new, sandboxes, act);
}

/// Does the same in some sandboxes, each in a world that is made for it.
#[track_caller]
fn in_worlds(make: impl Fn() -> Scene, sandboxes: &[&str], act: impl Fn(&Scene, &str)) {
    each(sandboxes, |sandbox| {
        let scene = make();
        if has_sandbox(&scene.env, sandbox) {
            act(&scene, sandbox);
            scene.assert_untouched(sandbox);
            scene.assert_unseen(sandbox);
        }
    });
}

/// Tries all cases, so that a failure tells which of them let it happen.
#[track_caller]
fn each(cases: &[&str], act: impl Fn(&str)) {
    let fails = |case: &&&str| catch_unwind(AssertUnwindSafe(|| act(case))).is_err();
    let failed: Vec<&str> = cases.iter().filter(fails).copied().collect();
    assert!(failed.is_empty(), "it happened with: {}", failed.join(", "));
}
