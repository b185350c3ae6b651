//! The pane that is looked at.

use ratatui::{buffer::Buffer, layout::Rect, text::Line};

use super::{put, put_all};
use crate::{
    control::find::FIRST_LOOP,
    tui::{dashboard::Dashboard, pane::Pane, theme::Theme},
};

pub(super) fn draw(buffer: &mut Buffer, area: Rect, dashboard: &Dashboard) {
    let theme = dashboard.theme;
    let Some(opened) = dashboard.target() else {
        return put_all(buffer, area, &nothing(theme));
    };
    if dashboard.pane == Pane::Log {
        rows(buffer, area, opened.stream.shown(), theme);
    } else {
        rows(buffer, area, opened.sheet.shown(), theme);
    }
}

fn rows<'a>(
    buffer: &mut Buffer,
    area: Rect,
    shown: impl Iterator<Item = (&'a Line<'static>, bool)>,
    theme: Theme,
) {
    for ((line, is_set_off), row) in shown.zip(area.rows()) {
        put(buffer, row, line);
        if is_set_off {
            buffer.set_style(row, theme.chosen());
        }
    }
}

/// For those who have no loop yet.
fn nothing(theme: Theme) -> Vec<Line<'static>> {
    let mut lines = vec![
        Line::styled("There are no loops yet.", theme.strong()),
        Line::default(),
        Line::from("Start one in another terminal, and see it here:"),
        Line::default(),
    ];
    // On a small screen it does not fit on one line.
    let command = FIRST_LOOP.replace(" && ", " &&\n");
    lines.extend(command.lines().map(|line| Line::styled(format!("  {line}"), theme.good())));
    lines
}
