//! `windlass diff`: what a loop or one of its iterations changed.

use crate::{
    control::{
        changes::Changes,
        find::{LoopArg, find_iteration},
    },
    host::{app::App, failure::Failure},
};

/// Show what a loop, or one of its iterations, changed
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    target: LoopArg,

    /// The iteration; the whole loop if left out
    #[arg(value_name = "N")]
    iteration: Option<u32>,
}

const EXAMPLES: &str = "\
Examples:
  windlass diff                        all that the newest loop of this directory changed
  windlass diff 3                      what its iteration 3 changed
  windlass diff brave-otter            all that another one changed
  windlass diff brave-otter 3          what its iteration 3 changed";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let (store, record, iteration) =
        find_iteration(app, args.target.the_loop.as_deref(), args.iteration)?;
    app.printer.diff(&Changes::of(app, &store, &record, iteration)?)?;
    Ok(0)
}
