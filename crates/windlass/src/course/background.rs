//! What sessions lose in the background: told to people, doubted by the proof, and told to the next
//! session that works.

use windlass_core::{context, event::EventKind, role, step::SessionReport, text::commands};

use crate::run::Run;

/// What sessions lost.
#[derive(Default)]
pub(super) struct Background {
    /// In this iteration.
    in_iteration: Vec<String>,
    /// In the last session that worked.
    last: Vec<String>,
}

impl Background {
    /// Takes a session in.
    pub(super) fn observe(
        &mut self,
        run: &Run<'_>,
        (iteration, role): (u32, &str),
        session: &SessionReport,
    ) {
        let lost = &session.lost_background;
        if !lost.is_empty() {
            let commands = commands::listed(lost);
            let text = format!(
                "the {role}'s session ended while this was running in the background, and it was \
                 killed: {commands}"
            );
            run.note(iteration, EventKind::Noted { text });
        }
        if !role::must_answer(role) {
            self.last.clone_from(lost);
            self.in_iteration.extend(lost.iter().cloned());
        }
    }

    /// An iteration came to its end.
    pub(super) fn close(&mut self) {
        self.in_iteration.clear();
    }

    /// What was lost in this iteration.
    pub(super) fn lost_in_iteration(&self) -> &[String] {
        &self.in_iteration
    }

    /// What the last session that worked has lost.
    pub(super) fn lost_last(&self) -> &[String] {
        &self.last
    }

    /// A prompt with what was lost before, for one who works, where it fits.
    pub(super) fn told(&self, role: &str, prompt: String, limit: Option<usize>) -> String {
        match context::lost(&self.last).filter(|_| !role::must_answer(role)) {
            Some(lost) if prompt.len() + lost.len() + 2 <= limit.unwrap_or(usize::MAX) => {
                format!("{prompt}\n\n{lost}")
            }
            _ => prompt,
        }
    }
}
