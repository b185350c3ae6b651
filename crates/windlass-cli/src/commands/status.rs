//! `windlass status`: one loop at a glance.

use serde::Serialize;
use serde_json::Value;
use windlass::kind::Kind;
use windlass_core::{
    ending::BudgetKind,
    event::{BaselineTaken, TestsCounted},
    options::Rules,
    proof_record::ProofRecord,
    rules::Spend,
    text::sanitise,
    time::Timestamp,
    view::LoopView,
};
use windlass_store::store::{LoopRecord, MessageRecord, Waiting};

use crate::{
    control::{astray, find::LoopArg},
    host::{app::App, failure::Failure},
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

    /// As one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass status                 the newest loop of this directory
  windlass status brave-otter     that one";

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
    /// What spoke for or against the last claim.
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
        app.printer.data(&screen(&record, &standing, &view, (&last_lines, now), paint))?;
        astray::warn(app, [&record]);
    }
    Ok(0)
}

fn screen(
    record: &LoopRecord,
    standing: &Standing,
    view: &LoopView,
    (last_lines, now): (&[String], Timestamp),
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
    for line in proof_rows(view, paint) {
        row(line.0, line.1);
    }
    if standing.state == State::Running {
        let since = text::duration(now.since(record.updated_at));
        let phase = match &record.waiting {
            Some(Waiting { until, what, reason }) => words::wait(*until, *what, reason, now),
            None => sanitise::line(&record.phase).into_owned(),
        };
        row("phase", format!("{phase}, last news {since} ago"));
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
    lines.extend(standing.next().iter().map(|command| format!("  {command}")));
    format!("{}\n", lines.join("\n"))
}

/// The tests and the proof of the last claim, a label and a value each.
fn proof_rows(view: &LoopView, paint: Paint) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    match progress::tests_in_words(&view.tests) {
        Some(words) => {
            let bar = progress::tests(&view.tests).map(|bar| text::bar(bar.done, bar.of, BAR));
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
        rows.push(("proof", words::proven::facts(proof).join("; ")));
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

fn iteration(record: &LoopRecord) -> String {
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
mod tests {
    use insta::assert_snapshot;
    use windlass_core::event::Event;

    use super::*;
    use crate::{commands::samples, report};

    fn shown(record: &LoopRecord, alive: bool) -> String {
        shown_with(record, alive, &LoopView::default())
    }

    fn shown_with(record: &LoopRecord, alive: bool, view: &LoopView) -> String {
        let mut standing = samples::standing(record, alive);
        standing.prove(view.proving(), view.proof.as_ref());
        let lines = last_lines(&samples::messages());
        screen(record, &standing, view, (&lines, samples::NOW), Paint::default())
    }

    #[test]
    fn a_running_loop_at_a_glance() {
        let _settings = samples::anywhere().bind_to_scope();
        assert_snapshot!(shown(&samples::running(), true), @"
        calm-heron  iterate with command in /work/shop
        ● running, iteration 6 of 20

          task       Make the tests pass
          command    my-agent --fast
          promise    COMPLETE
          iteration  6 of at most 20
          phase      agent works, last news 12 s ago
          circuit    half-open: 2 iterations without progress
          files      3 files modified
          time       2 sessions in 1 min 18 s
          started    6 min ago (YYYY-MM-DD HH:MM:SS)

          │ I look
          │ x
          │ edits a.rs

          windlass log calm-heron --follow
          windlass cancel calm-heron
        ");
    }

    fn view(events: &[Event]) -> LoopView {
        let mut view = LoopView::default();
        events.iter().for_each(|event| view.apply(event));
        view
    }

    #[test]
    fn the_tests_and_the_proof_have_their_rows() {
        let _settings = samples::anywhere().bind_to_scope();
        let events = report::samples::refuted();
        assert_snapshot!(shown_with(&samples::running(), true, &view(&events)), @"
        calm-heron  iterate with command in /work/shop
        ● running, iteration 6 of 20

          task       Make the tests pass
          command    my-agent --fast
          promise    COMPLETE
          iteration  6 of at most 20
          tests      ━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌ pytest: 3 → 1 failing
          proof      1 of 41 tests fails; the check failed before the loop; failed on the original tests
          phase      agent works, last news 12 s ago
          circuit    half-open: 2 iterations without progress
          files      3 files modified
          time       2 sessions in 1 min 18 s
          started    6 min ago (YYYY-MM-DD HH:MM:SS)

          │ I look
          │ x
          │ edits a.rs

          windlass log calm-heron --follow
          windlass cancel calm-heron
        ");
        assert_snapshot!(shown_with(&samples::done(), false, &view(&report::samples::proven())), @"
        brave-otter  iterate with command in /work/shop
        ✓ done after 2 iterations, proven by 1 check, with 2 doubts

          task       Make the tests pass
          command    my-agent --fast
          promise    COMPLETE
          iteration  2 of at most 20
          tests      ━━━━━━━━━━━━━━━━━━━━━━━━ pytest: 1 → 0 failing (3 before the loop)
          proof      41 tests pass, 2 skipped; the check failed before the loop; passed on the original tests, too
          doubt      tests/fixtures/a.json: a watched file changed
          doubt      2 tests are skipped that ran before
          circuit    closed
          files      3 files modified
          spend      $0.50 (1.2k tokens in and 55 out)
          time       2 sessions in 1 min 6 s
          started    2 h ago (YYYY-MM-DD HH:MM:SS)

          │ I look
          │ x
          │ edits a.rs

          windlass show brave-otter
          windlass diff brave-otter
        ");
        let before = view(&events[..5]);
        let shown = shown_with(&samples::running(), true, &before);
        assert!(shown.contains("  baseline   pytest: 3 of 41 fail\n"), "{shown}");
    }

    #[test]
    fn a_loop_that_is_done_at_a_glance() {
        let _settings = samples::anywhere().bind_to_scope();
        assert_snapshot!(shown(&samples::done(), false), @"
        brave-otter  iterate with command in /work/shop
        ✓ done after 2 iterations, its checks passed

          task       Make the tests pass
          command    my-agent --fast
          promise    COMPLETE
          iteration  2 of at most 20
          circuit    closed
          files      3 files modified
          spend      $0.50 (1.2k tokens in and 55 out)
          time       2 sessions in 1 min 6 s
          started    2 h ago (YYYY-MM-DD HH:MM:SS)

          │ I look
          │ x
          │ edits a.rs

          windlass show brave-otter
          windlass diff brave-otter
        ");
    }

    #[test]
    fn a_loop_that_was_cut_off_says_how_to_go_on() {
        let _settings = samples::anywhere().bind_to_scope();
        assert_snapshot!(shown(&samples::evil(), false), @"
        oddx -newt  iteratex with agentx in /work/x
        ! interrupted in iteration 2: the process that ran it is gone

          task       x
          command    my-agent --fast
          promise    COMPLETE
          iteration  2, without a limit
          circuit    closed
          files      3 files modified
          spend      $0.50 (1.2k tokens in and 55 out)
          time       2 sessions in 1 min 6 s
          started    2 h ago (YYYY-MM-DD HH:MM:SS)

          │ I look
          │ x
          │ edits a.rs

          windlass resume 'oddx -newt'
          windlass log 'oddx -newt'
        ");
    }
}
