//! Whole screens, at the smallest size and at a comfortable one.

use insta::assert_snapshot;
use windlass_core::{event::EventKind, text::sanitise, time::Timestamp};

use crate::{
    commands::samples as loops,
    report::samples as events,
    tui::{
        dashboard::{Dashboard, Focus, Over, Question},
        opened::{Diff, Opened},
        pane::Pane,
        samples, sheets,
    },
};

const SIZES: [(u16, u16); 2] = [(80, 24), (140, 40)];

/// A screen of each size; `change` sets it up.
fn screens(name: &str, opened: &Opened, change: impl Fn(&mut Dashboard)) {
    let mut settings = events::anywhere();
    settings.set_prepend_module_to_snapshot(false);
    let _settings = settings.bind_to_scope();
    for (columns, rows) in SIZES {
        let mut dashboard = samples::with(columns, rows, opened.clone());
        change(&mut dashboard);
        assert_snapshot!(format!("{columns}x{rows}__{name}"), samples::screen(&dashboard));
    }
}

#[test]
fn a_loop_that_runs() {
    let mut said = events::good();
    said.retain(|event| !matches!(event.kind, EventKind::LoopFinished { .. }));
    screens("running", &samples::running(), |dashboard| samples::fill(dashboard, &said));
}

#[test]
fn a_loop_that_is_done() {
    let opened = samples::opened(loops::done(), false, &events::good());
    screens("done", &opened, |dashboard| {
        dashboard.pane = Pane::Iterations;
        samples::fill(dashboard, &events::good());
    });
}

#[test]
fn a_loop_whose_tests_fail_less_often() {
    let events = events::refuted();
    let mut record = loops::running();
    record.iteration = 2;
    let mut opened = samples::opened(record, true, &events);
    opened.followed.view.phase_since = Some(Timestamp(loops::NOW.0 - 72_000));
    screens("tests", &opened, |dashboard| samples::fill(dashboard, &events));
}

#[test]
fn a_loop_that_is_done_with_doubts() {
    let events = events::proven();
    let mut opened = samples::opened(loops::done(), false, &events);
    let view = opened.followed.view.clone();
    opened.standing.prove(view.proving(), view.proof.as_ref());
    screens("doubts", &opened, |dashboard| samples::fill(dashboard, &events));
}

#[test]
fn a_circuit_that_is_open() {
    let mut record = loops::tripped();
    record.name = "lost-newt".to_owned();
    let mut all = events::good();
    all.extend(
        events::wrong()
            .into_iter()
            .filter(|event| matches!(event.kind, EventKind::RuleTripped { .. })),
    );
    let mut opened = samples::opened(record, false, &all);
    opened.why = ["✗ stopped by the rule", "", "  rule churn tripped"].map(str::to_owned).to_vec();
    screens("tripped", &opened, |dashboard| {
        dashboard.pane = Pane::Why;
        dashboard.over = Over::Question(Question::Reset);
        samples::fill(dashboard, &all);
    });
}

#[test]
fn what_reviews_found() {
    let opened = samples::opened(loops::done(), false, &samples::reviewed());
    screens("findings", &opened, |dashboard| {
        (dashboard.pane, dashboard.focus) = (Pane::Findings, Focus::Pane);
        samples::fill(dashboard, &[]);
    });
}

#[test]
fn what_an_iteration_changed() {
    let diff = "diff --git a/a.rs b/a.rs\n--- a/a.rs\n+++ b/a.rs\n@@ -1,2 +1,2 @@ fn main\n keep\n\
                -an old line that is so long that it does not fit into a small pane at all, not by far\n\
                +a new one\t\u{1b}[2J\u{202e}\n";
    let mut opened = samples::opened(loops::done(), false, &events::good());
    opened.chosen = Some(1);
    opened.diff = Diff::Known(Some(1), sheets::painted_diff(diff));
    screens("diff", &opened, |dashboard| {
        (dashboard.pane, dashboard.focus) = (Pane::Diff, Focus::Pane);
        samples::fill(dashboard, &[]);
    });
}

#[test]
fn what_checks_printed() {
    let opened = samples::opened(loops::done(), false, &events::good());
    screens("checks", &opened, |dashboard| {
        (dashboard.pane, dashboard.focus) = (Pane::Checks, Focus::Pane);
        dashboard.opened.as_mut().unwrap().chosen = Some(1);
        dashboard.over = Over::Search("assert".to_owned());
        samples::fill(dashboard, &[]);
    });
}

#[test]
fn help_lies_over_it() {
    screens("help", &samples::running(), |dashboard| dashboard.over = Over::Help);
}

#[test]
fn nothing_is_there_yet() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    let _settings = settings.bind_to_scope();
    for (columns, rows) in SIZES {
        let shown = samples::screen(&samples::empty(columns, rows));
        assert_snapshot!(format!("{columns}x{rows}__nothing"), shown);
    }
}

#[test]
fn a_terminal_that_is_too_small_is_told_so() {
    let shown = samples::screen(&samples::empty(60, 20));
    assert_eq!(shown.trim_end(), "The terminal is too small (60×20): 80×24 is needed; q quits");
    assert!(samples::screen(&samples::empty(10, 3)).starts_with("The termi…"));
}

#[test]
fn hostile_words_are_shown_and_do_nothing() {
    let mut opened = samples::opened(loops::evil(), false, &events::evil());
    opened.diff = Diff::Known(None, sheets::painted_diff(&events::EVIL.join("\n")));
    for pane in Pane::ALL {
        let mut dashboard = samples::with(140, 40, opened.clone());
        dashboard.pane = pane;
        samples::fill(&mut dashboard, &events::evil());
        let shown = samples::screen(&dashboard);
        assert_eq!(sanitise::text(&shown), shown);
    }
}

#[test]
fn every_size_can_be_drawn() {
    for columns in [1, 79, 80, 81, 100, 133, 300] {
        for rows in [1, 23, 24, 25, 60] {
            for pane in Pane::ALL {
                let mut dashboard = samples::with(columns, rows, samples::running());
                (dashboard.pane, dashboard.wide) = (pane, columns % 2 == 0);
                samples::fill(&mut dashboard, &events::good());
                samples::screen(&dashboard);
            }
        }
    }
}
