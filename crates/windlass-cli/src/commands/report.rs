//! `windlass report`: loops as one page that can be read, mailed or attached.

use std::path::{Path, PathBuf};

use windlass::system::replace_named;
use windlass_core::{options::Span, time::Timestamp};
use windlass_store::store::{LoopRecord, Store};

use super::story::{Depth, Teller, here::Here};
use crate::{
    control::find::find,
    host::{
        app::App,
        failure::{Failure, Kind},
    },
    present::{Story, html, markdown, terminal},
    report::paint::Paint,
};

/// Write a report: what was asked, done and proven, what it cost, what remains
///
/// Prints it, or writes it as Markdown or as one HTML page without scripts. It has the task, what was
/// changed, the proof and the doubts, a timeline, the cost, what remains, the next commands and the diff,
/// cut at 256 KiB. Whether work was pushed is read from local refs.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Loop names, IDs or prefixes [default: newest loop in this repository]
    #[arg(value_name = "LOOP", conflicts_with_all = ["since", "all"])]
    loops: Vec<String>,

    /// Write one HTML page to this file; `-` is stdout
    #[arg(long, value_name = "FILE", conflicts_with = "md")]
    html: Option<PathBuf>,

    /// Write Markdown to this file; `-` is stdout
    #[arg(long, value_name = "FILE")]
    md: Option<PathBuf>,

    /// All loops of this repository that ran within this time, such as 12h or 7d
    #[arg(long, value_name = "TIME")]
    since: Option<Span>,

    /// Loops of every repository; with --since those that ran within that time
    #[arg(long)]
    all: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass report                          the newest loop of this repository
  windlass report brave-otter calm-heron   these two
  windlass report --since 12h              all that ran here in the last 12 hours
  windlass report --since 12h --all        the same for every repository
  windlass report --html report.html       one page to mail or attach
  windlass report --md - | less            Markdown";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let now = windlass::now();
    let (store, records) = chosen(app, args, now)?;
    let teller = Teller::new(app, &store, now);
    let stories = records.iter().map(|record| teller.tell(record, Depth::Whole));
    let stories = stories.collect::<Result<Vec<Story>, Failure>>()?;
    match (&args.html, &args.md) {
        (Some(file), _) => write(app, file, &html::report(&stories, now))?,
        (None, Some(file)) => write(app, file, &markdown::report(&stories, now))?,
        (None, None) if stories.is_empty() => {
            app.printer.data("No loop ran in this time.\n")?;
        }
        (None, None) => {
            let paint = Paint { colour: app.printer.colour };
            app.printer.data(&terminal::report(&stories, now, paint))?;
        }
    }
    Ok(0)
}

/// The loops that the report is about, newest first, or as they were named.
fn chosen(app: &App, args: &Args, now: Timestamp) -> Result<(Store, Vec<LoopRecord>), Failure> {
    if !args.loops.is_empty() {
        let found: Result<Vec<_>, Failure> =
            args.loops.iter().map(|name| Ok(find(app, Some(name))?.1)).collect();
        let (store, _) = find(app, args.loops.first().map(String::as_str))?;
        return Ok((store, found?));
    }
    let Some(store) = Store::open_existing(&app.home)? else { return Err(nothing(app)) };
    let mut loops = match args.all {
        true => store.loops(None)?,
        false => Here::of(app)?.loops(&store)?,
    };
    match &args.since {
        Some(Span(span)) => {
            let runs = |record: &LoopRecord| record.ending.is_none() && record.owner.is_alive();
            let ended = |record: &LoopRecord| record.ended_at.unwrap_or(record.updated_at);
            loops.retain(|record| runs(record) || now.since(ended(record)) <= *span);
        }
        None if !args.all => {
            loops.truncate(1);
            if loops.is_empty() {
                return Err(nothing(app));
            }
        }
        None => {}
    }
    Ok((store, loops))
}

/// There is no loop to report.
fn nothing(app: &App) -> Failure {
    match find(app, None) {
        Err(failure) => failure,
        Ok(_) => Failure::usage("no loop was found in this repository"),
    }
}

/// Writes the report: to stdout for `-`, else whole or not at all.
fn write(app: &App, file: &Path, text: &str) -> Result<(), Failure> {
    if file == Path::new("-") {
        return app.printer.data(text);
    }
    replace_named(&app.directory, file, text).map_err(|error| {
        let shown = file.display();
        Failure::because(Kind::Usage, format!("the report cannot be written to `{shown}`"), error)
    })
}
