//! The output of a loop as lines, in the words of `windlass log`. The page shows them as text.

use serde::Serialize;
use windlass_core::{
    event::{Event, EventKind},
    proof_record::OriginalsState,
    said::Said,
    view::LoopView,
};

use crate::report::{
    ending::{Standing, State},
    paint::Paint,
    words::{self, proven::Proven},
};

/// How many characters of a line are shown.
const LONGEST: usize = 2_000;
/// How many bytes are sent at once; at least one event is.
const MOST_BYTES: usize = 192 << 10;

/// Some lines of the output.
#[derive(Debug, Default, Serialize)]
pub(super) struct Lines {
    /// The event before which to ask for earlier ones; 1 where there are none.
    pub(super) first: u64,
    /// The event after which to ask for later ones.
    pub(super) last: u64,
    /// Whether more came after `last` already.
    pub(super) more: bool,
    /// The lines, oldest first.
    pub(super) lines: Vec<Line>,
}

/// One line.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Line {
    /// The event that it is of.
    pub(super) seq: u64,
    /// What it is: the class that the style sheet knows.
    pub(super) kind: &'static str,
    /// Its words.
    pub(super) text: String,
}

impl Lines {
    /// Adds the lines of an event, which `view` has in it already. Says whether there is room for
    /// more.
    pub(super) fn push(&mut self, event: &Event, view: &LoopView) -> bool {
        if self.first == 0 {
            self.first = event.seq;
        }
        self.last = event.seq;
        let kind = kind(event);
        for text in of(event, view) {
            let text: String = text.chars().take(LONGEST).collect();
            self.lines.push(Line { seq: event.seq, kind, text });
        }
        let bytes: usize = self.lines.iter().map(|line| line.text.len() + 48).sum();
        bytes < MOST_BYTES
    }
}

/// The words of an event.
fn of(event: &Event, view: &LoopView) -> Vec<String> {
    let paint = Paint::default();
    match &event.kind {
        EventKind::AgentSaid { said, .. } => {
            // The style sheet draws the line at the left.
            let line = |line: String| line.strip_prefix("  │ ").map(str::to_owned).unwrap_or(line);
            words::said(said, paint).into_iter().map(line).collect()
        }
        EventKind::LoopFinished { ending } => {
            let mut standing = Standing {
                state: State::Ended(ending.clone()),
                name: view.name.clone(),
                iterations: view.iteration,
                max_iterations: Some(view.max_iterations),
                checks: None,
                proven: Proven::default(),
                is_merge: false,
                has_trees: true,
            };
            standing.prove(view.proving(), view.proof.as_ref());
            vec![standing.words(paint)]
        }
        _ => words::of(event, view, paint),
    }
}

/// What the lines of an event are.
fn kind(event: &Event) -> &'static str {
    match &event.kind {
        EventKind::AgentSaid { said, .. } => match said {
            Said::Text { .. } => "text",
            Said::ToolUse { .. } => "tool",
            Said::ToolResult { failed: true, .. }
            | Said::Hook { failed: true, .. }
            | Said::Problem { .. } => "bad",
            Said::ToolResult { .. } | Said::Hook { .. } => "result",
            Said::Limit { .. } => "warn",
            Said::Raw { .. } | Said::Stderr { .. } | Said::Usage(_) => "raw",
        },
        EventKind::IterationStarted { .. } => "heading",
        EventKind::LoopFinished { .. } => "end",
        EventKind::ClaimRejected { .. } => "bad",
        EventKind::ClaimAccepted { waived: true, .. } => "warn",
        EventKind::ClaimAccepted { .. } => "good",
        EventKind::Originals(ran) if ran.state == OriginalsState::Failed => "bad",
        EventKind::NearMiss { .. }
        | EventKind::RuleWarned { .. }
        | EventKind::RuleTripped { .. }
        | EventKind::StopRequested { .. } => "warn",
        _ => "step",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn the_output_has_the_words_of_the_log_and_says_what_each_line_is() {
        let _settings = samples::anywhere().bind_to_scope();
        let (mut lines, mut view) = (Lines::default(), LoopView::default());
        for event in samples::good() {
            view.apply(&event);
            assert!(lines.push(&event, &view));
        }
        let shown: Vec<String> = lines
            .lines
            .iter()
            .map(|one| format!("{:>2} {:<8}{}", one.seq, one.kind, one.text))
            .collect();
        insta::assert_snapshot!(shown.join("\n"), @"
         1 step    Loop brave-otter: iterate with command in /work
         2 step    note: `/work` is not in a git repository, so progress cannot be measured
         3 heading ━━━ Iteration 1 of at most 20 ━━━
         5 text    I look
         5 text    and mend
         6 tool      ▸ edits src/a.rs
         7 bad       ◂ failed: no such file
         8 raw     careful
        10 step    agent: finished in 3 s, $0.25
        10 step    agent: left running, and ended: sleep and node
        10 step    agent: 2 KiB of its output were not kept
        10 step    claim: COMPLETE
        13 step    check `cargo test`: failed (exit 1, 2.1 s)
        13 step        running 1 test
        13 step        assertion failed
        14 bad     claim rejected: check `cargo test` failed with exit code 1
        15 step    iteration 1: 5.2 s, 2 files changed
        16 warn    warning: 2 iterations without progress; one more stops the loop (rule stagnation)
        17 step    Waiting 1 min, until HH:MM: the session failed
        19 heading ━━━ Iteration 2 of at most 20 ━━━
        21 step    agent: finished in 1 min 1 s, $0.25
        21 step    claim: by exit
        24 step    check `cargo test`: passed (0.1 s)
        25 step    commit: 99aabbc
        25 step    left out of the commit: a.txt: it was dirty before the loop
        26 good    claim accepted: 1 check passed on tree 2b3c4d5
        27 step    iteration 2: 1 min 1 s, 1 file changed
        28 end     ✓ done after 2 iterations, proven by 1 check
        ");
    }

    #[test]
    fn a_flood_comes_in_parts() {
        let (mut lines, view) = (Lines::default(), LoopView::default());
        let event = samples::good().into_iter().find(|one| kind(one) == "text").expect("it speaks");
        let said = Said::Text { text: "x".repeat(4_000) + "\n" };
        let EventKind::AgentSaid { place, .. } = event.kind else { unreachable!() };
        let event = samples::event(5, EventKind::AgentSaid { place, said });
        let pushed = (0..1_000).take_while(|_| lines.push(&event, &view)).count();
        assert!((50..200).contains(&pushed), "{pushed}");
    }
}
