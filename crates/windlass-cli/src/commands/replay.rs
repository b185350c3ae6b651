//! `windlass replay`: where other thresholds would have stopped a loop that was recorded.

mod setting;

use std::collections::BTreeMap;

use serde::Serialize;
use windlass::kind::Kind;
use windlass_core::{
    event::{Event, EventKind},
    replay::{Stopped, replay},
    rules::RuleBook,
    text::sanitise,
};
use windlass_store::store::LoopRecord;

use self::setting::Setting;
use crate::{
    control::find::LoopArg,
    host::{app::App, failure::Failure},
    report::{
        brief::{Brief, title},
        ending::{Standing, State},
        paint::Paint,
    },
    text,
};

/// Replay a loop with different stop rules
///
/// Runs the rules over the recording of the loop. The recording ends where the loop ended.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    target: LoopArg,

    /// Threshold to try, as RULE=VALUE; separate several with commas to try them together
    ///
    /// Repeat it to compare. RULE is a name such as `stagnation`, `same-error` or `max-cost`; 0
    /// disables it.
    #[arg(long, value_name = "RULE=VALUE")]
    set: Vec<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass replay brave-otter --set stagnation=5 --set stagnation=8
  windlass replay --set same-error=3,churn=0      both together, on the newest loop";

#[derive(Serialize)]
struct Replay<'a> {
    #[serde(flatten)]
    brief: Brief<'a>,
    /// Where the loop really stopped; the number of iterations that are recorded.
    recorded: u32,
    settings: Vec<Row>,
}

/// What one setting would have done.
#[derive(Debug, Serialize)]
struct Row {
    set: BTreeMap<&'static str, String>,
    /// `None` where it would not have stopped the loop, as far as it was recorded.
    stop: Option<Stop>,
}

#[derive(Debug, Serialize)]
struct Stop {
    iteration: u32,
    rule: &'static str,
    reason: String,
    /// All rules that trip there.
    rules: Vec<&'static str>,
}

impl Stop {
    fn of(stopped: Stopped) -> Self {
        Self {
            iteration: stopped.iteration,
            rule: stopped.by.rule,
            reason: stopped.by.reason,
            rules: stopped.trips.iter().map(|trip| trip.rule).collect(),
        }
    }
}

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let settings: Vec<Setting> =
        args.set.iter().map(|text| Setting::parse(text)).collect::<Result<_, _>>()?;
    let (store, record) = args.target.find(app)?;
    let history = store.history(&record.id)?;
    let standing = Standing::of_record(&record);
    let rows = rows(&record, &history, &settings)?;
    let recorded = recorded(&history);
    if args.json {
        let brief = Brief::new(&record, &standing);
        app.printer.json(&Replay { brief, recorded, settings: rows })?;
    } else {
        let paint = Paint { colour: app.printer.colour };
        app.printer.data(&screen(&record, &standing, recorded, &rows, paint))?;
    }
    Ok(0)
}

fn rows(record: &LoopRecord, history: &[Event], settings: &[Setting]) -> Result<Vec<Row>, Failure> {
    let unreadable = |error: serde_json::Error| {
        Failure::usage(format!("the options of {} cannot be read: {error}", record.name))
    };
    let mut rows = Vec::new();
    for setting in settings {
        let options = setting.over(&record.options)?;
        let kind: Kind = serde_json::from_value(options).map_err(unreadable)?;
        let stopped = replay(RuleBook::new(&kind.rules(), kind.protocol()), history);
        rows.push(Row { set: setting.shown(), stop: stopped.map(Stop::of) });
    }
    Ok(rows)
}

/// How many iterations came to their end.
fn recorded(history: &[Event]) -> u32 {
    let last = history.iter().rev().find_map(|event| match &event.kind {
        EventKind::IterationFinished(summary) => Some(summary.iteration),
        _ => None,
    });
    last.unwrap_or(0)
}

fn screen(
    record: &LoopRecord,
    standing: &Standing,
    recorded: u32,
    rows: &[Row],
    paint: Paint,
) -> String {
    let heads = ["SETTING", "STOPS", "BECAUSE"];
    let mut cells: Vec<Vec<String>> = vec![heads.iter().map(|head| paint.faint(head)).collect()];
    cells.push(vec!["as it was".to_owned(), really(standing, recorded), because(standing)]);
    for row in rows {
        let set: Vec<String> = row.set.iter().map(|(rule, to)| format!("{rule}={to}")).collect();
        let (stops, why) = match &row.stop {
            Some(stop) => (after(stop.iteration), told(stop)),
            None => (format!("not in {}", text::count(recorded, "iteration")), String::new()),
        };
        cells.push(vec![sanitise::line(&set.join(", ")).into_owned(), stops, why]);
    }
    let mut lines = vec![title(record, paint), standing.words(paint), String::new()];
    lines.extend(text::table(&cells).iter().map(|row| format!("  {row}")));
    lines.push(String::new());
    lines.push(limits_of_knowledge(standing, recorded, rows));
    format!("{}\n", lines.join("\n"))
}

/// What the table cannot tell.
fn limits_of_knowledge(standing: &Standing, recorded: u32, rows: &[Row]) -> String {
    let name = shell_words::quote(&standing.name);
    if rows.is_empty() {
        return format!(
            "Try a threshold: windlass replay {name} --set stagnation=5 --set same-error=3"
        );
    }
    let end = match recorded {
        0 => "before the first iteration".to_owned(),
        n => format!("at iteration {n}"),
    };
    match &standing.state {
        State::Running => format!("The loop is still running; the recording so far ends {end}."),
        State::Ended(_) | State::Interrupted | State::Other(_) => {
            format!("The recording ends {end}.")
        }
    }
}

fn after(iteration: u32) -> String {
    format!("after iteration {iteration}")
}

/// Where the loop really stopped.
fn really(standing: &Standing, recorded: u32) -> String {
    match (&standing.state, recorded) {
        (State::Running, n) => format!("not in {} so far", text::count(n, "iteration")),
        (_, 0) => "before its first iteration was over".to_owned(),
        (_, n) => after(n),
    }
}

fn because(standing: &Standing) -> String {
    use windlass_core::ending::Ending;
    match &standing.state {
        State::Ended(Ending::Rule { rule, reason, .. }) => {
            format!("{}: {}", sanitise::line(rule), sanitise::line(reason))
        }
        State::Ended(Ending::Budget { reason, .. }) => {
            format!("budget: {}", sanitise::line(reason))
        }
        _ => standing.word().to_owned(),
    }
}

fn told(stop: &Stop) -> String {
    let others: Vec<&str> = stop.rules.iter().copied().filter(|rule| *rule != stop.rule).collect();
    let others = match others.as_slice() {
        [] => String::new(),
        others => format!(" (and {})", text::list(others)),
    };
    format!("{}{others}: {}", stop.rule, sanitise::line(&stop.reason))
}
