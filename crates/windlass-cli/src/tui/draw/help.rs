//! What each key does.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use super::popup;
use crate::{text, tui::dashboard::Dashboard};

/// The keys; docs/screens.md has the same.
pub(crate) const KEYS: [(&str, &str); 18] = [
    ("↑ ↓, j k", "choose a loop, scroll a pane, choose an iteration"),
    ("→ ←, enter esc", "from the loops to the pane, and back"),
    ("tab, 1 to 6", "another pane"),
    ("page ↑ ↓, space b", "half a screen"),
    ("home end, g G", "the beginning, the end"),
    ("f", "follow the log, or stop following"),
    ("[ ]", "the iteration before, after: checks and diff"),
    ("enter", "among iterations: what this one changed"),
    ("a", "in the diff: what the whole loop changed"),
    ("/", "search; the log is searched from its end"),
    ("n N", "the next that was found, the one before"),
    ("w", "wide: hide the loops"),
    ("c C", "cancel; cancel after this iteration"),
    ("r", "resume"),
    ("R", "reset: close the circuit"),
    ("A", "accept work that windlass rejected"),
    ("? ctrl-l ctrl-z", "help, draw anew, suspend"),
    ("q", "quit; loops go on"),
];

pub(super) fn draw(buffer: &mut Buffer, screen: Rect, dashboard: &Dashboard) {
    let theme = dashboard.theme;
    let widest = KEYS.iter().map(|(keys, _)| text::width(keys)).max().unwrap_or(0);
    let lines: Vec<Line<'static>> = KEYS
        .iter()
        .map(|(keys, words)| {
            let keys = text::pad(keys, widest + 3);
            Line::from(vec![Span::styled(keys, theme.good()), Span::raw(*words)])
        })
        .collect();
    popup::draw(buffer, screen, "Keys", &lines, theme);
}
