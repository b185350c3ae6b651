//! What the live screen draws at the bottom: where the loop is, what fails, and what the agent does.

use std::{
    iter,
    time::{Duration, Instant},
};

use windlass_core::{
    event::{Event, EventKind},
    time::Timestamp,
    view::{Circuit, LoopView, Phase},
};

use super::{frame::Room, paint::Paint, progress, words::now};
use crate::text;

/// How wide the bar is.
const BAR: usize = 20;
/// What turns while the loop runs.
const SPINNER: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/// The margin of every line but the first, below the spinner.
const MARGIN: usize = 2;

/// How much can be left out of the first line.
const SHORTEST: u8 = 4;
/// With at least this many rows, one of them says how much is done.
const ROWS_FOR_DONE: usize = 4;

/// What the thread that draws looks at.
#[derive(Debug, Default)]
pub(super) struct Now {
    pub(super) view: LoopView,
    /// How long the loop had run, and when that was.
    ran: Option<(Duration, Instant)>,
    /// When the agent said something last.
    said_at: Option<Timestamp>,
    /// The lines of the last check, if it failed.
    pub(super) failed: Vec<String>,
    /// Whether somebody is asked before the loop has begun.
    pub(super) is_asked: bool,
}

impl Now {
    pub(super) fn apply(&mut self, event: &Event) {
        self.is_asked = false;
        let before = self.view.bytes;
        self.view.apply(event);
        if let Some(ran) = event.ran_ms {
            self.ran = Some((Duration::from_millis(ran), Instant::now()));
        }
        // A tick comes also while nothing is said.
        let has_said = match event.kind {
            EventKind::AgentSaid { .. } => true,
            EventKind::Ticked { bytes, .. } => bytes > before,
            _ => false,
        };
        if has_said {
            self.said_at = Some(event.at);
        }
    }

    /// The lines, in no more than that room.
    pub(super) fn lines(
        &self,
        now: Timestamp,
        room: Room,
        frames: usize,
        paint: Paint,
    ) -> Vec<String> {
        // Answers are typed at the end of the screen, and nothing is drawn over that.
        if self.is_asked || matches!(self.view.phase, Phase::Asking { .. }) {
            return Vec::new();
        }
        let cells = room.cells.saturating_sub(MARGIN);
        let faint = |line: String| paint.faint(&text::truncate(&line, cells));
        let done = self.done(cells, paint).filter(|_| room.rows >= ROWS_FOR_DONE);
        let mut lines: Vec<String> = iter::once(self.line(now, cells, paint)).chain(done).collect();
        let below = self.below(now, room.rows.saturating_sub(lines.len()));
        lines.extend(below.into_iter().map(faint));
        let spinner = SPINNER[frames % SPINNER.len()].to_string();
        let margins = iter::once(spinner.as_str()).chain(iter::repeat(" "));
        margins.zip(lines).map(|(margin, line)| format!("{margin} {line}")).collect()
    }

    /// How much is done of what can be counted. The bar is left out first.
    fn done(&self, cells: usize, paint: Paint) -> Option<String> {
        let Some((bar, words)) = progress::of(&self.view) else {
            return Some(text::truncate(&progress::tests_in_words(&self.view)?, cells));
        };
        if text::width(&words) + BAR + 2 > cells {
            return Some(text::truncate(&words, cells));
        }
        Some(format!("{}  {words}", paint.good(&text::bar(bar.done, bar.of, BAR))))
    }

    /// What fails, the last tool and the last output. Where there is little room, first the output
    /// stays, then a line of what fails, then the tool.
    fn below(&self, now: Timestamp, rows: usize) -> Vec<String> {
        let output = self.output(now).filter(|_| rows > 0);
        let rows = rows.saturating_sub(usize::from(output.is_some()));
        let fails = usize::from(self.view.failed_check.is_some());
        let tool = now::last_tool(&self.view, self.view.last_tool.as_ref(), now)
            .filter(|_| fails < rows)
            .map(|tool| format!("last tool: {tool}"));
        let failing = self.failing(rows.saturating_sub(usize::from(tool.is_some())));
        failing.into_iter().chain(tool).chain(output).collect()
    }

    /// What fails, as far as that is known, in at most that many rows.
    fn failing(&self, rows: usize) -> Vec<String> {
        let failed = self.view.failed_check.as_ref();
        let lines = failed.map(|check| now::failing(check, rows)).unwrap_or_default();
        let labels = iter::once("failing: ").chain(iter::repeat("  "));
        labels.zip(lines).map(|(label, line)| format!("{label}{line}")).collect()
    }

    /// When the agent said something last, and what, unless the line of its tool says the same.
    fn output(&self, now: Timestamp) -> Option<String> {
        let when = now::last_output(&self.view, self.said_at, now)?;
        let tool = self.view.last_tool.as_ref().map(|tool| tool.words.as_str());
        let said = self.said_at.filter(|at| self.view.phase_since.is_none_or(|since| *at > since));
        let words = said.and(self.view.last_line()).filter(|words| Some(*words) != tool);
        Some(match words {
            Some(words) => format!("{when}: {words}"),
            None => when,
        })
    }

    /// The first line, cut to the width of the terminal.
    fn line(&self, now: Timestamp, cells: usize, paint: Paint) -> String {
        let plain = |less: u8| self.parts(now, less, Paint::default()).join("  ");
        let fits = |less: &u8| text::width(&plain(*less)) <= cells;
        match (0..=SHORTEST).find(fits) {
            Some(less) => self.parts(now, less, paint).join("  "),
            None => text::truncate(&plain(SHORTEST), cells),
        }
    }

    /// The parts of the first line. The larger `less` is, the more is left out.
    fn parts(&self, now: Timestamp, less: u8, paint: Paint) -> Vec<String> {
        let view = &self.view;
        let mut parts = Vec::new();
        let allowed = if less < 3 { view.max_iterations } else { 0 };
        parts.push(text::iteration(view.iteration, allowed));
        match &view.stop {
            Some((level, _)) if level != "after_iteration" => parts.push(paint.warn("stopping…")),
            _ => {
                parts.push(now::phase(&view.phase));
                parts.extend(now::phase_time(view, now).filter(|_| less < SHORTEST));
            }
        }
        if let Circuit::HalfOpen { rule, .. } | Circuit::Open { rule, .. } = &view.circuit
            && less < 1
        {
            parts.push(paint.warn(rule));
        }
        parts.extend(view.usage.cost_usd.map(text::money).filter(|_| less < 1));
        if let Some((ran, at)) = self.ran.filter(|_| less < 2) {
            parts.push(paint.faint(&format!("loop {}", text::clock(ran + at.elapsed()))));
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use windlass_core::view::TasksView;

    use super::*;
    use crate::report::samples;

    /// A loop whose check has failed, in the session after that.
    fn mending() -> Now {
        let mut now = Now::default();
        let steps = samples::good();
        let begun = steps.iter().take_while(|event| event.kind.word() != "step_finished").count();
        let failed = |event: &&Event| event.kind.word() == "step_finished" && event.seq == 13;
        let finished = steps.iter().filter(failed);
        steps[..3].iter().chain(finished).chain(&steps[3..begun]).for_each(|one| now.apply(one));
        now.view.iteration = 2;
        now.view.circuit =
            Circuit::HalfOpen { rule: "stagnation".to_owned(), reason: String::new() };
        now.view.usage.cost_usd = Some(0.25);
        now.view.tasks = Some(TasksView { open: 1, done: 3, ..TasksView::default() });
        now.ran = Some((Duration::from_secs(2467), Instant::now()));
        now
    }

    fn drawn(now: &Now, cells: usize, rows: usize) -> String {
        let at = Timestamp(now.view.phase_since.unwrap().0 + 17_000);
        let lines = now.lines(at, Room { cells, rows }, 0, Paint::default());
        assert!(lines.len() <= rows && lines.iter().all(|line| text::width(line) <= cells));
        lines.join("\n")
    }

    #[test]
    fn the_frame_says_what_fails_what_the_agent_does_and_how_long_it_takes() {
        let now = mending();
        insta::assert_snapshot!(drawn(&now, 96, 10), @"
        ⠋ iteration 2 of at most 20  agent running  session 0:17  stagnation  $0.25  loop 41:07
          ━━━━━━━━━━━━━━━╌╌╌╌╌  3 of 4 tasks done
          failing: `cargo test`: running 1 test
            assertion failed
          last tool: edits src/a.rs, 15 s ago
          last output 12 s ago: still mending
        ");
    }

    #[test]
    fn in_a_small_terminal_the_most_useful_stays() {
        let now = mending();
        let sizes = [(76, 8), (56, 5), (56, 4), (36, 3), (36, 2), (8, 1)];
        let all =
            sizes.map(|(cells, rows)| format!("{cells}x{rows}\n{}", drawn(&now, cells, rows)));
        insta::assert_snapshot!(all.join("\n\n"), @"
        76x8
        ⠋ iteration 2 of at most 20  agent running  session 0:17  loop 41:07
          ━━━━━━━━━━━━━━━╌╌╌╌╌  3 of 4 tasks done
          failing: `cargo test`: running 1 test
            assertion failed
          last tool: edits src/a.rs, 15 s ago
          last output 12 s ago: still mending

        56x5
        ⠋ iteration 2 of at most 20  agent running  session 0:17
          ━━━━━━━━━━━━━━━╌╌╌╌╌  3 of 4 tasks done
          failing: `cargo test`: assertion failed
          last tool: edits src/a.rs, 15 s ago
          last output 12 s ago: still mending

        56x4
        ⠋ iteration 2 of at most 20  agent running  session 0:17
          ━━━━━━━━━━━━━━━╌╌╌╌╌  3 of 4 tasks done
          failing: `cargo test`: assertion failed
          last output 12 s ago: still mending

        36x3
        ⠋ iteration 2  agent running
          failing: `cargo test`: assertion …
          last output 12 s ago: still mendi…

        36x2
        ⠋ iteration 2  agent running
          last output 12 s ago: still mendi…

        8x1
        ⠋ itera…
        ");
    }

    #[test]
    fn a_tick_without_output_is_no_output() {
        let mut now = mending();
        let said_at = now.said_at;
        for (seq, bytes) in [(41, 120), (42, 121)] {
            let tick =
                json!({"type": "ticked", "place": "1/agent", "bytes": bytes, "last_line": ""});
            now.apply(&samples::event(seq, serde_json::from_value(tick).unwrap()));
            assert_eq!(now.said_at == said_at, bytes == 120);
        }
    }

    #[test]
    fn a_loop_that_is_asked_to_stop_says_so_in_any_terminal() {
        let mut now = mending();
        let asked = json!({"type": "stop_requested", "level": "end", "by": "sigint"});
        now.apply(&samples::event(40, serde_json::from_value(asked).unwrap()));
        for cells in [96, 56, 36, 26] {
            let first = drawn(&now, cells, 1);
            assert!(first.contains("stopping…") && !first.contains("running"), "{first}");
        }
    }
}
