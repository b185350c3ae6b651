//! The frame of the loop that is looked at: its task and name above, and the names of the panes across it.

use ratatui::{
    buffer::Buffer,
    style::Style,
    text::{Line, Span},
    widgets::{Block, BorderType, Widget},
};

use super::{loops, put};
use crate::{
    text,
    tui::{
        areas::Areas,
        dashboard::{Dashboard, Focus},
        opened::Opened,
        pane::Pane,
        theme::Theme,
    },
};

pub(super) fn frame(buffer: &mut Buffer, areas: Areas, dashboard: &Dashboard) {
    let theme = dashboard.theme;
    let has_keys = dashboard.focus == Focus::Pane;
    let style = theme.frame(has_keys);
    let title = dashboard.target().map(|opened| title(opened, areas.detail.width, theme));
    Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(style)
        .title(title.unwrap_or_default())
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

/// What the loop is for, followed by its name.
fn title(opened: &Opened, cells: u16, theme: Theme) -> Line<'static> {
    let name = &opened.standing.name;
    let Some(task) = loops::task(&opened.record) else {
        return Line::styled(format!(" {name} "), theme.strong());
    };
    let room = usize::from(cells).saturating_sub(text::width(name) + 7);
    let task = text::truncate(&task, room);
    Line::from(vec![
        Span::styled(format!(" {task} "), theme.strong()),
        Span::raw(format!("· {name} ")),
    ])
}
