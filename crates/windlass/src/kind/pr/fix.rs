//! What the fixer says that it did. Whether it is true is for the next audit to say.

use windlass_core::{
    event::AuditLogged,
    findings::{Noticed, Skip, skip_reasons, skips},
    step::SessionReport,
};

/// What the fixer says that it did.
pub(super) struct Fixed {
    /// How many findings it says to have fixed.
    pub(super) applied: usize,
    /// Why it skipped others, one each.
    pub(super) skipped: Vec<String>,
    /// Which findings these are about.
    pub(super) skips: Vec<Skip>,
    /// How its session failed, where it did.
    pub(super) failure: Option<String>,
}

impl Fixed {
    /// Reads the answer of a session that was given these findings.
    pub(super) fn of(session: &SessionReport, found: &[Noticed]) -> Self {
        let failure = session.failure();
        if let Some(words) = session.claim.blocked.as_ref().filter(|_| failure.is_none()) {
            return Self::blocked(words, found);
        }
        let mut skipped = skip_reasons(&session.final_text);
        skipped.truncate(found.len());
        let skips = skips(&skipped, found);
        let applied = if failure.is_some() { 0 } else { found.len() - skipped.len() };
        Self { applied, skipped, skips, failure }
    }

    /// Of a session that could not go on: all its findings are skipped.
    fn blocked(words: &str, found: &[Noticed]) -> Self {
        let reason = format!("blocked: {words}");
        let skip = |noticed: &Noticed| Skip { number: noticed.number, reason: reason.clone() };
        let skips = found.iter().map(skip).collect();
        Self { applied: 0, skipped: vec![reason.clone(); found.len()], skips, failure: None }
    }

    /// What is taken down of it.
    pub(super) fn logged(&self, iteration: u32, found: usize) -> AuditLogged {
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        AuditLogged {
            iteration,
            found: number(found),
            applied: number(self.applied),
            skipped: self.skipped.clone(),
            skips: self.skips.clone(),
            failure: self.failure.clone(),
            ..AuditLogged::default()
        }
    }
}
