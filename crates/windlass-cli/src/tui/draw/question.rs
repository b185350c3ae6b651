//! A question before something is done.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};
use windlass_core::text::sanitise;

use super::popup;
use crate::{
    report::asker,
    tui::{
        dashboard::{Dashboard, Question},
        painted,
        theme::Theme,
    },
};

/// How wide the words of a question are.
const WIDEST: usize = 62;

pub(super) fn draw(buffer: &mut Buffer, screen: Rect, dashboard: &Dashboard, question: &Question) {
    let theme = dashboard.theme;
    let name = dashboard.target().map(|opened| opened.standing.name.clone()).unwrap_or_default();
    let yes_or_no: &[(&str, &str)] = &[("y", "yes"), ("n", "no")];
    let (title, words, keys) = match question {
        Question::Cancel => (
            "Cancel",
            format!("Cancel {name}? All that it runs is ended, and it can be resumed."),
            yes_or_no,
        ),
        Question::CancelAfterIteration => (
            "Cancel",
            format!("Cancel {name} when the iteration that is under way is over?"),
            yes_or_no,
        ),
        Question::Resume(command) => (
            "Resume",
            format!("Run `{command}`? It goes on when you leave this screen."),
            yes_or_no,
        ),
        Question::Accept => (
            "Accept",
            format!(
                "Accept the work of {name}? The loop is done then, not verified, and cannot be resumed."
            ),
            yes_or_no,
        ),
        Question::Reset => (
            "Reset",
            format!("Close the circuit of {name}, and zero the rules' counts?"),
            yes_or_no,
        ),
        Question::Choose { words, .. } => ("Question", sanitise::line(words).into_owned(), &[][..]),
        Question::Leave => (
            "Leave",
            "The loop of this terminal is still running.".to_owned(),
            &[("l", "leave the screen, the loop goes on"), ("c", "cancel the loop"), ("n", "stay")]
                [..],
        ),
    };
    let mut lines = painted::rows(&words, WIDEST, theme);
    if let Question::Choose { choices, .. } = question {
        lines.push(Line::default());
        lines.extend(painted::rows(&asker::offer(choices), WIDEST, theme));
    }
    if !keys.is_empty() {
        lines.push(Line::default());
    }
    if keys.len() == yes_or_no.len() {
        lines.push(Line::from(keys.iter().flat_map(|key| answer(key, theme)).collect::<Vec<_>>()));
    } else {
        lines.extend(keys.iter().map(|key| Line::from(answer(key, theme).to_vec())));
    }
    popup::draw(buffer, screen, title, &lines, theme);
}

fn answer((key, words): &(&'static str, &'static str), theme: Theme) -> [Span<'static>; 2] {
    [Span::styled(*key, theme.good().patch(theme.strong())), Span::raw(format!(" {words}   "))]
}
