//! How one guarded key differs.

/// A guarded key that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// As people would name it: `tool.pytest`, `scripts`, `the target test`.
    pub key: String,
    pub how: How,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Added,
    Changed,
    Removed,
}

impl Difference {
    /// The difference between a key before and after, if there is one.
    pub(super) fn between<T: PartialEq>(
        key: impl Into<String>,
        before: Option<&T>,
        now: Option<&T>,
    ) -> Option<Self> {
        let how = match (before, now) {
            (None, Some(_)) => How::Added,
            (Some(_), None) => How::Removed,
            (Some(before), Some(now)) if before != now => How::Changed,
            _ => return None,
        };
        Some(Self { key: key.into(), how })
    }
}
