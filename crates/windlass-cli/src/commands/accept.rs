//! `windlass accept`: accepts work that windlass rejected.

use windlass::accept;
use windlass_core::text::sanitise;

use super::{block_on, cancel::settle_and_tell, merge::place, story::guide::Guide};
use crate::{
    control::find::LoopArg,
    host::{app::App, failure::Failure},
    report::{ending::Standing, paint::Paint, words},
};

/// Accept a loop's work although windlass rejected it
///
/// Works for a loop that is not running and whose last claim was rejected, or whose agent reported
/// being blocked (`heal` and `pr`: whose tests failed last; `develop`: whose last approval was not
/// proven). The loop is then done, but counts as not verified. Nothing is ticked, committed, pushed
/// or posted, and the loop cannot be resumed.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    target: LoopArg,

    /// Accept the files as they are now, even if they changed since the claim
    #[arg(long)]
    this_tree: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass diff brave-otter && windlass accept brave-otter
  windlass accept brave-otter --this-tree     after changing something yourself";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let (store, record) = args.target.find(app)?;
    settle_and_tell(app, &store)?;
    let accepted = block_on(accept(&place(app), &store, &record, args.this_tree))??;
    let name = sanitise::line(&record.name);
    app.printer.line(&format!("{name} is done: you accepted its work, which is not verified"))?;
    for line in words::rejected("waived:", &accepted.against, Paint { colour: app.printer.colour })
    {
        app.printer.line(&format!("  {line}"))?;
    }
    let record = store.get(&record.id)?.unwrap_or(record);
    let standing = Standing::of_record(&record);
    let next = Guide::new(app).next(&store, &record, &standing, standing.next());
    next.labelled().iter().for_each(|line| app.printer.aside(line));
    Ok(0)
}
