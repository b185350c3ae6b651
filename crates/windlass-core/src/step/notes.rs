//! What people should know about a step that is done.

use super::StepResult;

impl StepResult {
    /// What people should know about it.
    pub fn notes(&self) -> &[String] {
        match self {
            Self::Snapshot { notes, .. } | Self::Mark { notes, .. } | Self::Arrived { notes } => {
                notes
            }
            Self::Diff(report) => &report.notes,
            Self::Hooked { problems, stops: false } => problems,
            _ => &[],
        }
    }
}
