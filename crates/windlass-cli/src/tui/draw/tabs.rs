//! The frame of the loop that is looked at: its name above, and the names of the panes across it.

use ratatui::{
    buffer::Buffer,
    style::Style,
    text::{Line, Span},
    widgets::{Block, BorderType, Widget},
};

use super::put;
use crate::tui::{
    areas::Areas,
    dashboard::{Dashboard, Focus},
    pane::Pane,
};

pub(super) fn frame(buffer: &mut Buffer, areas: Areas, dashboard: &Dashboard) {
    let theme = dashboard.theme;
    let has_keys = dashboard.focus == Focus::Pane;
    let style = theme.frame(has_keys);
    let name = dashboard.target().map(|opened| format!(" {} ", opened.standing.name));
    Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(style)
        .title(Line::styled(name.unwrap_or_default(), theme.strong()))
        .render(areas.detail, buffer);
    let Some(opened) = dashboard.target() else { return };
    let cells = usize::from(areas.tabs.width);
    let mut spans = vec![Span::styled("├", style)];
    for pane in Pane::ALL {
        let is_shown = pane == dashboard.pane;
        let words = format!("{} {}", pane.number(), pane.name());
        spans.push(match is_shown {
            true => Span::styled(format!("▸{words}"), theme.strong()),
            false => Span::styled(format!(" {words}"), Style::new()),
        });
    }
    let used: usize = spans.iter().map(Span::width).sum::<usize>() + 1;
    let state = match dashboard.pane {
        Pane::Log if opened.stream.follows => " follows ",
        _ => "",
    };
    let line = cells.saturating_sub(used + state.len() + 2);
    if line > 0 {
        spans.push(Span::styled(format!(" {}", "─".repeat(line)), style));
        spans.push(Span::styled(state, theme.faint()));
        spans.push(Span::styled("─", style));
    }
    spans.push(Span::styled("┤", style));
    put(buffer, areas.tabs, &Line::from(spans));
}
