//! The morning after: bare `windlass`, `report` and `list` tell what happened, and every command that they
//! suggest works as printed.

mod bare;
mod endings;
mod pull_request;
mod report;
mod screen;
mod suggested;
pub(crate) mod web;

pub(crate) use endings::at_work;
use testkit::Env;

use crate::{COMPLETE, scripted, world};

/// A loop `mine` that wrote `a.txt` and is proven done.
fn done() -> Env {
    let env = world();
    let script = format!("write a.txt x\nsay {COMPLETE}\n");
    scripted(&env, &script, &["--check", "test -e a.txt", "--name", "mine"]).run().success();
    env
}

/// What bare `windlass` prints.
#[track_caller]
fn bare(env: &Env) -> String {
    env.windlass::<&str>([]).success().stdout
}

/// Holds what one screen tells of a loop of each ending.
#[track_caller]
fn assert_told(screen: &str, ending: &str, told: &str) {
    let mut settings = insta::Settings::clone_current();
    // As wide as what they stand for: screens have frames.
    settings.add_filter(r"commit: [0-9a-f]{7}", "commit: [short]");
    settings.add_filter(r"loop/\d{8}-\d{6}", "loop/00000000-000000");
    settings.bind(|| insta::assert_snapshot!(format!("{screen}__{ending}"), told));
}
