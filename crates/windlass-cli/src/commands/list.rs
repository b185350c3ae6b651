//! `windlass list`: all loops, newest first.

use windlass_core::{text::sanitise, time::Timestamp};
use windlass_store::store::{LoopRecord, Store};

use crate::{
    control::{astray, find::FIRST_LOOP},
    host::{app::App, failure::Failure},
    report::{
        brief::Brief,
        ending::{Standing, State},
        paint::Paint,
    },
    text,
};

/// How many loops people are shown, unless they ask for all.
const MOST: usize = 50;

/// How much of a task and of an ending is shown.
const LONGEST_TASK: usize = 40;
const LONGEST_ENDING: usize = 60;

/// List loops, newest first
///
/// Shows the newest 50 and all that have not ended; `--json` and `--here` show all.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Show only loops that were started in this directory
    #[arg(long)]
    here: bool,

    /// Show all loops, however many there are
    #[arg(long)]
    all: bool,

    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass list                   your newest loops
  windlass list --all             all of them
  windlass list --here            loops in this directory";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let directory = args.here.then_some(app.directory.as_path());
    let (records, all) = match Store::open_existing(&app.home)? {
        Some(store) if args.here || args.all || args.json => (store.loops(directory)?, 0),
        Some(store) => store.newest_loops(MOST)?,
        None => (Vec::new(), 0),
    };
    let loops: Vec<(&LoopRecord, Standing)> =
        records.iter().map(|record| (record, Standing::of_record(record))).collect();
    if args.json {
        let briefs: Vec<_> =
            loops.iter().map(|(record, standing)| Brief::new(record, standing)).collect();
        app.printer.json(&briefs)?;
    } else if loops.is_empty() {
        let where_ = if args.here { " in this directory" } else { "" };
        app.printer.data(&format!("No loops yet{where_}. Start one with:\n  {FIRST_LOOP}\n"))?;
    } else {
        let paint = Paint { colour: app.printer.colour };
        app.printer.data(&table(&loops, windlass::now(), paint))?;
        astray::warn(app, &records);
        let more = all.saturating_sub(loops.len() as u64);
        if more > 0 {
            let more = text::count(more, "more loop");
            app.printer.hint(&format!("there are {more}: `windlass list --all` shows them too"));
        }
    }
    Ok(0)
}

fn table(loops: &[(&LoopRecord, Standing)], now: Timestamp, paint: Paint) -> String {
    let heads = ["NAME", "KIND", "TASK", "ENDING", "ENDED", "COST", "DIRECTORY"];
    let mut rows = vec![heads.iter().map(|head| paint.faint(head)).collect()];
    for (record, standing) in loops {
        let task = sanitise::line(record.task.as_deref().unwrap_or_default());
        let ending = text::truncate(&words(record, standing), LONGEST_ENDING);
        rows.push(vec![
            sanitise::line(&record.name).into_owned(),
            sanitise::line(&record.kind).into_owned(),
            text::truncate(&task, LONGEST_TASK),
            format!("{} {ending}", standing.icon(paint)),
            record.ended_at.map(|at| text::ago(at, now)).unwrap_or_default(),
            record.usage.cost_usd.map(text::money).unwrap_or_default(),
            sanitise::line(&record.directory.display().to_string()).into_owned(),
        ]);
    }
    format!("{}\n", text::table(&rows).join("\n"))
}

/// How a loop stands, in words; of one that waits, that nothing is done now.
pub(crate) fn words(record: &LoopRecord, standing: &Standing) -> String {
    match (&standing.state, &record.waiting) {
        (State::Running, Some(_)) => standing.sentence().replacen("running", "waiting", 1),
        _ => standing.sentence(),
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use windlass_core::step::WaitFor;
    use windlass_store::store::Waiting;

    use super::*;
    use crate::commands::samples;

    #[test]
    fn loops_stand_in_a_table() {
        let (done, running, cut_off) = (samples::done(), samples::running(), samples::evil());
        let wait =
            Waiting { until: samples::NOW, what: WaitFor::Pause, reason: "it failed".into() };
        let waiting = LoopRecord { waiting: Some(wait), ..samples::running() };
        let loops = [
            (&running, samples::standing(&running, true)),
            (&waiting, samples::standing(&waiting, true)),
            (&cut_off, samples::standing(&cut_off, false)),
            (&done, samples::standing(&done, false)),
        ];
        assert_snapshot!(table(&loops, samples::NOW, Paint::default()), @"
        NAME         KIND      TASK                 ENDING                                                         ENDED    COST   DIRECTORY
        calm-heron   iterate   Make the tests pass  ● running, iteration 6 of at most 20                                           /work/shop
        calm-heron   iterate   Make the tests pass  ● waiting, iteration 6 of at most 20                                           /work/shop
        oddx -newt   iteratex  x                    ! interrupted in iteration 2: the process that ran it is gone           $0.50  /work/x
        brave-otter  iterate   Make the tests pass  ✓ done after 2 iterations, its checks passed                   2 h ago  $0.50  /work/shop
        ");
    }

    #[test]
    fn programs_get_the_same_in_json() {
        let done = samples::done();
        let brief = Brief::new(&done, &samples::standing(&done, false));
        assert_snapshot!(serde_json::to_string_pretty(&brief).unwrap(), @r#"
        {
          "id": "1a2b3c4d5e6f7a8b",
          "name": "brave-otter",
          "kind": "iterate",
          "directory": "/work/shop",
          "agent": "command",
          "task": "Make the tests pass",
          "ending": {
            "type": "done",
            "by": "promise"
          },
          "verified": true,
          "iterations": 2,
          "max_iterations": 20,
          "phase": "",
          "sessions": 2,
          "files_modified": 3,
          "usage": {
            "input_tokens": 1210,
            "output_tokens": 55,
            "cost_usd": 0.5
          },
          "circuit": "closed",
          "circuit_reason": null,
          "started_at": "2025-11-15T18:01:40.000Z",
          "ended_at": "2025-11-15T18:03:20.000Z",
          "updated_at": "2025-11-15T18:03:20.000Z",
          "duration_ms": 66400
        }
        "#);
    }
}
