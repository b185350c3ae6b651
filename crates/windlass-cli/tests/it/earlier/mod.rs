//! Stores and work trees that an earlier windlass wrote: this one opens them, says of them what that
//! one said of them, and goes on with what was left.
//!
//! Each folder here is an edition of windlass. In it, `WORLD.tar.gz` is the world of a test as that
//! edition left it: the store, its log and its snapshots (`state`), the work tree with its `.git`
//! (`work`), the user's home, and the programs and scripts of the agents (`bin`, `tmp`). Nothing in
//! it was changed by hand. The `.snap` files beside it are what **that edition's program** printed
//! about it. Where such a snapshot does not hold any more, users see something else than before
//! about the loops that they have: that may be meant, but is never an accident to be waved through.
//!
//! | world | its loops |
//! |---|---|
//! | `iterate` | `iterate-to-done` after a rejected claim, `iterate-to-stopped` by a rule, `iterate-to-max` out of iterations, `iterate-to-failed`, `iterate-to-limited`, `iterate-to-cancelled` |
//! | `tasks` | `tasks-to-done` with commits, `tasks-to-max` |
//! | `develop` | `develop-to-approved`, `develop-to-escalated`; over a task file: `develop-tasks-to-approved`, `develop-to-error` |
//! | `heal` | one pass: `heal-to-done`, `heal-to-left` with a finding, `heal-to-failing-tests`; with `--loop`: `heal-loop-to-clean`, `heal-loop-to-max` |
//! | `pr` | `--local`: `pr-to-findings`, `pr-to-approved`; with a pull request, which was told: `pr-loop-to-approved` |
//! | `merge` | `work-of-one` in a worktree and `merge-of-one`, which brought it home; `work-of-two` and `merge-of-two`, whose check failed |
//! | `iterate-in-session`, `tasks-in-session`, `develop-in-session`, `heal-in-session` | one of that name, killed with `kill -9` while an agent worked |
//! | `iterate-in-between`, `tasks-in-between`, `develop-in-between`, `heal-in-between` | one of that name, killed after a session was over and before the next step |
//! | `waiting` | one of that name, killed while it waited for a provider's limit |
//!
//! `scripts/earlier-stores PATH_TO_WINDLASS EDITION` has a program write all of it for one edition.
//! That is done once for each version that is released and whose store differs, with the released
//! program; its folder then gets a line in [`EDITIONS`], and stays as it is.

mod going_on;
mod moving;
mod reading;
mod writing;

use std::path::{Path, PathBuf};

use testkit::Env;

/// The folders here.
const EDITIONS: [&str; 1] = ["0.1.0-first-edition"];

/// The program that is asked: this windlass, or the one that `scripts/earlier-stores` was given.
fn program() -> PathBuf {
    told("WINDLASS_EARLIER_PROGRAM")
        .unwrap_or_else(|| env!("CARGO_BIN_EXE_windlass").to_owned())
        .into()
}

/// The editions that are looked at: all, or the one that `scripts/earlier-stores` was given.
fn editions() -> Vec<String> {
    told("WINDLASS_EARLIER_EDITION")
        .map_or_else(|| EDITIONS.map(str::to_owned).to_vec(), |edition| vec![edition])
}

#[expect(clippy::disallowed_methods, reason = "`scripts/earlier-stores` tells by variables")]
fn told(variable: &str) -> Option<String> {
    std::env::var(variable).ok()
}

/// Where the worlds of an edition are.
fn folder(edition: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/earlier").join(edition)
}

/// Does something with a world as each edition left it.
fn each_edition(world: &str, look: impl Fn(&Env, &str)) {
    for edition in editions() {
        look(&moving::unpack(&edition, world), &edition);
    }
}

/// Holds a text against the snapshot of that name in the folder of an edition.
///
/// How long ago something was is masked, for it grows.
#[track_caller]
fn assert_as_before(edition: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(edition);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(r" +(just now|\[time\] ago|\d+ (s|min|h|d) ago) *", "  [ago] ");
    settings.bind(|| insta::assert_snapshot!(name, text));
}
