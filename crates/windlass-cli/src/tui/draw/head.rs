//! What stands above the panes: which loop it is, how it stands, how far it is, and what it took.

use std::time::Duration;

use ratatui::text::{Line, Span};
use windlass_core::{
    ending::BudgetKind,
    rules::Spend,
    text::sanitise,
    view::{Circuit, LoopView, Measure},
};

use super::{figures, loops};
use crate::{
    report::{
        ending::State,
        paint::Paint,
        progress, summary,
        words::{self, now},
    },
    text,
    tui::{dashboard::Dashboard, opened::Opened, painted, theme::Theme},
};

/// The widest bar.
const WIDEST_BAR: usize = 40;
/// How many rows may say how it stands.
const MOST_STANDING: usize = 2;
/// How many rows may say what fails.
const MOST_FAILING: usize = 2;
/// How wide labels are.
const LABEL: usize = 10;
/// From so many cells on the facts stand in two columns.
const TWO_COLUMNS: usize = 96;

/// The lines of the head, for so many cells.
pub(super) fn lines(dashboard: &Dashboard, cells: usize) -> Vec<Line<'static>> {
    let theme = dashboard.theme;
    let Some(opened) = dashboard.target() else { return Vec::new() };
    let record = &opened.record;
    let directory = record.worktree.as_ref().unwrap_or(&record.directory).display().to_string();
    let what = format!(
        "{} with {} in {}",
        sanitise::line(&record.kind),
        sanitise::line(&record.agent),
        sanitise::line(&directory)
    );
    let mut lines = vec![Line::styled(what, theme.faint())];
    lines.extend(standing(opened, cells, theme));
    lines.extend(done(opened, cells, theme));
    lines.extend(labelled(urgent(dashboard, opened, cells), theme));
    lines.extend(columns(labelled(facts(dashboard, opened, cells), theme), cells));
    lines.into_iter().map(|line| painted::cut(line, cells)).collect()
}

/// A label, and what it says.
type Fact = (&'static str, Vec<Span<'static>>);

fn labelled(facts: Vec<Fact>, theme: Theme) -> Vec<Line<'static>> {
    let line = |(label, spans): Fact| {
        let label = Span::styled(text::pad(label, LABEL), theme.faint());
        Line::from([vec![label], spans].concat())
    };
    facts.into_iter().map(line).collect()
}

/// Lines of which only the first has the label.
fn under(label: &'static str, lines: impl IntoIterator<Item = String>) -> Vec<Fact> {
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    labels.zip(lines).map(|(label, line)| (label, vec![Span::raw(line)])).collect()
}

/// How it stands, in two rows at the most.
fn standing(opened: &Opened, cells: usize, theme: Theme) -> Vec<Line<'static>> {
    let standing = &opened.standing;
    let paint = Paint { colour: true };
    let words = format!("{} {}", standing.sign(), paint.strong(&standing.sentence()));
    let mut rows = painted::rows(&words, cells, theme);
    if rows.len() > MOST_STANDING {
        // What is missing is told by an ellipsis, for which room is made where there is none.
        rows.truncate(MOST_STANDING);
        if let Some(last) = rows.last_mut() {
            let room = (last.width() + 1).min(cells);
            last.push_span(" ".repeat(cells));
            *last = painted::cut(last.clone(), room);
        }
    }
    if let Some(sign) = rows.first_mut().and_then(|row| row.spans.first_mut()) {
        sign.style = loops::sign(&standing.state, theme);
    }
    rows
}

/// How much is done of what can be counted; iterations are none of it.
fn done(opened: &Opened, cells: usize, theme: Theme) -> Option<Line<'static>> {
    let (bar, words) = progress::of(&opened.followed.view)?;
    let room = cells.saturating_sub(text::width(&words) + 2).min(WIDEST_BAR);
    let bar = text::bar(bar.done, bar.of, room);
    Some(Line::from(vec![Span::styled(bar, theme.good()), Span::raw(format!("  {words}"))]))
}

/// What is to be seen first: what it does and what fails, or what to type next. Each has a row.
fn urgent(dashboard: &Dashboard, opened: &Opened, cells: usize) -> Vec<Fact> {
    let (theme, view, at) = (dashboard.theme, &opened.followed.view, dashboard.now);
    let runs = opened.standing.state == State::Running;
    let is_success = matches!(&opened.standing.state, State::Ended(ending) if ending.is_success());
    let mut facts = Vec::new();
    if runs {
        facts.push(("phase", phase(opened, dashboard)));
    } else {
        // A command that is cut could not be typed.
        let wrapped = |command: &String| painted::rows(command, cells - LABEL.min(cells), theme);
        let rows = opened.standing.next().iter().flat_map(wrapped).collect::<Vec<_>>();
        facts.extend(under("next", rows.iter().map(ToString::to_string)));
    }
    if let Some(failed) = view.failed_check.as_ref().filter(|_| !is_success) {
        facts.extend(under("failing", now::failing(failed, MOST_FAILING)));
    }
    if let Some(tools) = now::denied(view) {
        facts.push(("denied", vec![Span::styled(tools, theme.warn())]));
    }
    let tool = now::last_tool(view, opened.tool.as_ref(), at).filter(|_| runs);
    facts.extend(under("last tool", tool));
    facts
}

/// What it does, and how long it has been doing that.
fn phase(opened: &Opened, dashboard: &Dashboard) -> Vec<Span<'static>> {
    let (theme, view) = (dashboard.theme, &opened.followed.view);
    if let Some((level, _)) = &view.stop
        && level != "after_iteration"
    {
        return vec![Span::styled("stopping…", theme.warn())];
    }
    let time = now::phase_time(view, dashboard.now).map(|time| format!("  {time}"));
    let words = Span::raw(now::phase(&view.phase));
    vec![words, Span::styled(time.unwrap_or_default(), theme.faint())]
}

fn facts(dashboard: &Dashboard, opened: &Opened, cells: usize) -> Vec<Fact> {
    let (theme, view) = (dashboard.theme, &opened.followed.view);
    let runs = opened.standing.state == State::Running;
    // The store has the time up to the last event.
    let since = dashboard.now.since(opened.record.updated_at);
    let since = if runs { since } else { Duration::ZERO };
    let mut facts = Vec::new();
    facts.push(("time", vec![Span::raw(time(dashboard, opened, since))]));
    facts.push(("work", vec![Span::raw(work(opened))]));
    facts.push(("circuit", circuit(&view.circuit, theme)));
    // The bar has said the same where it counts tasks or tests.
    let bar = progress::of(view).map(|(_, words)| words);
    let tasks = opened.record.tasks.map(|tasks| summary::tasks(tasks.open, tasks.done));
    facts.extend(under("tasks", tasks.filter(|words| bar.as_ref() != Some(words))));
    facts.extend(under("tests", proof(view).filter(|words| bar.as_ref() != Some(words))));
    let trend = opened.followed.trail.convergence();
    let is_measured = opened.standing.has_trees || trend.measure != Measure::LinesChanged;
    if is_measured && !trend.values.is_empty() {
        let values: Vec<u64> = trend.values.iter().map(|(_, value)| *value).collect();
        let words = figures::trend_words(&values, trend.measure.word());
        let room = if cells >= TWO_COLUMNS { cells / 2 } else { cells };
        let room = room.saturating_sub(LABEL + text::width(&words) + 4);
        let sparks = Span::styled(figures::sparkline(&values, room), theme.good());
        facts.push(("trend", vec![sparks, Span::raw(format!("  {words}"))]));
    }
    for spend in &opened.budgets {
        let more = if spend.kind == BudgetKind::Duration { since.as_secs_f64() * 1e3 } else { 0.0 };
        let spend = Spend { spent: spend.spent + more, ..*spend };
        facts.push((figures::budget_word(spend.kind), figures::budget(&spend, theme)));
    }
    facts.extend(under("spend", summary::spend(opened.record.usage)));
    facts
}

/// How the tests moved, or the result of the checks before the first session where none moved yet.
fn proof(view: &LoopView) -> Option<String> {
    progress::tests_in_words(view).or_else(|| {
        let lines: Vec<String> = view.baseline.iter().flat_map(words::proof::baseline).collect();
        (!lines.is_empty()).then(|| lines.join("; "))
    })
}

/// Lines in two columns, where there is room.
fn columns(facts: Vec<Line<'static>>, cells: usize) -> Vec<Line<'static>> {
    if cells < TWO_COLUMNS {
        return facts;
    }
    let half = cells / 2;
    let pair = |pair: &[Line<'static>]| match pair {
        [left, right] => {
            let left = painted::cut(left.clone(), half - 2);
            let gap = Span::raw(" ".repeat(half.saturating_sub(left.width())));
            Line::from([left.spans, vec![gap], right.spans.clone()].concat())
        }
        all => all.first().cloned().unwrap_or_default(),
    };
    facts.chunks(2).map(pair).collect()
}

fn circuit(circuit: &Circuit, theme: Theme) -> Vec<Span<'static>> {
    match circuit {
        Circuit::Closed => vec![Span::raw("closed")],
        Circuit::HalfOpen { rule, reason } => {
            vec![Span::styled("half-open", theme.warn()), Span::raw(format!(": {rule}, {reason}"))]
        }
        Circuit::Open { rule, reason } => {
            vec![Span::styled("open", theme.bad()), Span::raw(format!(": {rule}, {reason}"))]
        }
    }
}

/// How long it ran, and when it ended; while it runs when the agent said something last.
fn time(dashboard: &Dashboard, opened: &Opened, since: Duration) -> String {
    let record = &opened.record;
    let took = Duration::from_millis(record.active_ms) + since;
    if opened.standing.state != State::Running {
        let word = if record.ended_at.is_some() { "ended" } else { "last seen" };
        let when = text::ago(record.ended_at.unwrap_or(record.updated_at), dashboard.now);
        return format!("{}, {word} {when}", text::duration(took));
    }
    let view = &opened.followed.view;
    let output = now::last_output(view, Some(record.updated_at), dashboard.now);
    let output = output.map(|words| format!(", {words}")).unwrap_or_default();
    format!("loop {}{output}", text::clock(took))
}

/// The sessions, and the files that they changed as far as that is known.
fn work(opened: &Opened) -> String {
    let record = &opened.record;
    let sessions = text::count(record.sessions, "session");
    // Without a snapshot "no files" would be a guess.
    let is_known = record.files_modified > 0 || matches!(opened.standing.state, State::Ended(_));
    if opened.standing.has_trees && is_known {
        format!("{sessions}, {} modified", text::count(record.files_modified, "file"))
    } else {
        sessions
    }
}
