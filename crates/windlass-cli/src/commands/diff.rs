//! `windlass diff`: what a loop or one of its iterations changed.

use windlass::{GuardianProgram, diff};

use super::{block_on, find::LoopArg};
use crate::{app::App, failure::Failure};

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
  windlass diff brave-otter            all that it changed
  windlass diff brave-otter 3          what iteration 3 changed";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let (store, record) = args.target.find(app)?;
    let host = app.environment.all().clone();
    let shown = block_on(diff(
        &GuardianProgram::ThisProgram,
        &app.home,
        host,
        &store,
        &record,
        args.iteration,
    ))??;
    app.printer.diff(&shown)?;
    Ok(0)
}
