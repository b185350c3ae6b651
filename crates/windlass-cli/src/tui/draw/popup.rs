//! A frame in the middle of the screen, over what is there.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::Line,
    widgets::{Block, BorderType, Clear, Padding, Widget},
};

use super::put_all;
use crate::tui::theme::Theme;

/// Draws lines over the middle of the screen.
pub(super) fn draw(
    buffer: &mut Buffer,
    screen: Rect,
    title: &str,
    lines: &[Line<'static>],
    theme: Theme,
) {
    let widest = lines.iter().map(Line::width).max().unwrap_or(0).max(title.len() + 2);
    let width = u16::try_from(widest + 6).unwrap_or(u16::MAX).min(screen.width);
    let height = u16::try_from(lines.len() + 4).unwrap_or(u16::MAX).min(screen.height);
    let area = Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y + (screen.height - height) / 2,
        width,
        height,
    };
    Clear.render(area, buffer);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.good())
        .padding(Padding::new(2, 2, 1, 1))
        .title(Line::styled(format!(" {title} "), theme.strong()));
    let inner = block.inner(area);
    block.render(area, buffer);
    put_all(buffer, inner, lines);
}
