//! `windlass show`: what a loop did, iteration by iteration.

use serde::Serialize;
use windlass_core::{ending::Ending, result::LoopResult, text::sanitise, view::LoopView};
use windlass_store::store::{CheckRecord, IterationRecord, LoopRecord, SessionRecord, TaskRecord};

use super::status::LONGEST_TASK;
use crate::{
    control::find::LoopArg,
    host::{app::App, failure::Failure},
    report::{
        brief::title,
        command::Started,
        ending::{Standing, State},
        paint::Paint,
        progress, summary, words,
    },
    text,
};

/// Show what a loop did, iteration by iteration
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    target: LoopArg,

    /// Print one JSON object: result, iterations, sessions and tasks
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass show brave-otter
  windlass show brave-otter --json | jq '.iterations[].checks'";

#[derive(Serialize)]
struct Shown {
    result: LoopResult,
    iterations: Vec<IterationRecord>,
    sessions: Vec<SessionRecord>,
    tasks: Vec<TaskRecord>,
}

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let (store, record) = args.target.find(app)?;
    let iterations = store.iterations(&record.id)?;
    let sessions = store.sessions(&record.id)?;
    if args.json {
        let result = store.result(&record)?;
        let tasks = store.tasks(&record.id)?;
        app.printer.json(&Shown { result, iterations, sessions, tasks })?;
    } else {
        let mut standing = Standing::of_record(&record);
        let view = store.proof_view(&record.id)?;
        standing.prove(proving(&iterations), view.proof.as_ref());
        let paint = Paint { colour: app.printer.colour };
        let proof = view.proof.as_ref();
        let doubts = store.doubts(&record.id)?;
        let doubts = doubts.iter().filter(|doubt| !words::is_in_proof(doubt, proof));
        let mut notes: Vec<String> = doubts.map(|doubt| words::doubted(doubt, paint)).collect();
        notes.extend(proof_lines(&view, &record, paint));
        let left = store.left_behind(&record.id)?.listed();
        notes.extend(words::all_left_behind(&left, paint));
        let changes = store.option_changes(&record.id)?;
        let changes = changes.iter().filter_map(|change| words::changed(change, paint));
        notes.extend(changes.map(|line| format!("  {line}")));
        app.printer.data(&screen(&record, &standing, notes, (&iterations, &sessions), paint))?;
    }
    Ok(0)
}

/// What is known of the proof: the checks before the first session, what is guarded, how the tests
/// moved, and the evidence for and against the last claim.
fn proof_lines(view: &LoopView, record: &LoopRecord, paint: Paint) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(view.baseline.iter().flat_map(words::proof::baseline));
    lines.extend(view.guarded.iter().flat_map(words::proof::guarded));
    lines.extend(progress::tests_in_words(view).map(|words| format!("tests: {words}")));
    let mut lines: Vec<String> = lines.iter().map(|line| format!("  {line}")).collect();
    let success = record.ending.as_ref().is_some_and(Ending::is_success);
    let fate = (success, record.verified);
    lines.extend(view.proof.iter().flat_map(|proof| words::proven::lines(proof, fate, paint)));
    lines
}

/// How many checks proved the claim.
pub(crate) fn proving(iterations: &[IterationRecord]) -> Option<u32> {
    let last = iterations.last().filter(|last| last.claim.as_deref() == Some("accepted"))?;
    let mut passed: Vec<&str> = last
        .checks
        .iter()
        .filter(|check| check.passed == Some(true))
        .map(|check| check.command.as_str())
        .collect();
    // A check that ran twice, for it changed the tree, is still one check.
    passed.sort_unstable();
    passed.dedup();
    u32::try_from(passed.len()).ok()
}

fn screen(
    record: &LoopRecord,
    standing: &Standing,
    notes: Vec<String>,
    (iterations, sessions): (&[IterationRecord], &[SessionRecord]),
    paint: Paint,
) -> String {
    let mut facts = vec![
        text::count(record.sessions, "session"),
        format!("{} modified", text::count(record.files_modified, "file")),
    ];
    facts.extend(record.tasks.map(|tasks| summary::tasks(tasks.open, tasks.done)));
    facts.extend(summary::spend(record.usage));
    let runs = standing.state == State::Running;
    facts.push(text::millis(record.ran_ms(runs.then(windlass::now))));
    let mut lines = vec![
        title(record, paint),
        standing.words(paint),
        format!("  {}", facts.join(", ")),
        format!("  started {}", text::local_time(record.started_at)),
    ];
    lines.extend(asked(record, paint));
    lines.extend(notes);
    for iteration in iterations {
        lines.push(String::new());
        lines.push(heading(iteration, record.max_iterations, paint));
        let own = || sessions.iter().filter(|session| session.iteration == iteration.number);
        let mut rows: Vec<Vec<String>> = own().map(|one| session(one, paint)).collect();
        let checks = iteration.checks.iter().chain(&iteration.originals);
        rows.extend(checks.map(|one| check(one, paint)));
        rows.extend(claim(iteration, paint));
        if let Some(last) = own().next_back().and_then(|last| words::tail(&last.text, 1).pop()) {
            rows.push(vec!["said".to_owned(), text::truncate(&sanitise::line(&last), 100)]);
        }
        lines.extend(text::table(&rows).iter().map(|row| format!("  {row}")));
    }
    lines.push(String::new());
    lines.extend(standing.next_after("show").iter().map(|command| format!("  {command}")));
    format!("{}\n", lines.join("\n"))
}

/// What the loop was started with, a row each.
fn asked(record: &LoopRecord, paint: Paint) -> Vec<String> {
    let task = record.task.as_deref().map(sanitise::line);
    let task = task.map(|task| ("task", text::truncate(&task, LONGEST_TASK)));
    let rows = task.into_iter().chain(Started::of(&record.options).rows());
    let rows: Vec<_> = rows.map(|(label, value)| vec![paint.faint(label), value]).collect();
    text::table(&rows).iter().map(|row| format!("  {row}")).collect()
}

fn heading(iteration: &IterationRecord, max_iterations: u32, paint: Paint) -> String {
    let heading = paint.strong(&words::heading(iteration.number, max_iterations));
    let Some(ms) = iteration.duration_ms else { return heading };
    let mut facts = vec![text::millis(ms)];
    if let Some(tree) = &iteration.tree {
        facts.push(format!("{} changed", text::count(iteration.files_changed, "file")));
        facts.push(format!("tree {}", words::short_id(tree)));
    }
    format!("{heading} {}", paint.faint(&facts.join(", ")))
}

fn session(session: &SessionRecord, paint: Paint) -> Vec<String> {
    let outcome = match &session.outcome {
        Some(outcome) => sanitise::line(&outcome.to_string()).into_owned(),
        None => sanitise::line(&session.status).into_owned(),
    };
    let failed = session.outcome.as_ref().is_some_and(windlass_core::outcome::Outcome::is_failure);
    let mut facts = vec![if failed { paint.bad(&outcome) } else { outcome }];
    facts.extend(session.duration_ms.map(text::millis));
    if session.tools > 0 {
        facts.push(text::count(session.tools, "tool"));
    }
    facts.extend(session.usage.cost_usd.map(text::money));
    let problem =
        session.problem.as_deref().map(|problem| format!(": {}", sanitise::line(problem)));
    let role = sanitise::line(&session.role).into_owned();
    vec![role, format!("{}{}", facts.join(", "), problem.unwrap_or_default())]
}

/// A check in the words of a row: that it is one, and how it went.
pub(crate) fn check(check: &CheckRecord, paint: Paint) -> Vec<String> {
    let how = match (check.passed, check.exit_code) {
        (Some(true), _) => paint.good("passed"),
        (Some(false), Some(code)) => format!("{} with exit code {code}", paint.bad("failed")),
        (Some(false), None) => paint.bad("failed"),
        (None, _) if check.cut_off => "was cut off".to_owned(),
        (None, _) => "runs".to_owned(),
    };
    let what = match check.part.as_deref() {
        None => "",
        Some("originals_alone") => " on the original tests, without new ones,",
        Some(_) => " on the original tests",
    };
    let mut facts = vec![format!("`{}`{what} {how}", sanitise::line(&check.command))];
    facts.extend(check.tests.as_ref().map(words::proof::tests));
    facts.extend(check.duration_ms.map(text::millis));
    vec!["check".to_owned(), facts.join(", ")]
}

/// What became of the claim; of several reasons each has its row.
fn claim(iteration: &IterationRecord, paint: Paint) -> Vec<Vec<String>> {
    let fate = match iteration.claim.as_deref() {
        Some("accepted") => vec![paint.good("accepted")],
        Some("rejected") => words::rejected("rejected:", &iteration.rejected_because, paint),
        _ => Vec::new(),
    };
    let label = |n| if n == 0 { "claim".to_owned() } else { String::new() };
    fate.into_iter().enumerate().map(|(n, line)| vec![label(n), line]).collect()
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::commands::samples;

    #[test]
    fn a_loop_is_shown_iteration_by_iteration() {
        let record = samples::done();
        let mut standing = samples::standing(&record, false);
        standing.prove(proving(&samples::iterations()), None);
        let (iterations, sessions) = (samples::iterations(), samples::sessions());
        let shown =
            screen(&record, &standing, Vec::new(), (&iterations, &sessions), Paint::default());
        let _settings = samples::anywhere().bind_to_scope();
        assert_snapshot!(shown, @"
        brave-otter  iterate with command in /work/shop
        ✓ done after 2 iterations, proven by 1 check
          2 sessions, 3 files modified, $0.50 (1.2k tokens in and 55 out), 1 min 6 s
          started YYYY-MM-DD HH:MM:SS
          task     Make the tests pass
          command  my-agent --fast
          promise  COMPLETE

        ━━━ Iteration 1 of at most 20 ━━━ 5.2 s, 2 files changed, tree 1a2b3c4
          agent  finished, 3 s, 3 tools, $0.25
          check  `cargo test` failed with exit code 1, 2.1 s
          claim  rejected: check `cargo test` failed with exit code 1
          said   I fixed it

        ━━━ Iteration 2 of at most 20 ━━━ 5.2 s, 2 files changed, tree 1a2b3c4
          agent  exited with code 3, 3 s: no suchx  model
          check  `cargo test` passed, 2.1 s
          claim  accepted
          said   I fixed it

          windlass diff brave-otter
        ");
    }

    #[test]
    fn the_proof_stands_above_the_iterations_and_originals_are_no_checks_of_the_claim() {
        let record = samples::done();
        let mut view = LoopView::default();
        crate::report::samples::proven().iter().for_each(|event| view.apply(event));
        let (mut iterations, sessions) = (samples::iterations(), samples::sessions());
        let tests = windlass_core::test_counts::TestCounts {
            passed: 40,
            failed: 1,
            ..windlass_core::test_counts::TestCounts::default()
        };
        let mut original = iterations[0].checks[0].clone();
        (original.part, original.tests) = (Some("originals".to_owned()), Some(tests));
        let alone = CheckRecord {
            part: Some("originals_alone".to_owned()),
            passed: Some(true),
            ..original.clone()
        };
        iterations[1].originals = vec![original, alone];
        assert_eq!(proving(&iterations), Some(1));
        let mut standing = samples::standing(&record, false);
        standing.prove(proving(&iterations), view.proof.as_ref());
        let notes = proof_lines(&view, &record, Paint::default());
        let shown = screen(&record, &standing, notes, (&iterations, &sessions), Paint::default());
        let _settings = samples::anywhere().bind_to_scope();
        assert_snapshot!(shown, @r"
        brave-otter  iterate with command in /work/shop
        ✓ done after 2 iterations, proven by 1 check, with 2 doubts
          2 sessions, 3 files modified, $0.50 (1.2k tokens in and 55 out), 1 min 6 s
          started YYYY-MM-DD HH:MM:SS
          task     Make the tests pass
          command  my-agent --fast
          promise  COMPLETE
          baseline: pytest: 3 of 41 fail
            guarded      12 test files, conftest.py, pytest.ini, keys of pyproject.toml; `--unguard GLOB` releases files
          tests: pytest: 1 → 0 failing (3 failed at first)
          proof: 41 tests pass, 2 skipped; the check failed before the loop; passed on the original tests, too
          flaky: pytest (it passed and failed on the same files)
          doubt: tests/fixtures/a.json: a watched file changed
          doubt: 2 tests are skipped that ran before

        ━━━ Iteration 1 of at most 20 ━━━ 5.2 s, 2 files changed, tree 1a2b3c4
          agent  finished, 3 s, 3 tools, $0.25
          check  `cargo test` failed with exit code 1, 2.1 s
          claim  rejected: check `cargo test` failed with exit code 1
          said   I fixed it

        ━━━ Iteration 2 of at most 20 ━━━ 5.2 s, 2 files changed, tree 1a2b3c4
          agent  exited with code 3, 3 s: no suchx  model
          check  `cargo test` passed, 2.1 s
          check  `cargo test` on the original tests failed with exit code 1, 1 of 41 tests fails, 2.1 s
          check  `cargo test` on the original tests, without new ones, passed, 1 of 41 tests fails, 2.1 s
          claim  accepted
          said   I fixed it

          windlass diff brave-otter
        ");
    }

    #[test]
    fn hostile_words_are_shown_and_do_nothing() {
        let record = samples::evil();
        let standing = samples::standing(&record, false);
        let (iterations, sessions) = (samples::iterations(), samples::sessions());
        let shown =
            screen(&record, &standing, Vec::new(), (&iterations, &sessions), Paint::default());
        assert_eq!(sanitise::text(&shown), shown);
    }
}
