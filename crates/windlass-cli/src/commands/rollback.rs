//! `windlass rollback`: puts the work tree back to how an iteration left it.

use windlass::{Restored, rollback, system::GuardianProgram};
use windlass_core::text::sanitise;

use super::{block_on, cancel::settle_and_tell};
use crate::{
    control::find::find_iteration,
    host::{app::App, failure::Failure},
    text,
};

/// Restore the files as of iteration N (0 = before the loop)
///
/// This includes files that you had not committed before the loop. Files that you changed or added
/// since the loop are left alone and named, and so are ignored files, uncommitted work in
/// submodules, commits, branches and the index.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, override_usage = "windlass rollback [OPTIONS] [LOOP] <N>")]
pub(crate) struct Args {
    /// Loop name, ID or prefix [default: newest loop in this directory]
    #[arg(value_name = "LOOP", required = true)]
    the_loop: String,

    /// Iteration to go back to; 0 is the start of the loop
    #[arg(value_name = "N")]
    iteration: Option<u32>,
}

/// How many paths of a kind are named.
const MOST_NAMED: usize = 50;

const EXAMPLES: &str = "\
Examples:
  windlass rollback 2                  to iteration 2 of the newest loop here
  windlass rollback brave-otter 2      to iteration 2 of another loop
  windlass rollback brave-otter 0      to the files as they were before it";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let (store, record, iteration) = find_iteration(app, Some(&args.the_loop), args.iteration)?;
    let Some(iteration) = iteration else {
        let name = &record.name;
        return Err(Failure::usage("no iteration was given to go back to")
            .hint(format!("0 is the loop's start: `windlass rollback {name} 0`")));
    };
    settle_and_tell(app, &store)?;
    let host = app.environment.all().clone();
    let restored = block_on(rollback(
        &GuardianProgram::ThisProgram,
        &app.home,
        host,
        &store,
        &record,
        iteration,
    ))??;
    for line in told(&restored, iteration) {
        app.printer.line(&line)?;
    }
    for (path, why) in &restored.not_restorable {
        app.printer.warning(&format!("{path} could not be put back: {why}"));
    }
    if !restored.submodules.is_empty() {
        let named = restored.submodules.join("`, `");
        app.printer.warning(&format!(
            "uncommitted work in submodules was not put back, for snapshots do not hold it: `{named}`"
        ));
    }
    // What the user has changed since is not in it, so it is not called the way back.
    let left = store.iterations(&record.id)?.into_iter().rev().find(|past| past.tree.is_some());
    if let Some(last) = left.filter(|last| last.number != iteration) {
        let command = format!("windlass rollback {} {}", record.name, last.number);
        app.printer.hint(&format!("`{command}` brings back what the loop left"));
    }
    Ok(0)
}

/// What was done, and what was left as it is.
fn told(restored: &Restored, iteration: u32) -> Vec<String> {
    let count = |paths: usize| text::count(paths as u64, "file");
    let to = match iteration {
        0 => "it was before the loop".to_owned(),
        n => format!("iteration {n} left it"),
    };
    let but = match restored.spared.len() + restored.not_restorable.len() {
        0 if restored.submodules.is_empty() => String::new(),
        0 => ", but for work in submodules".to_owned(),
        n => format!(", but for {}", count(n)),
    };
    let (written, removed) = (count(restored.written.len()), count(restored.removed.len()));
    let mut lines = vec![format!("the tree is as {to}{but}: {written} written, {removed} removed")];
    lines.extend(named("written", &restored.written));
    lines.extend(named("removed", &restored.removed));
    lines.extend(named("left alone, as it was changed since the loop", &restored.spared));
    lines
}

/// A line for each of the first paths.
fn named(what: &str, paths: &[String]) -> Vec<String> {
    let line = |path: &String| format!("  {what}: {}", sanitise::line(path));
    let mut lines: Vec<String> = paths.iter().take(MOST_NAMED).map(line).collect();
    if let Some(more) = paths.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
        lines.push(format!("  {what}: and {more} more"));
    }
    lines
}
