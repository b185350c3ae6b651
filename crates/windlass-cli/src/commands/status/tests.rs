//! Whole screens of `status`.

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
    let (lines, next) = (last_lines(&samples::messages()), Next::of(standing.next()));
    let said = Said { last_lines: &lines, next: &next };
    screen(record, &standing, view, (said, samples::NOW), Paint::default())
}

#[test]
fn a_running_loop_at_a_glance() {
    let _settings = samples::anywhere().bind_to_scope();
    assert_snapshot!(shown(&samples::running(), true), @"
    calm-heron  iterate with command in /work/shop
    ● running, iteration 6 of at most 20

      task       Make the tests pass
      command    my-agent --fast
      promise    COMPLETE
      iteration  6 of at most 20
      phase      agent running, last output 12 s ago
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

/// How the loop stands, and the rows about its proof.
fn of_proof(shown: &str) -> String {
    let labels = ["tests ", "proof ", "not proven ", "doubt "];
    let is_shown = |line: &str| labels.iter().any(|label| line.trim_start().starts_with(label));
    let rows = shown.lines().skip(1).enumerate().filter(|(n, line)| *n == 0 || is_shown(line));
    rows.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_tests_and_the_proof_have_their_rows() {
    let events = report::samples::refuted();
    let refuted = shown_with(&samples::running(), true, &view(&events));
    assert_snapshot!(of_proof(&refuted), @"
    ● running, iteration 6 of at most 20
      tests       ━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ pytest: 3 → 1 failing; originals: 2 fail
      not proven  1 of 41 tests fails; the check failed before the loop; failed on the original tests
    ");
    let proven = shown_with(&samples::done(), false, &view(&report::samples::proven()));
    assert_snapshot!(of_proof(&proven), @"
    ✓ done after 2 iterations, proven by 1 check, with 2 doubts
      tests      ━━━━━━━━━━━━━━━━━━━━━━━━ pytest: 1 → 0 failing (3 failed at first)
      proof      41 tests pass, 2 skipped; the check failed before the loop; passed on the original tests, too
      doubt      tests/fixtures/a.json: a watched file changed
      doubt      2 tests are skipped that ran before
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
