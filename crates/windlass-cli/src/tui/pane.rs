//! What can be looked at of a loop.

/// A pane of the dashboard, in the order of their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pane {
    /// What was said and done.
    #[default]
    Log,
    /// The iterations.
    Iterations,
    /// The checks of an iteration, with what they printed.
    Checks,
    /// What reviews found.
    Findings,
    /// What changed.
    Diff,
    /// Why it stopped or goes on.
    Why,
}

impl Pane {
    /// All of them.
    pub(crate) const ALL: [Self; 6] =
        [Self::Log, Self::Iterations, Self::Checks, Self::Findings, Self::Diff, Self::Why];

    /// Its name: that of the command that shows the same, where there is one.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Iterations => "iterations",
            Self::Checks => "checks",
            Self::Findings => "findings",
            Self::Diff => "diff",
            Self::Why => "why",
        }
    }

    /// Its number, from 1.
    pub(crate) fn number(self) -> usize {
        Self::ALL.iter().position(|pane| *pane == self).map_or(0, |n| n + 1)
    }

    /// The one that many further on, round the end.
    pub(crate) fn next(self, by: usize) -> Self {
        Self::ALL[(self.number() - 1 + by) % Self::ALL.len()]
    }
}
