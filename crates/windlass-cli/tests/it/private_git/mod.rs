//! In a sandbox an agent has a git directory of its own: it works there as usual, its commits come
//! to the user's repository, and nothing else does.

mod checks;
pub(crate) mod planting;
pub(crate) mod submodules;
mod working;

pub(crate) use submodules::with_submodules;

use testkit::{Env, Ran};

use crate::{
    sandboxes::{has_bwrap, has_landlock},
    shell,
};

/// Runs a loop with that agent in each sandbox of this machine, each time in a new world.
#[track_caller]
fn in_each_sandbox(test: impl Fn(&Env, &str)) {
    let env = crate::world();
    if has_landlock(&env) {
        test(&env, "landlock");
    }
    if has_bwrap() {
        test(&crate::world(), "bwrap");
    }
}

/// A loop of so many iterations that never claims.
fn iterations(env: &Env, sandbox: &str, agent: &str, most: &str) -> Ran {
    let args = ["--sandbox", sandbox, "--max-iterations", most, "--stagnation-threshold", "0"];
    shell(env, agent, &args).run()
}
