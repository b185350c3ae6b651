//! Draws the dashboard: a file a part. It only looks at the state, so the same state is always the
//! same screen.

mod body;
mod figures;
mod foot;
mod head;
mod help;
mod loops;
mod popup;
mod question;
mod tabs;

use ratatui::{Frame, buffer::Buffer, layout::Rect, text::Line};

use super::{
    areas::{Areas, SMALLEST},
    dashboard::{Dashboard, Over},
    painted,
};

/// Draws all of it.
pub(crate) fn draw(frame: &mut Frame<'_>, dashboard: &Dashboard) {
    let screen = frame.area();
    let buffer = frame.buffer_mut();
    let head = head::lines(dashboard, Areas::head_width(screen.width, dashboard.wide));
    let Some(areas) = Areas::of(screen, dashboard.wide, rows(&head)) else {
        return too_small(buffer, screen);
    };
    loops::draw(buffer, areas.list, dashboard);
    tabs::frame(buffer, areas, dashboard);
    put_all(buffer, areas.head, &head);
    body::draw(buffer, areas.body, dashboard);
    foot::draw(buffer, areas.foot, dashboard);
    match &dashboard.over {
        Over::Nothing | Over::Search(_) => {}
        Over::Help => help::draw(buffer, screen, dashboard),
        Over::Question(question) => question::draw(buffer, screen, dashboard, question),
    }
}

/// The parts of the screen as they will be drawn.
pub(crate) fn areas(dashboard: &Dashboard) -> Option<Areas> {
    let screen = Rect::from(((0, 0).into(), dashboard.size));
    let head = head::lines(dashboard, Areas::head_width(screen.width, dashboard.wide));
    Areas::of(screen, dashboard.wide, rows(&head))
}

fn rows(lines: &[Line<'_>]) -> u16 {
    u16::try_from(lines.len()).unwrap_or(u16::MAX)
}

/// Puts lines below each other, cut to the area.
fn put_all(buffer: &mut Buffer, area: Rect, lines: &[Line<'static>]) {
    for (line, row) in lines.iter().zip(area.rows()) {
        put(buffer, row, line);
    }
}

/// Puts one line, cut to its area.
fn put(buffer: &mut Buffer, row: Rect, line: &Line<'static>) {
    let cells = usize::from(row.width);
    if line.width() <= cells {
        buffer.set_line(row.x, row.y, line, row.width);
    } else {
        buffer.set_line(row.x, row.y, &painted::cut(line.clone(), cells), row.width);
    }
}

fn too_small(buffer: &mut Buffer, screen: Rect) {
    let (columns, rows) = SMALLEST;
    let words = format!(
        "The terminal is too small ({}×{}): {columns}×{rows} is needed; q quits",
        screen.width, screen.height
    );
    if let Some(row) = screen.rows().next() {
        put(buffer, row, &Line::from(words));
    }
}

#[cfg(test)]
mod tests;
