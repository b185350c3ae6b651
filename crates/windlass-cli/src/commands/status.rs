//! `windlass status`: one loop at a glance.

use serde::Serialize;
use serde_json::Value;
use windlass::kind::Kind;
use windlass_core::{
    ending::{BudgetKind, Ending},
    event::{BaselineTaken, TestsCounted},
    options::Rules,
    proof_record::ProofRecord,
    rules::Spend,
    text::sanitise,
    time::Timestamp,
    view::LoopView,
};
use windlass_store::store::{LoopRecord, MessageRecord, Waiting};

use super::story::guide::Guide;
use crate::{
    control::{astray, find::LoopArg},
    host::{app::App, failure::Failure},
    present::Next,
    report::{
        brief::{Brief, title},
        command::Started,
        ending::{Standing, State},
        paint::Paint,
        progress, summary, words,
    },
    text,
};

/// Show one loop at a glance
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    target: LoopArg,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass status                 newest loop in this directory
  windlass status brave-otter     another loop";

/// How many of the last messages are looked at, and how many lines of them are shown.
const MESSAGES: usize = 8;
const LINES: usize = 5;
const BAR: usize = 24;
/// How many doubts are shown.
const DOUBTS: usize = 5;
/// How much of a task is shown.
pub(crate) const LONGEST_TASK: usize = 100;

#[derive(Serialize)]
struct Status<'a> {
    #[serde(flatten)]
    brief: Brief<'a>,
    #[serde(flatten)]
    started: Started,
    #[serde(flatten)]
    proof: Proof,
    budgets: Vec<Spend>,
    last_lines: Vec<String>,
    next: Vec<String>,
}

/// What is known of the proof so far.
#[derive(Serialize)]
struct Proof {
    /// The checks before the first session; nothing where they did not run yet.
    baseline: Option<BaselineTaken>,
    /// How many tests each check ran last.
    tests: Vec<TestsCounted>,
    /// The evidence for and against the last claim.
    proof: Option<ProofRecord>,
}

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let (store, record) = args.target.find(app)?;
    let view = store.proof_view(&record.id)?;
    let mut standing = Standing::of_record(&record);
    standing.prove(view.proving(), view.proof.as_ref());
    let last_lines = last_lines(&store.last_messages(&record.id, MESSAGES)?);
    if args.json {
        let brief = Brief::new(&record, &standing);
        let started = Started::of(&record.options);
        let budgets = budgets(&record);
        let next = standing.next();
        let LoopView { baseline, tests, proof, .. } = view;
        let proof = Proof { baseline, tests, proof };
        app.printer.json(&Status { brief, started, proof, budgets, last_lines, next })?;
    } else {
        let paint = Paint { colour: app.printer.colour };
        let now = windlass::now();
        let next = Guide::new(app).next(&store, &record, &standing, standing.next());
        let said = Said { last_lines: &last_lines, next: &next };
        app.printer.data(&screen(&record, &standing, &view, (said, now), paint))?;
        astray::warn(app, [&record]);
    }
    Ok(0)
}

/// What stands below the rows.
#[derive(Clone, Copy)]
struct Said<'a> {
    /// The last lines of what the agent said.
    last_lines: &'a [String],
    next: &'a Next,
}

fn screen(
    record: &LoopRecord,
    standing: &Standing,
    view: &LoopView,
    (Said { last_lines, next }, now): (Said<'_>, Timestamp),
    paint: Paint,
) -> String {
    let mut rows = Vec::new();
    let mut row = |label: &str, value: String| rows.push(vec![paint.faint(label), value]);
    if let Some(task) = &record.task {
        row("task", text::truncate(&sanitise::line(task), LONGEST_TASK));
    }
    for (label, value) in Started::of(&record.options).rows() {
        row(label, value);
    }
    row("iteration", iteration(record));
    if let Some(tasks) = record.tasks {
        let bar = text::bar(tasks.done.into(), (tasks.open + tasks.done).into(), BAR);
        row("tasks", format!("{} {}", paint.good(&bar), summary::tasks(tasks.open, tasks.done)));
    }
    let success = record.ending.as_ref().is_some_and(Ending::is_success);
    for line in proof_rows(view, (success, record.verified), paint) {
        row(line.0, line.1);
    }
    if standing.state == State::Running {
        let since = text::duration(now.since(record.updated_at));
        let phase = match &record.waiting {
            Some(Waiting { until, what, reason }) => words::wait(*until, *what, reason, now),
            None => sanitise::line(&record.phase).into_owned(),
        };
        row("phase", format!("{phase}, last output {since} ago"));
    }
    row("circuit", circuit(record, paint));
    row("files", format!("{} modified", text::count(record.files_modified, "file")));
    if let Some(spend) = summary::spend(record.usage) {
        row("spend", spend);
    }
    let budgets: Vec<String> = budgets(record).iter().map(Spend::figures).collect();
    if !budgets.is_empty() {
        row("budget", budgets.join("; "));
    }
    let sessions = text::count(record.sessions, "session");
    let runs_at = (standing.state == State::Running).then_some(now);
    row("time", format!("{sessions} in {}", text::millis(record.ran_ms(runs_at))));
    row(
        "started",
        format!("{} ({})", text::ago(record.started_at, now), text::local_time(record.started_at)),
    );

    let mut lines = vec![title(record, paint), standing.words(paint), String::new()];
    lines.extend(text::table(&rows).iter().map(|row| format!("  {row}")));
    if !last_lines.is_empty() {
        lines.push(String::new());
        lines.extend(last_lines.iter().map(|line| paint.faint(&format!("  │ {line}"))));
    }
    lines.push(String::new());
    lines.extend(next.lines());
    format!("{}\n", lines.join("\n"))
}

/// The tests and the proof of the last claim, a label and a value each.
fn proof_rows(view: &LoopView, fate: (bool, bool), paint: Paint) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    match progress::tests_in_words(view) {
        Some(words) => {
            let bar = progress::tests(view).map(|bar| text::bar(bar.done, bar.of, BAR));
            let bar = bar.map(|bar| format!("{} ", paint.good(&bar))).unwrap_or_default();
            rows.push(("tests", format!("{bar}{words}")));
        }
        None => {
            let lines = view.baseline.iter().flat_map(words::proof::baseline);
            rows.extend(lines.map(|line| match line.strip_prefix("baseline: ") {
                Some(line) => ("baseline", line.to_owned()),
                None => ("baseline", line),
            }));
        }
    }
    if let Some(proof) = view.proof.as_ref().filter(|proof| !proof.checks.is_empty()) {
        rows.push((words::proven::label(proof, fate), words::proven::facts(proof).join("; ")));
    }
    if let Some(proof) = &view.proof {
        rows.extend(proof.doubts.iter().take(DOUBTS).map(|doubt| {
            let line = words::proof::doubt(doubt, Paint::default());
            ("doubt", line.trim_start_matches("doubt: ").to_owned())
        }));
        let more = proof.doubts.len().saturating_sub(DOUBTS);
        if more > 0 {
            rows.push(("doubt", format!("and {more} more")));
        }
    }
    rows
}

pub(crate) fn iteration(record: &LoopRecord) -> String {
    match record.max_iterations {
        0 => match limit_per_task(&record.options) {
            Some(limit) => format!("{}, at most {limit} a task", record.iteration),
            None => format!("{}, without a limit", record.iteration),
        },
        max => format!("{} of at most {max}", record.iteration),
    }
}

/// How many iterations each task may have, where that is limited and not the whole.
fn limit_per_task(options: &Value) -> Option<u32> {
    let kind: Kind = serde_json::from_value(options.clone()).ok()?;
    let Kind::Develop(develop) = kind else { return None };
    develop.tasks.as_ref()?;
    Some(develop.common.rules.max_iterations).filter(|limit| *limit > 0)
}

/// How the circuit stands, and why.
pub(crate) fn circuit(record: &LoopRecord, paint: Paint) -> String {
    let word = match record.circuit.as_str() {
        "closed" => return "closed".to_owned(),
        "half_open" => paint.warn("half-open"),
        "open" => paint.bad("open"),
        other => sanitise::line(other).into_owned(),
    };
    match &record.circuit_reason {
        Some(reason) => format!("{word}: {}", sanitise::line(reason)),
        None => word,
    }
}

/// The budgets that the loop has, and how they stand.
pub(crate) fn budgets(record: &LoopRecord) -> Vec<Spend> {
    let limits: Rules = serde_json::from_value(record.options.clone()).unwrap_or_default();
    let spend = |kind| Spend::of(kind, &limits, record.usage, record.active_ms, record.iteration);
    [BudgetKind::Cost, BudgetKind::Tokens, BudgetKind::Duration]
        .into_iter()
        .filter_map(spend)
        .collect()
}

/// The last lines of what the agent said.
fn last_lines(messages: &[MessageRecord]) -> Vec<String> {
    let shown = |kind: &str| matches!(kind, "text" | "raw" | "stderr" | "problem" | "tool_use");
    let said: Vec<&str> = messages
        .iter()
        .filter(|message| shown(&message.kind))
        .map(|message| message.content.as_str())
        .collect();
    let lines = words::tail(&said.join("\n"), LINES);
    lines.iter().map(|line| text::truncate(&sanitise::line(line), 120)).collect()
}

#[cfg(test)]
mod tests;
