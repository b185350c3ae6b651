//! The list of loops, two rows each: its sign and name, and how it stands.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    text::{Line, Span},
    widgets::{Block, BorderType, Widget},
};
use windlass_core::time::Timestamp;

use super::put;
use crate::{
    report::ending::State,
    text,
    tui::{
        dashboard::{Dashboard, Focus, Listed},
        theme::Theme,
    },
};

/// How many rows a loop takes.
const ROWS: usize = 2;

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
    let mut rows = inner.rows();
    for (n, listed) in listed {
        let is_chosen = n == dashboard.cursor;
        for line in lines(listed, is_chosen, dashboard.now, theme) {
            let Some(row) = rows.next() else { return };
            put(buffer, row, &line);
            if is_chosen && has_keys {
                buffer.set_style(row, theme.chosen());
            }
        }
    }
}

fn lines(listed: &Listed, is_chosen: bool, now: Timestamp, theme: Theme) -> [Line<'static>; ROWS] {
    let standing = &listed.standing;
    let mark = if is_chosen { "▸" } else { " " };
    let name = if is_chosen { theme.strong() } else { Style::new() };
    let record = &listed.record;
    let mut facts = vec![standing.word().replace('_', " ")];
    if standing.state == State::Running {
        facts.push(match record.max_iterations {
            0 => format!("iteration {}", record.iteration),
            max => format!("{} of {max}", record.iteration),
        });
    } else {
        facts.push(text::ago(record.updated_at, now));
    }
    [
        Line::from(vec![
            Span::raw(mark),
            Span::styled(standing.sign(), sign(&standing.state, theme)),
            Span::raw(" "),
            Span::styled(standing.name.clone(), name),
        ]),
        Line::styled(format!("   {}", facts.join(" · ")), theme.faint()),
    ]
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
