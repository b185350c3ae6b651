//! What sessions and checks leave behind in the repository: looked at around each of them.

use std::{sync::Arc, time::Duration};

use tokio::sync::Mutex;
use windlass_core::{
    event::{Event, EventKind, LeftBehind, LeftBehindFound, Leftovers},
    ids::{LoopId, Place},
    step::{Step, StepResult},
    stop::StopLevel,
};
use windlass_repo::{state::Resumed, tree::TreeError};
use windlass_system::{process::aside, stop::Stop};

use super::{Listener, Worker, patience::unless_stopped};
use crate::{halt::Halt, workplace::Watched};

/// How long a loop that is killed waits for a last look.
const LAST_GLANCE: Duration = Duration::from_secs(1);

/// Watches what a loop's sessions leave behind.
pub(crate) struct LeftBehindWatch {
    watched: Watched,
    id: LoopId,
    state: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// How many sessions and checks run.
    running: u32,
    /// Whether the work tree was not looked at since the last of them.
    is_unscanned: bool,
    /// What was told so far.
    told: Leftovers,
    /// What of it was left before the state was taken down that is compared with.
    earlier: Vec<LeftBehind>,
}

impl Worker {
    /// Does one step, and takes down what is new of what was left behind in the repository.
    pub(crate) async fn perform_watched(
        &self,
        place: &Place,
        step: &Step,
        stop: &Stop,
        listener: Listener<'_>,
    ) -> Result<StepResult, Halt> {
        let journal = listener.journal();
        self.left_behind.before(step, stop).await;
        let result = self.perform(place, step, stop, listener).await;
        // However it went: what was left is there.
        if let Some(found) = self.left_behind.after(step, stop).await {
            journal.emit(EventKind::LeftBehind(found));
        }
        if matches!(step, Step::Session(_)) {
            let brings = Arc::clone(&self.brings);
            // It reads files, and in a large tree many directories.
            aside(move || brings.after_session()).await;
        }
        result
    }
}

impl LeftBehindWatch {
    pub(crate) fn new(watched: Watched, id: &LoopId) -> Self {
        Self { watched, id: id.clone(), state: Mutex::default() }
    }

    /// Begins, or goes on: what is to be told of earlier sessions.
    pub(crate) async fn start(&self, history: &[Event], stop: &Stop) -> Vec<EventKind> {
        let mut seen = self.state.lock().await;
        for event in history {
            if let EventKind::LeftBehind(found) = &event.kind {
                seen.told.apply(found);
            }
        }
        let resumed =
            self.unless_silent(stop, self.watched.resume(&self.id, !history.is_empty())).await;
        let Resumed { goes_on, entries, left_out, of } = resumed.unwrap_or_default();
        if !goes_on {
            seen.earlier = seen.told.entries.clone();
            seen.earlier.extend(entries.clone());
        }
        let now = if goes_on { entries } else { Vec::new() };
        let found = seen.tell(Leftovers { entries: now, left_out });
        let mut facts = Vec::new();
        if let (Some(of), Some(_)) = (of, &found) {
            let text =
                format!("the loop {of} was interrupted in this tree; its list is shown here");
            facts.push(EventKind::Noted { text });
        }
        facts.extend(found.map(EventKind::LeftBehind));
        facts
    }

    /// Takes the state down before a session or a check, unless another one runs. Where that fails,
    /// the one that was taken down before is compared with.
    async fn before(&self, step: &Step, stop: &Stop) {
        if changes_the_repository(step) {
            // All that was found is stored by now. Should this step be cut off, what it changed is not
            // taken for an agent's doing.
            self.close(stop).await;
        }
        if !runs_a_program(step) {
            return;
        }
        let mut seen = self.state.lock().await;
        if seen.running == 0 {
            self.unless_silent(stop, self.watched.begin(&self.id)).await.unwrap_or_default();
        }
        seen.running += 1;
    }

    /// What is new after a session, a check, or a look at the work tree.
    async fn after(&self, step: &Step, stop: &Stop) -> Option<LeftBehindFound> {
        let mut seen = self.state.lock().await;
        if runs_a_program(step) {
            seen.running = seen.running.saturating_sub(1);
            seen.is_unscanned = true;
        } else if matches!(step, Step::Snapshot { .. }) && seen.is_unscanned {
            seen.is_unscanned = false;
        } else {
            return None;
        }
        let now = self.unless_silent(stop, self.watched.compare(&self.id, false)).await;
        seen.is_unscanned |= now.is_none();
        seen.tell(now?)
    }

    /// What is new when everything has ended.
    pub(crate) async fn at_the_end(&self, stop: &Stop) -> Option<LeftBehindFound> {
        let mut seen = self.state.lock().await;
        let is_known = !seen.is_unscanned && seen.running == 0;
        if is_known || self.watched.is_silent() {
            return None;
        }
        let now = self.unless_silent(stop, self.watched.compare(&self.id, true)).await?;
        (seen.is_unscanned, seen.running) = (false, 0);
        seen.tell(now)
    }

    /// Everything was told, and is stored.
    pub(crate) async fn close(&self, stop: &Stop) {
        let seen = self.state.lock().await;
        // What could not be looked at is told when the loop is resumed, or by `gc`.
        if !seen.is_unscanned {
            self.unless_silent(stop, self.watched.close(&self.id)).await.unwrap_or_default();
        }
    }

    /// The answer, unless the loop is stopped and it takes long, or did so before.
    async fn unless_silent<T>(
        &self,
        stop: &Stop,
        work: impl Future<Output = Result<T, TreeError>>,
    ) -> Option<T> {
        if stop.level() >= StopLevel::End && self.watched.is_silent() {
            return None;
        }
        unless_stopped(stop, LAST_GLANCE, work).await?.ok()
    }
}

impl Seen {
    fn tell(&mut self, mut now: Leftovers) -> Option<LeftBehindFound> {
        now.entries.splice(0..0, self.earlier.iter().cloned());
        let found = self.told.until(&now)?;
        self.told.apply(&found);
        Some(found)
    }
}

fn runs_a_program(step: &Step) -> bool {
    matches!(step, Step::Session(_) | Step::Check(_))
}

/// Whether windlass itself, or a program of the user's, changes the repository.
fn changes_the_repository(step: &Step) -> bool {
    matches!(
        step,
        Step::Commit { .. }
            | Step::Conclude { .. }
            | Step::Advance(_)
            | Step::Hook(_)
            | Step::Head(_)
            | Step::Write { .. }
    )
}
