//! `windlass rollback`: puts the work tree back to how an iteration left it.

use windlass::{GuardianProgram, rollback};

use super::{block_on, find::find};
use crate::{app::App, failure::Failure, text};

/// Put the work tree back to how an iteration left it; 0 is the loop's start
///
/// Files that you had changed before the loop are not touched, and neither are ignored files,
/// commits, branches and the index.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Its name, its id or the beginning of one
    #[arg(value_name = "LOOP")]
    the_loop: String,

    /// The iteration; 0 is the loop's start
    #[arg(value_name = "N")]
    iteration: u32,
}

const EXAMPLES: &str = "\
Examples:
  windlass rollback brave-otter 2      as iteration 2 left it
  windlass rollback brave-otter 0      as it was before the loop";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let (store, record) = find(app, Some(&args.the_loop))?;
    let host = app.environment.all().clone();
    let restored = block_on(rollback(
        &GuardianProgram::ThisProgram,
        &app.home,
        host,
        &store,
        &record,
        args.iteration,
    ))??;
    let written = text::count(restored.written.len() as u64, "file");
    let removed = text::count(restored.removed.len() as u64, "file");
    let to = match args.iteration {
        0 => "it was before the loop".to_owned(),
        n => format!("iteration {n} left it"),
    };
    app.printer.line(&format!("the tree is as {to}: {written} written, {removed} removed"))?;
    for path in &restored.spared {
        app.printer.line(&format!("  left alone, as you had changed it before: {path}"))?;
    }
    for (path, why) in &restored.not_restorable {
        app.printer.warning(&format!("{path} could not be put back: {why}"));
    }
    Ok(0)
}
