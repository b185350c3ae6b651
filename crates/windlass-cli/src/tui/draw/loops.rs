//! The list of loops, three rows each: its sign and its task, its name, and how it stands.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    text::{Line, Span},
    widgets::{Block, BorderType, Widget},
};
use windlass_core::{text::sanitise, time::Timestamp};
use windlass_store::store::LoopRecord;

use super::put;
use crate::{
    report::ending::State,
    text,
    tui::{
        dashboard::{Dashboard, Focus, Listed},
        theme::Theme,
    },
};

/// What stands below the sign.
const MARGIN: &str = "   ";
/// How many rows a loop takes.
const ROWS: usize = 3;

pub(super) fn draw(buffer: &mut Buffer, area: Rect, dashboard: &Dashboard) {
    if area.width == 0 {
        return;
    }
    let theme = dashboard.theme;
    let has_keys = dashboard.focus == Focus::Loops;
    let mut block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.frame(has_keys))
        .title(Line::styled(" Loops ", theme.strong()));
    if dashboard.unlisted > 0 {
        let more = format!(" and {} more ", dashboard.unlisted);
        block = block.title_bottom(Line::styled(more, theme.faint()).right_aligned());
    }
    let inner = block.inner(area);
    block.render(area, buffer);
    if dashboard.loops.is_empty() {
        if let Some(row) = inner.rows().next() {
            put(buffer, row, &Line::styled(" None yet", theme.faint()));
        }
        return;
    }
    let fits = (usize::from(inner.height) / ROWS).max(1);
    // What is chosen stays in the middle of a long list, where its neighbours are to be seen.
    let most = dashboard.loops.len().saturating_sub(fits);
    let first = dashboard.cursor.saturating_sub(fits / 2).min(most);
    let listed = dashboard.loops.iter().enumerate().skip(first).take(fits);
    let cells = usize::from(inner.width);
    let mut rows = inner.rows();
    for (n, listed) in listed {
        let is_chosen = n == dashboard.cursor;
        for line in lines(listed, (is_chosen, cells), dashboard.now, theme) {
            let Some(row) = rows.next() else { return };
            put(buffer, row, &line);
            if is_chosen && has_keys {
                buffer.set_style(row, theme.chosen());
            }
        }
    }
}

fn lines(
    listed: &Listed,
    (is_chosen, cells): (bool, usize),
    now: Timestamp,
    theme: Theme,
) -> [Line<'static>; ROWS] {
    let standing = &listed.standing;
    let mark = if is_chosen { "▸" } else { " " };
    let title = if is_chosen { theme.strong() } else { Style::new() };
    // Without a task the name is the title.
    let (heading, second) = match task(&listed.record) {
        Some(task) => (task, standing.name.clone()),
        None => (standing.name.clone(), sanitise::line(&listed.record.kind).into_owned()),
    };
    let facts = facts(listed, cells.saturating_sub(MARGIN.len()), now);
    [
        Line::from(vec![
            Span::raw(mark),
            Span::styled(standing.sign(), sign(&standing.state, theme)),
            Span::raw(" "),
            Span::styled(heading, title),
        ]),
        Line::raw(format!("{MARGIN}{second}")),
        Line::styled(format!("{MARGIN}{facts}"), theme.faint()),
    ]
}

/// What a loop is for, in a line.
pub(super) fn task(record: &LoopRecord) -> Option<String> {
    let task = record.task.as_deref().map(|task| sanitise::line(task).trim().to_owned());
    task.filter(|task| !task.is_empty())
}

/// How it stands, and since when: as much as there is room for.
fn facts(Listed { record, standing }: &Listed, cells: usize, now: Timestamp) -> String {
    let (long, short) = match standing.state {
        State::Running => (
            text::iteration(record.iteration, record.max_iterations),
            text::iteration(record.iteration, 0),
        ),
        _ => {
            let short = standing.short();
            let ended = record.ended_at.unwrap_or(record.updated_at);
            (format!("{short} · {}", text::ago(ended, now)), short)
        }
    };
    if text::width(&long) <= cells { long } else { short }
}

/// How the sign of a state is set off.
pub(super) fn sign(state: &State, theme: Theme) -> Style {
    match state {
        State::Running => theme.good(),
        State::Ended(ending) if ending.is_success() => theme.good(),
        State::Ended(_) => theme.bad(),
        State::Interrupted | State::Other(_) => theme.warn(),
    }
}
