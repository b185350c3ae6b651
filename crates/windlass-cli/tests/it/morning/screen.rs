//! The dashboard after a loop of each ending: what was asked, how it ended and what to type next, in one look.

use testkit::{Terminal, has};

use super::{
    assert_told,
    endings::{each_ending, ended},
};
use crate::{oracle::LIMIT, terminal::resting};

/// The screen, without what differs from run to run.
fn seen(terminal: &Terminal<'_>) -> String {
    let screen = terminal.snapshot();
    screen.lines().map(resting).collect::<Vec<_>>().join("\n")
}

fn check(name: &str) {
    if !has("tmux") {
        return;
    }
    let scene = ended(name);
    let terminal = scene.env.terminal(["watch"]);
    terminal.wait_for("next ", LIMIT);
    assert_told("screen", name, &seen(&terminal));
    terminal.press("q");
    terminal.wait_for("[exit 0]", LIMIT);
}

each_ending!(check);
