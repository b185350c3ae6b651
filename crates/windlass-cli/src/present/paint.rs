//! Colours, only where they are wanted. Everything is readable without them.

/// Colours text, or leaves it as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Paint {
    /// Whether there are colours.
    pub(crate) colour: bool,
}

impl Paint {
    /// For what went well.
    pub(crate) fn good(self, text: &str) -> String {
        self.with("32", text)
    }

    /// For what went wrong.
    pub(crate) fn bad(self, text: &str) -> String {
        self.with("31", text)
    }

    /// For what needs an eye on it.
    pub(crate) fn warn(self, text: &str) -> String {
        self.with("33", text)
    }

    /// For headings.
    pub(crate) fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    /// For what is less important.
    pub(crate) fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}
