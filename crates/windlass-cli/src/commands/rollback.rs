//! `windlass rollback`: puts the work tree back to how an iteration left it.

use windlass::{rollback, system::GuardianProgram};

use super::block_on;
use crate::{
    control::find::find_iteration,
    host::{app::App, failure::Failure},
    text,
};

/// Put the work tree back to how an iteration left it; 0 is the loop's start
///
/// Files that you had changed before the loop are not touched, and neither are ignored files,
/// commits, branches and the index.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, override_usage = "windlass rollback [OPTIONS] [LOOP] <N>")]
pub(crate) struct Args {
    /// Its name, its id or the beginning of one; the newest loop of this directory if left out
    #[arg(value_name = "LOOP", required = true)]
    the_loop: String,

    /// The iteration; 0 is the loop's start
    #[arg(value_name = "N")]
    iteration: Option<u32>,
}

const EXAMPLES: &str = "\
Examples:
  windlass rollback 2                  as iteration 2 of the newest loop here left it
  windlass rollback brave-otter 2      as iteration 2 of another loop left it
  windlass rollback brave-otter 0      as it was before the loop";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let (store, record, iteration) = find_iteration(app, Some(&args.the_loop), args.iteration)?;
    let Some(iteration) = iteration else {
        let name = &record.name;
        return Err(Failure::usage("no iteration was given to go back to")
            .hint(format!("0 is the loop's start: `windlass rollback {name} 0`")));
    };
    let host = app.environment.all().clone();
    let restored = block_on(rollback(
        &GuardianProgram::ThisProgram,
        &app.home,
        host,
        &store,
        &record,
        iteration,
    ))??;
    let written = text::count(restored.written.len() as u64, "file");
    let removed = text::count(restored.removed.len() as u64, "file");
    let to = match iteration {
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
    // What the user has changed since is not in it, so it is not called the way back.
    let left = store.iterations(&record.id)?.into_iter().rev().find(|past| past.tree.is_some());
    if let Some(last) = left.filter(|last| last.number != iteration) {
        let command = format!("windlass rollback {} {}", record.name, last.number);
        app.printer.hint(&format!("`{command}` brings back what the loop left"));
    }
    Ok(0)
}
