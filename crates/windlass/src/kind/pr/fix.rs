//! What the fixer says that it did. Whether it is true is for the next audit to say.

use windlass_core::{event::AuditLogged, step::SessionReport, text::prose};

/// What the fixer says that it did.
pub(super) struct Fixed {
    /// How many findings it says to have fixed.
    pub(super) applied: usize,
    /// Why it skipped others, one each.
    pub(super) skipped: Vec<String>,
    /// How its session failed, where it did.
    pub(super) failure: Option<String>,
}

impl Fixed {
    /// Reads the answer of a session that was given so many findings.
    pub(super) fn of(session: &SessionReport, findings: usize) -> Self {
        let said = prose::outside_code(&session.final_text);
        let skipped = said.filter_map(|line| line.trim().strip_prefix("SKIPPED:"));
        let skipped: Vec<String> =
            skipped.take(findings).map(|reason| reason.trim().to_owned()).collect();
        let failure = session.failure();
        let applied = if failure.is_some() { 0 } else { findings - skipped.len() };
        Self { applied, skipped, failure }
    }

    /// What is taken down of it.
    pub(super) fn logged(&self, iteration: u32, found: usize) -> AuditLogged {
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        AuditLogged {
            iteration,
            found: number(found),
            applied: number(self.applied),
            skipped: self.skipped.clone(),
            failure: self.failure.clone(),
            ..AuditLogged::default()
        }
    }
}
