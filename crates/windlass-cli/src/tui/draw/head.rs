//! What stands above the panes: which loop it is, how it stands, how far it is, and what it took.

use std::time::Duration;

use ratatui::text::{Line, Span};
use windlass_core::{
    ending::BudgetKind,
    rules::Spend,
    text::sanitise,
    view::{Circuit, LoopView},
};

use super::loops;
use crate::{
    report::{ending::State, paint::Paint, progress, summary, words},
    text,
    tui::{dashboard::Dashboard, opened::Opened, painted, theme::Theme},
};

/// The widest bar.
const WIDEST_BAR: usize = 40;
/// How many rows may say how it stands.
const MOST_STANDING: usize = 2;
/// The bar of a budget.
const BUDGET_BAR: usize = 12;
/// So many values of the sparkline are also told in figures.
const FIGURES: usize = 6;
/// How wide labels are.
const LABEL: usize = 9;
/// From so many cells on the facts stand in two columns.
const TWO_COLUMNS: usize = 96;
const SPARKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

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
    lines.push(done(opened, cells, theme));
    lines.extend(columns(facts(dashboard, opened, cells), cells));
    lines.into_iter().map(|line| painted::cut(line, cells)).collect()
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

fn done(opened: &Opened, cells: usize, theme: Theme) -> Line<'static> {
    let words = text::progress(opened.record.iteration, opened.record.max_iterations);
    let Some((bar, _)) = progress::of(&opened.followed.view) else { return Line::from(words) };
    let words = format!("{} % · {words}", bar.percent());
    let room = cells.saturating_sub(text::width(&words) + 2).min(WIDEST_BAR);
    let bar = text::bar(bar.done, bar.of, room);
    Line::from(vec![Span::styled(bar, theme.good()), Span::raw(format!("  {words}"))])
}

fn facts(dashboard: &Dashboard, opened: &Opened, cells: usize) -> Vec<Line<'static>> {
    let theme = dashboard.theme;
    let mut facts = Vec::new();
    let mut fact = |label: &'static str, spans: Vec<Span<'static>>| {
        let label = Span::styled(text::pad(label, LABEL), theme.faint());
        facts.push(Line::from([vec![label], spans].concat()));
    };
    if opened.standing.state == State::Running {
        let phase = words::now::phase(&opened.followed.view.phase);
        let since = opened.followed.view.phase_since.map(|since| dashboard.now.since(since));
        let since = since.map(|since| format!(" {}", text::clock(since))).unwrap_or_default();
        fact("phase", vec![Span::raw(phase), Span::styled(since, theme.faint())]);
    }
    fact("circuit", circuit(&opened.followed.view.circuit, theme));
    if let Some(tasks) = opened.record.tasks {
        fact("tasks", vec![Span::raw(summary::tasks(tasks.open, tasks.done))]);
    }
    if let Some(words) = proof(&opened.followed.view) {
        fact("tests", vec![Span::raw(words)]);
    }
    let trend = opened.followed.trail.convergence();
    if !trend.values.is_empty() {
        let values: Vec<u64> = trend.values.iter().map(|(_, value)| *value).collect();
        let words = trend_words(&values, trend.measure.word());
        let room = if cells >= TWO_COLUMNS { cells / 2 } else { cells };
        let room = room.saturating_sub(LABEL + text::width(&words) + 4);
        let sparks = Span::styled(sparkline(&values, room), theme.good());
        fact("trend", vec![sparks, Span::raw(format!("  {words}"))]);
    }
    // The store has the time up to the last event.
    let runs = opened.standing.state == State::Running;
    let since = dashboard.now.since(opened.record.updated_at);
    let since = if runs { since } else { Duration::ZERO };
    for spend in &opened.budgets {
        let more = if spend.kind == BudgetKind::Duration { since.as_secs_f64() * 1e3 } else { 0.0 };
        let spend = Spend { spent: spend.spent + more, ..*spend };
        fact(budget_word(spend.kind), budget(&spend, theme));
    }
    if let Some(spend) = summary::spend(opened.record.usage) {
        fact("spend", vec![Span::raw(spend)]);
    }
    fact("time", vec![Span::raw(time(opened, since))]);
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

fn time(opened: &Opened, since: Duration) -> String {
    let record = &opened.record;
    let took = text::duration(Duration::from_millis(record.active_ms) + since);
    let sessions = text::count(record.sessions, "session");
    let files = text::count(record.files_modified, "file");
    format!("{sessions} in {took}, {files} modified")
}

fn budget_word(kind: BudgetKind) -> &'static str {
    match kind {
        BudgetKind::Cost => "cost",
        BudgetKind::Tokens => "tokens",
        BudgetKind::Duration => "duration",
    }
}

fn budget(spend: &Spend, theme: Theme) -> Vec<Span<'static>> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "figures for people, which are never negative"
    )]
    let whole = |amount: f64| amount as u64;
    let shown = |amount: f64| match spend.kind {
        BudgetKind::Cost => text::money(amount),
        BudgetKind::Tokens => text::short(whole(amount)),
        BudgetKind::Duration => text::millis(whole(amount)),
    };
    let percent = whole(spend.spent / spend.limit * 100.0);
    let style = match percent {
        0..75 => theme.good(),
        75..100 => theme.warn(),
        _ => theme.bad(),
    };
    let bar = text::bar(percent, 100, BUDGET_BAR);
    let words = format!("  {} of {} · {percent} %", shown(spend.spent), shown(spend.limit));
    vec![Span::styled(bar, style), Span::raw(words)]
}

/// The last values as bars of a cell each, the newest at the right.
fn sparkline(values: &[u64], cells: usize) -> String {
    let last = &values[values.len().saturating_sub(cells)..];
    let most = last.iter().copied().max().unwrap_or(0).max(1);
    let spark = |value: &u64| {
        let step = value.saturating_mul(7).div_ceil(most);
        usize::try_from(step).ok().and_then(|step| SPARKS.get(step)).copied().unwrap_or('█')
    };
    last.iter().map(spark).collect()
}

fn trend_words(values: &[u64], what: &str) -> String {
    let last = &values[values.len().saturating_sub(FIGURES)..];
    let before = if last.len() < values.len() { "… " } else { "" };
    let figures: Vec<String> = last.iter().map(u64::to_string).collect();
    format!("{what} {before}{}", figures.join(" → "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sparkline_shows_the_last_values() {
        assert_eq!(sparkline(&[0, 7, 14], 10), "▁▅█");
        assert_eq!(sparkline(&[100, 7, 14], 2), "▅█");
        assert_eq!(sparkline(&[0, 0], 5), "▁▁");
        assert_eq!(sparkline(&[], 5), "");
    }

    #[test]
    fn the_trend_is_told_in_figures_too() {
        assert_eq!(trend_words(&[12, 4, 0], "findings"), "findings 12 → 4 → 0");
        assert_eq!(
            trend_words(&[9, 8, 7, 6, 5, 4, 3], "findings"),
            "findings … 8 → 7 → 6 → 5 → 4 → 3"
        );
    }
}
