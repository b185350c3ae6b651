//! The last line: what is typed, what is under way, what had to be said, or the keys.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use super::put;
use crate::{
    text,
    tui::{
        dashboard::{Dashboard, Focus, Over},
        pane::Pane,
        theme::Theme,
    },
};

/// What turns while something is under way.
const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

pub(super) fn draw(buffer: &mut Buffer, area: Rect, dashboard: &Dashboard) {
    put(buffer, area, &line(dashboard, usize::from(area.width)));
}

fn line(dashboard: &Dashboard, cells: usize) -> Line<'static> {
    let theme = dashboard.theme;
    if let Over::Search(words) = &dashboard.over {
        return Line::from(vec![
            Span::styled(" / ", theme.good()),
            Span::raw(words.clone()),
            Span::styled(" ", theme.chosen()),
            Span::styled("  enter finds, esc leaves it", theme.faint()),
        ]);
    }
    let turns = usize::try_from(dashboard.now.0 / 100).unwrap_or(0) % SPINNER.len();
    if let (Some(_), Some(needle)) = (dashboard.finding, &dashboard.needle) {
        let words = format!(" {} looking for \"{}\", esc stops", SPINNER[turns], needle.words());
        return Line::from(words);
    }
    if let Some(words) = dashboard.busy.first() {
        return Line::from(format!(" {} {words}", SPINNER[turns]));
    }
    if let Some(notice) = &dashboard.notice {
        return Line::styled(format!(" {notice}"), theme.strong());
    }
    hints(keys(dashboard), cells, theme)
}

/// The keys that are of use now, the most useful first.
fn keys(dashboard: &Dashboard) -> Vec<(&'static str, &'static str)> {
    let mut keys = vec![("?", "help"), ("q", "quit")];
    keys.extend(match dashboard.focus {
        Focus::Loops => [("↑↓", "choose"), ("enter", "open")],
        Focus::Pane => [("↑↓", "scroll"), ("esc", "loops")],
    });
    keys.push(("tab", "panes"));
    keys.extend(match dashboard.pane {
        Pane::Log => vec![("f", "follow"), ("/", "search")],
        Pane::Iterations if dashboard.focus == Focus::Pane => {
            vec![("enter", "diff"), ("/", "search")]
        }
        Pane::Checks | Pane::Diff => vec![("[ ]", "iteration"), ("/", "search")],
        Pane::Iterations | Pane::Findings | Pane::Why => vec![("/", "search")],
    });
    let offered = dashboard.target().map(|opened| opened.standing.next()).unwrap_or_default();
    if offered.iter().any(|command| command.starts_with("windlass accept ")) {
        keys.push(("A", "accept"));
    }
    keys.extend([("c", "cancel"), ("r", "resume"), ("R", "reset")]);
    keys
}

/// As many keys as there is room for.
fn hints(keys: Vec<(&'static str, &'static str)>, cells: usize, theme: Theme) -> Line<'static> {
    let mut room = cells;
    let mut spans = Vec::new();
    for (key, word) in keys {
        let Some(left) = room.checked_sub(text::width(key) + word.len() + 3) else { break };
        room = left;
        spans.push(Span::styled(format!(" {key}"), theme.good()));
        spans.push(Span::styled(format!(" {word} "), theme.faint()));
    }
    Line::from(spans)
}
