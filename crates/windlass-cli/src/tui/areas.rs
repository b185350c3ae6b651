//! Where everything is on the screen.

use ratatui::layout::{Constraint, Layout, Rect};

/// The smallest terminal that has room for everything.
pub(crate) const SMALLEST: (u16, u16) = (80, 24);
/// How many rows of a pane are to be seen at the least.
const LEAST_BODY: u16 = 6;

/// The parts of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Areas {
    /// The list of loops with its frame; empty where it is hidden.
    pub(crate) list: Rect,
    /// The loop that is looked at, with its frame.
    pub(crate) detail: Rect,
    /// What stands above its panes.
    pub(crate) head: Rect,
    /// The line with the names of the panes, from frame to frame.
    pub(crate) tabs: Rect,
    /// The pane.
    pub(crate) body: Rect,
    /// The last line.
    pub(crate) foot: Rect,
}

impl Areas {
    /// The parts of a screen with a head of so many rows; `None` where it is too small.
    pub(crate) fn of(screen: Rect, wide: bool, head: u16) -> Option<Self> {
        if screen.width < SMALLEST.0 || screen.height < SMALLEST.1 {
            return None;
        }
        let list = if wide { 0 } else { list_width(screen.width) };
        let [above, foot] =
            Layout::vertical([Constraint::Min(0), Constraint::Length(1)]).areas(screen);
        let [list, detail] =
            Layout::horizontal([Constraint::Length(list), Constraint::Min(0)]).areas(above);
        // One cell of air inside of the frame.
        let inner = Rect {
            x: detail.x + 2,
            y: detail.y + 1,
            width: detail.width.saturating_sub(4),
            height: detail.height.saturating_sub(2),
        };
        let head = head.min(inner.height.saturating_sub(1 + LEAST_BODY));
        let [head, tabs, body] =
            Layout::vertical([Constraint::Length(head), Constraint::Length(1), Constraint::Min(0)])
                .areas(inner);
        let tabs = Rect { x: detail.x, width: detail.width, ..tabs };
        Some(Self { list, detail, head, tabs, body, foot })
    }

    /// How many cells the head has in a screen of that width.
    pub(crate) fn head_width(screen: u16, wide: bool) -> usize {
        let list = if wide { 0 } else { list_width(screen) };
        usize::from(screen.saturating_sub(list + 4))
    }
}

fn list_width(screen: u16) -> u16 {
    (screen / 4).clamp(26, 40)
}
