//! The work tree belongs to the agent: whatever it has planted there, windlass reads and writes
//! nothing outside of it, does not hang on it, and shows no later session more than it showed the
//! first. The zoo's `tree` does the planting, in every sandbox that this machine has.

mod afterwards;
mod endless;
mod reads;
mod scene;
mod treasure;
mod waits;
mod widened;
mod writes;
mod writes_by_git;

use testkit::Env;

use self::scene::Scene;
use super::sandboxes::{has_bwrap, has_landlock};

/// Does the same in each sandbox that can be had here, and in none.
#[track_caller]
fn in_every_sandbox(act: impl Fn(&Scene, &str)) {
    in_sandboxes(&["none", "landlock", "bwrap"], act);
}

/// Does the same in some sandboxes, each in a world of its own.
#[track_caller]
fn in_sandboxes(sandboxes: &[&str], act: impl Fn(&Scene, &str)) {
    for sandbox in sandboxes {
        let scene = Scene::new();
        if can(&scene.env, sandbox) {
            act(&scene, sandbox);
            scene.assert_untouched(sandbox);
            scene.assert_unseen(sandbox);
        }
    }
}

/// Whether a sandbox can be had here; says so where it cannot.
#[track_caller]
fn can(env: &Env, sandbox: &str) -> bool {
    match sandbox {
        "bwrap" => has_bwrap(),
        "landlock" => has_landlock(env),
        _ => true,
    }
}
