//! The terminal dashboard: `windlass watch`, and `--tui` beside a loop. It is a client of the store
//! and of nothing else, so it shows loops of other processes and of last week alike.
//!
//! A key changes the state (`dashboard`, `keys`) or asks for an act; `run` does acts, has `data` read
//! what is missing, and lets `draw` look at the state. Only `terminal` touches the terminal.

mod areas;
mod dashboard;
mod data;
pub(crate) mod draw;
mod jobs;
mod key;
mod keys;
mod opened;
mod painted;
mod pane;
mod run;
mod search;
mod sheet;
mod sheets;
mod side;
mod signals;
mod stream;
pub(crate) mod terminal;
mod theme;
mod typing;

#[cfg(test)]
mod samples;

pub(crate) use self::{
    run::{Left, Start, run},
    side::Side,
};
