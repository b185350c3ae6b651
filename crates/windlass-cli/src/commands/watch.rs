//! `windlass watch`: the terminal dashboard.

use crate::{
    control::find::LoopArg,
    host::{
        app::App,
        failure::{Failure, Kind},
    },
    tui,
};

/// Watch loops in a terminal dashboard
///
/// All loops are on the left, including those of other processes; the right shows what the selected
/// one is doing, did and changed. `?` shows the keys, `q` quits, and loops keep running. It needs a
/// terminal of at least 80 by 24.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Loop name, ID or prefix [default: newest loop of all]
    #[arg(value_name = "LOOP")]
    the_loop: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  windlass watch                  all loops, the newest one selected
  windlass watch brave-otter      another one selected
  windlass iterate -p 'Make the tests pass.' --check 'cargo test' --tui

Keys: arrows or j k move, tab or 1 to 6 change the pane, enter opens, f follows, / searches,
c cancels, r resumes, R resets the circuit, A accepts the work; each asks first.";

/// The exit code after SIGTERM, as shells have it.
const BY_SIGNAL: u8 = 143;

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    tui::terminal::require("`windlass watch`")?;
    let open = match &args.the_loop {
        Some(_) => {
            let (_, record) = LoopArg { the_loop: args.the_loop.clone() }.find(app)?;
            Some(record.id)
        }
        None => None,
    };
    Ok(match tui::run(app, tui::Start { open, ..tui::Start::default() })? {
        tui::Left::Quit => 0,
        tui::Left::Signal => BY_SIGNAL,
        tui::Left::Lost => Kind::Internal.exit_code(),
    })
}
