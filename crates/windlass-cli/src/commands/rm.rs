//! `windlass rm`: removes loops and all that windlass keeps of them.

use windlass::{free_snapshots, release_refs, remove, sweep_worktree, tell_left_behind};
use windlass_core::text::sanitise;
use windlass_store::store::Store;

use super::{block_on, cancel::settle_and_tell, merge::place};
use crate::{
    control::find::find,
    host::{app::App, failure::Failure},
    report::{paint::Paint, words::all_left_behind},
};

/// Delete a loop's records; its work stays
///
/// Its worktree is deleted too if all of its work is in another branch, or if there is none.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Loop names, IDs or prefixes
    #[arg(value_name = "LOOP", required = true)]
    loops: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  windlass rm brave-otter";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    // All are found before one is removed: a name that is mistyped removes nothing.
    let found: Result<Vec<_>, _> = args.loops.iter().map(|name| find(app, Some(name))).collect();
    for (store, record) in found? {
        settle_and_tell(app, &store)?;
        let is_over = record.ending.is_some() && record.worktree.is_some();
        if is_over {
            // Where that cannot be told, the worktree stays.
            drop(block_on(sweep_worktree(&place(app), &store, &record))?);
        }
        // One that was cut off may not have told what it left behind, and cannot later.
        if let Ok(Some(found)) = block_on(tell_left_behind(&place(app), &store, &record))? {
            let paint = Paint { colour: app.printer.colour };
            for line in all_left_behind(&found.entries, paint) {
                app.printer.line(&line)?;
            }
        }
        drop(store);
        let is_running = record.ending.is_none() && record.owner.is_alive();
        // Where that cannot be done, the refs stay, and harm nobody.
        let kept = match is_running {
            false => block_on(release_refs(&place(app), &record))?.unwrap_or_default(),
            true => Vec::new(),
        };
        remove(&app.home, &record)?;
        app.printer.line(&format!("removed {}", record.name))?;
        for name in kept {
            let name = sanitise::line(&name);
            app.printer.hint(&format!("{name} stays: its commits are in no branch of yours"));
        }
        if let Some(worktree) = record.worktree.as_ref().filter(|worktree| worktree.is_dir()) {
            let path = worktree.display().to_string();
            let quoted = shell_words::quote(&path);
            app.printer.hint(&format!("its worktree stays: git worktree remove {quoted}"));
        }
    }
    if let Some(store) = Store::open_existing(&app.home)? {
        // What cannot be freed now, `gc` frees.
        drop(block_on(free_snapshots(&place(app), &store))?);
    }
    Ok(0)
}
