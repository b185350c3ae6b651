//! The colours of the dashboard: blue and orange, which every eye tells apart on light and on dark,
//! and never a colour alone.

use ratatui::style::{Color, Modifier, Style};

/// How things are set off; without colours in bold, faint and reversed only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Theme {
    /// Whether there are colours.
    pub(crate) colour: bool,
}

const BLUE: u8 = 33;
const ORANGE: u8 = 166;
const OCHRE: u8 = 136;

impl Theme {
    /// For what went well, and for what was added.
    pub(crate) fn good(self) -> Style {
        self.with(BLUE)
    }

    /// For what went wrong, and for what was taken away.
    pub(crate) fn bad(self) -> Style {
        self.with(ORANGE)
    }

    /// For what needs an eye on it.
    pub(crate) fn warn(self) -> Style {
        self.with(OCHRE)
    }

    /// For headings.
    pub(crate) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// For what is less important.
    pub(crate) fn faint(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// For the row that is chosen.
    pub(crate) fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// For the frame of a part of the screen.
    pub(crate) fn frame(self, has_keys: bool) -> Style {
        if has_keys { self.good() } else { self.faint() }
    }

    /// For a number as a terminal writes it: what [`crate::report::paint::Paint`] puts into a line.
    pub(super) fn of_code(self, code: &str) -> Style {
        match code {
            "1" => self.strong(),
            "2" => self.faint(),
            "31" => self.bad(),
            "32" => self.good(),
            "33" => self.warn(),
            _ => Style::new(),
        }
    }

    fn with(self, colour: u8) -> Style {
        if self.colour { Style::new().fg(Color::Indexed(colour)) } else { Style::new() }
    }
}
