//! Sandboxes, for real: an agent that tries to get out of each, and loops that come to a proven end
//! in them. Where a machine cannot, the test says so.

mod ending;
pub(crate) mod escaping;
mod exposing;
mod inheriting;
mod network;
mod permissions;
mod reaching;
mod refusals;
mod renewing;

use std::process::Command;

use testkit::{Env, has, pass_by};

/// Whether a sandbox works on this machine; says so if it does not.
#[track_caller]
pub(crate) fn has_sandbox(env: &Env, sandbox: &str) -> bool {
    match sandbox {
        "bwrap" => has_bwrap(),
        "landlock" => has_landlock(env),
        _ => true,
    }
}

/// Whether sandboxes of bubblewrap can be had here.
#[expect(clippy::disallowed_methods, reason = "the test asks the program itself")]
#[track_caller]
pub(crate) fn has_bwrap() -> bool {
    if !has("bwrap") {
        return false;
    }
    let tried =
        Command::new("bwrap").args(["--unshare-all", "--ro-bind", "/", "/", "true"]).status();
    let works = tried.is_ok_and(|status| status.success());
    if !works {
        pass_by("`bwrap` cannot work on this machine: users have no namespaces");
    }
    works
}

/// Whether the kernel's Landlock is good enough.
#[track_caller]
pub(crate) fn has_landlock(env: &Env) -> bool {
    let looks = env.windlass(["doctor", "--json"]).success().json();
    let text = looks[1]["text"].as_str().unwrap_or_default().to_owned();
    let works = text.contains("landlock version") && !text.contains("too old");
    if !works {
        pass_by("the kernel has no Landlock that is new enough");
    }
    works
}
