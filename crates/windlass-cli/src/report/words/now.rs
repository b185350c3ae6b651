//! What people read of the work under way: the phase, times with their labels, the last tool, and
//! what fails. For every screen that shows a loop while it runs.

use windlass_core::{
    event::{Event, EventKind},
    step::StepResult,
    time::Timestamp,
    view::{FailedCheck, LoopView, Phase, ToolUsed},
};

use super::{proof, steps};
use crate::{report::paint::Paint, text};

/// How many lines say what fails.
const FAILING_LINES: usize = 3;
/// How much of a check's command is shown.
const LONGEST_COMMAND: usize = 30;

/// What a loop does now.
pub(crate) fn phase(phase: &Phase) -> String {
    let short = |command: &str| text::truncate(command, LONGEST_COMMAND);
    match phase {
        Phase::Starting => "getting ready".to_owned(),
        Phase::Session { role } => format!("{role} running"),
        Phase::Check { command } => format!("check `{}`", short(command)),
        Phase::Originals { command } => {
            format!("check `{}` on the original tests", short(command))
        }
        Phase::Snapshot => "reading the work tree".to_owned(),
        Phase::Waiting { until, what, reason } => {
            steps::wait(*until, *what, reason, windlass::now())
        }
        Phase::Asking { .. } => "waiting for your answer".to_owned(),
        Phase::Remote => "talking to GitHub".to_owned(),
        Phase::Committing => "committing".to_owned(),
        Phase::Ended => "ended".to_owned(),
    }
}

/// How long it has been doing that, with a label: `session 3:12`. A wait says itself how long it is,
/// and what takes a moment only is not timed.
pub(crate) fn phase_time(view: &LoopView, now: Timestamp) -> Option<String> {
    let label = match view.phase {
        Phase::Session { .. } => "session",
        Phase::Check { .. } | Phase::Originals { .. } => "check",
        Phase::Waiting { .. }
        | Phase::Asking { .. }
        | Phase::Starting
        | Phase::Snapshot
        | Phase::Remote
        | Phase::Committing
        | Phase::Ended => return None,
    };
    Some(format!("{label} {}", text::clock(now.since(view.phase_since?))))
}

/// When the agent that runs said something last, which was at `last`.
pub(crate) fn last_output(
    view: &LoopView,
    last: Option<Timestamp>,
    now: Timestamp,
) -> Option<String> {
    if !matches!(view.phase, Phase::Session { .. }) {
        return None;
    }
    Some(match last.filter(|last| view.phase_since.is_none_or(|since| *last > since)) {
        Some(last) => format!("last output {}", text::ago(last, now)),
        None => "no output yet".to_owned(),
    })
}

/// The last tool of the session that runs: `runs cargo test, 12 s ago`.
pub(crate) fn last_tool(
    view: &LoopView,
    tool: Option<&ToolUsed>,
    now: Timestamp,
) -> Option<String> {
    let runs = matches!(view.phase, Phase::Session { .. });
    let tool = tool.filter(|tool| runs && view.phase_since.is_none_or(|since| tool.at >= since))?;
    Some(format!("{}, {}", tool.words, text::ago(tool.at, now)))
}

/// What fails, in a few lines and at most `most`: the tests that fail and the first error where they
/// are known, else the last lines of the check.
pub(crate) fn failing(check: &FailedCheck, most: usize) -> Vec<String> {
    let most = most.min(FAILING_LINES);
    let error = check.first_error.as_ref().map(|error| format!("first error: {error}"));
    let tests = check.tests.as_ref().and_then(proof::failing);
    let mut lines: Vec<String> = tests.into_iter().chain(error).collect();
    if lines.is_empty() {
        let known = check.last_lines.len();
        lines.extend_from_slice(&check.last_lines[known.saturating_sub(most)..]);
    }
    if lines.is_empty() {
        lines.push(steps::how(check.exit_code, check.timed_out));
    }
    lines.truncate(most);
    let command = text::truncate(&check.command, LONGEST_COMMAND);
    if let Some(first) = lines.first_mut() {
        *first = format!("`{command}`: {}", first.trim_start());
    }
    lines
}

/// The line of a session in which an agent was denied tools.
pub(crate) fn denied_in(event: &Event, paint: Paint) -> Option<String> {
    let EventKind::StepFinished { place, result: StepResult::Session(report) } = &event.kind else {
        return None;
    };
    steps::denied(&steps::role(place.as_str()), report, paint)
}

/// The tools that the last session was denied.
pub(crate) fn denied(view: &LoopView) -> Option<String> {
    (!view.denied_tools.is_empty()).then(|| text::list(&view.denied_tools))
}

#[cfg(test)]
mod tests {
    use windlass_core::test_counts::TestCounts;

    use super::*;

    fn check() -> FailedCheck {
        FailedCheck {
            command: "cargo test".to_owned(),
            exit_code: Some(101),
            timed_out: false,
            tests: None,
            first_error: None,
            last_lines: Vec::new(),
        }
    }

    #[test]
    fn what_fails_is_named_rather_than_quoted() {
        let noise = ["  | ^^^", "error: test failed"].map(str::to_owned).to_vec();
        let names = ["adds", "subs", "mul", "div", "rem"].map(str::to_owned).to_vec();
        let tests = TestCounts { passed: 3, failed: 7, skipped: 0, failing: names };
        let named = FailedCheck { tests: Some(tests), last_lines: noise.clone(), ..check() };
        let error = Some("src/a.rs:3: expected `;`".to_owned());
        let broken = FailedCheck { first_error: error, last_lines: noise.clone(), ..check() };
        let unknown = FailedCheck { last_lines: noise, ..check() };
        let shown = [named, broken, unknown, check()].map(|one| failing(&one, 9).join("\n"));
        insta::assert_snapshot!(shown.join("\n---\n"), @"
        `cargo test`: adds, subs, mul, div, rem and 2 more
        ---
        `cargo test`: first error: src/a.rs:3: expected `;`
        ---
        `cargo test`: | ^^^
        error: test failed
        ---
        `cargo test`: exit 101
        ");
    }

    #[test]
    fn times_have_labels_and_those_of_an_earlier_session_are_not_shown() {
        let phase = Phase::Session { role: "agent".to_owned() };
        let mut view =
            LoopView { phase, phase_since: Some(Timestamp(60_000)), ..LoopView::default() };
        let now = Timestamp(120_000);
        let output = |view: &LoopView, at| last_output(view, Some(Timestamp(at)), now);
        assert_eq!(phase_time(&view, now).unwrap(), "session 1:00");
        assert_eq!(output(&view, 60_000).unwrap(), "no output yet");
        assert_eq!(output(&view, 90_000).unwrap(), "last output 30 s ago");
        let tool = |at| ToolUsed::new("Bash", "runs make", Timestamp(at));
        assert_eq!(last_tool(&view, Some(&tool(59_000)), now), None);
        assert_eq!(last_tool(&view, Some(&tool(90_000)), now).unwrap(), "runs make, 30 s ago");
        view.phase = Phase::Check { command: "make".to_owned() };
        assert_eq!(phase_time(&view, now).unwrap(), "check 1:00");
        assert_eq!(output(&view, 90_000), None);
    }
}
