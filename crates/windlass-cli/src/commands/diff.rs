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

    /// Iteration to show [default: the whole loop]
    #[arg(value_name = "N")]
    iteration: Option<u32>,
}

const EXAMPLES: &str = "\
Examples:
  windlass diff                        everything that the newest loop here changed
  windlass diff 3                      only its iteration 3
  windlass diff brave-otter            everything that another loop changed
  windlass diff brave-otter 3          only its iteration 3";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let (store, record, iteration) =
        find_iteration(app, args.target.the_loop.as_deref(), args.iteration)?;
    app.printer.diff(&Changes::of(app, &store, &record, iteration)?)?;
    Ok(0)
}
