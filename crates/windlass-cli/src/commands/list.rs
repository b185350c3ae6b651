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

/// How much of an ending is shown.
const LONGEST_ENDING: usize = 60;

/// How much a table shows.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// How a loop ended: in a sentence, or in a word or two.
    sentences: bool,
    kinds: bool,
    /// How many cells of a task.
    task: usize,
    /// How many cells of a directory, whose end says more; 0 for none.
    directory: usize,
}

/// From the widest to the narrowest. A terminal gets the first that fits, and everything else the widest.
const SHAPES: [Shape; 6] = [
    Shape { sentences: true, kinds: true, task: 40, directory: usize::MAX },
    Shape { sentences: false, kinds: true, task: 40, directory: usize::MAX },
    Shape { sentences: false, kinds: true, task: 30, directory: 20 },
    Shape { sentences: false, kinds: false, task: 25, directory: 20 },
    Shape { sentences: false, kinds: false, task: 25, directory: 0 },
    Shape { sentences: false, kinds: false, task: 12, directory: 0 },
];

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
        app.printer.data(&table(&loops, windlass::now(), paint, app.printer.cells()))?;
        astray::warn(app, &records);
        let more = all.saturating_sub(loops.len() as u64);
        if more > 0 {
            let more = text::count(more, "more loop");
            app.printer.hint(&format!("there are {more}: `windlass list --all` shows them too"));
        }
    }
    Ok(0)
}

fn table(
    loops: &[(&LoopRecord, Standing)],
    now: Timestamp,
    paint: Paint,
    cells: Option<usize>,
) -> String {
    let fits = |lines: &[String]| {
        cells.is_none_or(|cells| lines.iter().all(|line| text::width(line) <= cells))
    };
    let mut lines = Vec::new();
    for shape in SHAPES {
        lines = text::table(&rows(loops, now, paint, shape));
        if fits(&lines) {
            break;
        }
    }
    format!("{}\n", lines.join("\n"))
}

fn rows(
    loops: &[(&LoopRecord, Standing)],
    now: Timestamp,
    paint: Paint,
    shape: Shape,
) -> Vec<Vec<String>> {
    let chosen = |[name, kind, task, ending, ended, cost, directory]: [String; 7]| {
        let (kind, directory) =
            (shape.kinds.then_some(kind), (shape.directory > 0).then_some(directory));
        let start = [Some(name), kind, Some(task), Some(ending), Some(ended), Some(cost)];
        start.into_iter().flatten().chain(directory).collect()
    };
    let heads = ["NAME", "KIND", "TASK", "ENDING", "ENDED", "COST", "DIRECTORY"];
    let mut rows = vec![chosen(heads.map(|head| paint.faint(head)))];
    for (record, standing) in loops {
        let task = sanitise::line(record.task.as_deref().unwrap_or_default());
        let ending = match standing.state {
            State::Running => words(record, standing),
            _ if shape.sentences => words(record, standing),
            _ => standing.short(),
        };
        let ending = text::truncate(&ending, LONGEST_ENDING);
        let directory = sanitise::line(&record.directory.display().to_string()).into_owned();
        rows.push(chosen([
            sanitise::line(&record.name).into_owned(),
            sanitise::line(&record.kind).into_owned(),
            text::truncate(&task, shape.task),
            format!("{} {ending}", standing.icon(paint)),
            record.ended_at.map(|at| text::ago(at, now)).unwrap_or_default(),
            record.usage.cost_usd.map(text::money).unwrap_or_default(),
            text::truncate_start(&directory, shape.directory),
        ]));
    }
    rows
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
        assert_snapshot!(table(&loops, samples::NOW, Paint::default(), None), @"
        NAME         KIND      TASK                 ENDING                                                         ENDED    COST   DIRECTORY
        calm-heron   iterate   Make the tests pass  ● running, iteration 6 of at most 20                                           /work/shop
        calm-heron   iterate   Make the tests pass  ● waiting, iteration 6 of at most 20                                           /work/shop
        oddx -newt   iteratex  x                    ! interrupted in iteration 2: the process that ran it is gone           $0.50  /work/x
        brave-otter  iterate   Make the tests pass  ✓ done after 2 iterations, its checks passed                   2 h ago  $0.50  /work/shop
        ");
    }

    #[test]
    fn a_terminal_gets_lines_that_fit_while_there_is_anything_to_leave_out() {
        let (done, running, cut_off) = (samples::done(), samples::running(), samples::evil());
        let loops = [
            (&running, samples::standing(&running, true)),
            (&cut_off, samples::standing(&cut_off, false)),
            (&done, samples::standing(&done, false)),
        ];
        let fitted = |cells| table(&loops, samples::NOW, Paint::default(), Some(cells));
        assert_snapshot!(fitted(110), @"
        NAME         KIND      TASK                 ENDING                                ENDED    COST   DIRECTORY
        calm-heron   iterate   Make the tests pass  ● running, iteration 6 of at most 20                  /work/shop
        oddx -newt   iteratex  x                    ! interrupted                                  $0.50  /work/x
        brave-otter  iterate   Make the tests pass  ✓ done                                2 h ago  $0.50  /work/shop
        ");
        assert_snapshot!(fitted(80), @"
        NAME         TASK          ENDING                                ENDED    COST
        calm-heron   Make the te…  ● running, iteration 6 of at most 20
        oddx -newt   x             ! interrupted                                  $0.50
        brave-otter  Make the te…  ✓ done                                2 h ago  $0.50
        ");
        for cells in [80, 100, 120] {
            let lines = fitted(cells);
            assert!(lines.lines().all(|line| text::width(line) <= cells), "{cells}: {lines}");
        }
        assert!(fitted(10).contains("brave-otter"), "it may be too wide, but is there");
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
