//! `windlass gc`: removes what no loop needs any more.

use windlass::{
    Swept, collect_garbage, free_snapshots, old_loops, release_refs, sweep_worktrees,
    tell_left_behind,
};
use windlass_core::{options::Span, text::sanitise};
use windlass_store::store::Store;

use super::{block_on, cancel::settle_and_tell, merge::place};
use crate::{
    host::{app::App, failure::Failure},
    report::{paint::Paint, words::all_left_behind},
    text,
};

/// Clean up unused worktrees and, optionally, old loops
///
/// Removes worktrees of loops that have ended if all of their work is in another branch, or if
/// there is none. A worktree with work that exists nowhere else stays, with its loop, and is named.
/// Interrupted merges are finished.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Remove loops that ended longer ago than this, such as `720h`
    #[arg(long, value_name = "DURATION")]
    older_than: Option<Span>,

    /// Only print what would be removed
    #[arg(long)]
    dry_run: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass gc --dry-run
  windlass gc --older-than 720h        also remove loops that ended over 30 days ago";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let swept = match Store::open_existing(&app.home)? {
        Some(store) => {
            if !args.dry_run {
                settle_and_tell(app, &store)?;
            }
            block_on(sweep_worktrees(&place(app), &store, !args.dry_run))??
        }
        None => Swept::default(),
    };
    let older_than = args.older_than.map(|span| span.0);
    if !args.dry_run {
        for record in old_loops(&app.home, older_than)? {
            // Where that cannot be done, the refs stay, and harm nobody.
            drop(block_on(release_refs(&place(app), &record))?);
        }
    }
    let garbage = collect_garbage(&app.home, older_than, !args.dry_run)?;
    let mut freed = 0;
    if !args.dry_run {
        tell_left_behind_of_all(app)?;
        if let Some(store) = Store::open_existing(&app.home)? {
            freed = block_on(free_snapshots(&place(app), &store))??;
        }
    }
    let verb = if args.dry_run { "would remove" } else { "removed" };
    for name in &swept.removed {
        app.printer.line(&format!("{verb} the worktree of {}", sanitise::line(name)))?;
    }
    for kept in &swept.kept {
        let (name, why) = (sanitise::line(&kept.name), sanitise::line(&kept.why));
        app.printer.line(&format!("kept the worktree of {name}: {why}"))?;
        if let Some(next) = &kept.next {
            let does = if next.contains(" resume ") { "resumes it" } else { "merges it" };
            app.printer.hint(&format!("`{}` {does}", sanitise::line(next)));
        }
    }
    let ended = if args.dry_run { "would end" } else { "ended" };
    for name in &garbage.ended {
        app.printer.line(&format!("{ended} what {} had left running", sanitise::line(name)))?;
    }
    for name in &garbage.loops {
        app.printer.line(&format!("{verb} {name}"))?;
    }
    if garbage.containers > 0 {
        let containers = text::count(garbage.containers, "container");
        app.printer.line(&format!("{verb} {containers} that no loop needs"))?;
    }
    for trouble in &garbage.troubles {
        app.printer.warning(trouble);
    }
    if freed > 0 {
        let bytes = text::bytes(freed);
        app.printer.line(&format!("freed {bytes} of snapshots that no loop needs"))?;
    }
    if garbage.files == 0 {
        let did_nothing = garbage.loops.is_empty() && garbage.ended.is_empty() && freed == 0;
        if did_nothing && garbage.containers == 0 && swept.removed.is_empty() {
            app.printer.line("there is nothing to remove")?;
        }
        return Ok(0);
    }
    let bytes = text::bytes(garbage.bytes);
    let files = text::count(garbage.files, "file");
    app.printer.line(&format!("{verb} {files} that no loop needs ({bytes})"))?;
    Ok(0)
}

/// Tells what loops that were cut off left behind in their repositories.
fn tell_left_behind_of_all(app: &App) -> Result<(), Failure> {
    let Some(store) = Store::open_existing(&app.home)? else { return Ok(()) };
    for record in store.loops(None)?.iter().filter(|record| record.ending.is_none()) {
        // One that cannot be looked at now is looked at the next time.
        let found = block_on(tell_left_behind(&place(app), &store, record))?;
        let Ok(Some(found)) = found else { continue };
        app.printer.line(&format!("{} was cut off:", sanitise::line(&record.name)))?;
        let paint = Paint { colour: app.printer.colour };
        for line in all_left_behind(&found.entries, paint) {
            app.printer.line(&line)?;
        }
    }
    Ok(())
}
