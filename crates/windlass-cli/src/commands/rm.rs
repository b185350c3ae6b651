//! `windlass rm`: removes loops and all that windlass keeps of them.

use windlass::remove;

use super::find::find;
use crate::{app::App, failure::Failure};

/// Remove a loop and all that windlass keeps of it; the work itself stays
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Names, ids or beginnings of one
    #[arg(value_name = "LOOP", required = true)]
    loops: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  windlass rm brave-otter";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    app.refuse_inside_a_loop("rm")?;
    // All are found before one is removed: a name that is mistyped removes nothing.
    let found: Result<Vec<_>, _> =
        args.loops.iter().map(|name| find(app, Some(name)).map(|(_, record)| record)).collect();
    for record in found? {
        remove(&app.home, &record)?;
        app.printer.line(&format!("removed {}", record.name))?;
        if let Some(worktree) = record.worktree.as_ref().filter(|worktree| worktree.is_dir()) {
            let path = worktree.display().to_string();
            let quoted = shell_words::quote(&path);
            app.printer.hint(&format!("its worktree stays: git worktree remove {quoted}"));
        }
    }
    Ok(0)
}
