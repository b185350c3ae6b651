//! `windlass cancel`: calls a loop off, from any process.

use std::time::Duration;

use windlass::{CancelError, Cancelled, Settled, cancel, settle_left, tell_left_behind};
use windlass_core::{options::Span, text::sanitise};
use windlass_store::store::{LoopRecord, Request, Store};

use super::{block_on, merge::place};
use crate::{
    control::find::LoopArg,
    host::{
        app::App,
        failure::{Failure, Kind},
    },
    report::{paint::Paint, words::all_left_behind},
};

/// Cancel a loop and wait until all its processes have exited
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    target: LoopArg,

    /// Let the current iteration finish first, and return at once
    #[arg(long)]
    after_iteration: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass cancel brave-otter
  windlass cancel brave-otter --after-iteration";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let (store, record) = args.target.find(app)?;
    let request =
        if args.after_iteration { Request::CancelAfterIteration } else { Request::Cancel };
    let name = &record.name;
    let CalledOff { done, said, settled } = call_off(app, &store, &record, request)?;
    show_settled(app, &settled);
    app.printer.line(&said)?;
    if matches!(done, Cancelled::WasInterrupted | Cancelled::Ended) {
        let paint = Paint { colour: app.printer.colour };
        let left = store.left_behind(&record.id)?.listed();
        for line in all_left_behind(&left, paint) {
            app.printer.line(&line)?;
        }
    }
    if done != Cancelled::HadEnded {
        app.printer.hint(&format!("to go on: windlass resume {name}"));
    }
    Ok(0)
}

/// What came of calling a loop off.
pub(crate) struct CalledOff {
    pub(crate) done: Cancelled,
    /// The same in words.
    pub(crate) said: String,
    /// What of killed processes was brought to its end with it.
    pub(crate) settled: Settled,
}

/// Calls a loop off, and settles what it or others had begun. The command, the screen and the browser
/// all come here.
pub(crate) fn call_off(
    app: &App,
    store: &Store,
    record: &LoopRecord,
    request: Request,
) -> Result<CalledOff, Failure> {
    let done =
        cancel(store, &app.home, record, request, grace(record)).map_err(|error| match error {
            CancelError::Store(error) => error.into(),
            CancelError::Ending(error) => error.into(),
            error @ CancelError::Survivors(_) => {
                Failure::new(Kind::Survivors, error).hint(format!(
                    "they may be another user's: end them as that user, then `windlass cancel {}`",
                    record.name
                ))
            }
        })?;
    if done != Cancelled::AfterIteration {
        // It is cancelled all the same; `gc` looks once more.
        let now = store.get(&record.id)?;
        let now = now.as_ref().unwrap_or(record);
        drop(block_on(tell_left_behind(&place(app), store, now))?);
    }
    let settled = settle(app, store)?;
    Ok(CalledOff { said: said(&record.name, &done), done, settled })
}

/// Brings what killed processes had begun in repositories to its end, and says so.
pub(crate) fn settle_and_tell(app: &App, store: &Store) -> Result<(), Failure> {
    show_settled(app, &settle(app, store)?);
    Ok(())
}

/// Brings what killed processes had begun in repositories to its end.
pub(crate) fn settle(app: &App, store: &Store) -> Result<Settled, Failure> {
    let Settled { told, troubles } = block_on(settle_left(&place(app), store))??;
    let clean = |lines: Vec<String>| {
        lines.iter().map(|line| sanitise::line(line).into_owned()).collect::<Vec<_>>()
    };
    Ok(Settled { told: clean(told), troubles: clean(troubles) })
}

fn show_settled(app: &App, Settled { told, troubles }: &Settled) {
    told.iter().chain(troubles).for_each(|line| app.printer.warning(line));
}

/// What came of it, in words.
fn said(name: &str, done: &Cancelled) -> String {
    match done {
        Cancelled::AfterIteration => format!("{name} will stop when its iteration is over"),
        Cancelled::Ended => format!("{name} is cancelled, and nothing of it runs any more"),
        Cancelled::WasInterrupted => {
            format!("{name} had been cut off; it counts as cancelled now")
        }
        Cancelled::HadEnded => format!("{name} had ended before"),
    }
}

/// How long the loop gives its processes between TERM and KILL.
fn grace(record: &LoopRecord) -> Duration {
    let written = record.options.get("grace").and_then(|value| value.as_str());
    written.and_then(|text| text.parse::<Span>().ok()).map_or(Duration::from_secs(5), |span| span.0)
}
