//! What is done in a container after a session: what was left is ended, and a container where that
//! fails is made anew. The next session and the checks find nothing of the one before.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::{
    Container, State, Visit,
    engine::{status, words},
    lifeline::Tidy,
};
use crate::process::StartError;

/// How long what was killed may take to be gone before the container is made anew.
const TO_DIE: Duration = Duration::from_secs(2);

/// How often one looks whether it is gone.
const LOOK: Duration = Duration::from_millis(10);

impl Container {
    /// Ends what a session has left inside. Returns when it is gone, if need be with a new container.
    pub(in crate::sandbox) async fn settle(&self, visit: Visit) -> Result<(), StartError> {
        let mut state = self.state.lock().await;
        let mark = visit.leave();
        let is_last = self.visits.is_empty();
        let what = if is_last { Tidy::All } else { Tidy::One(&mark) };
        let asked = match &mut state.lifeline {
            Some(lifeline) => lifeline.ask(what).await.ok(),
            None => None,
        };
        if let Some(killed) = asked {
            self.note_killed(killed, &mut state);
        }
        // As long as others are at work, what is left cannot be told from what they do.
        if !is_last || (asked.is_some() && self.is_quiet().await?) {
            return Ok(());
        }
        self.renew(&mut state).await
    }

    fn note_killed(&self, killed: u64, state: &mut State) {
        if killed > state.killed {
            let limit =
                self.plan.memory.map_or_else(|| "its".to_owned(), |limit| limit.to_string());
            self.notes.say(format!(
                "the memory limit of the container, {limit}, ended a process of the session; give it \
                 more with `--memory`"
            ));
        }
        state.killed = killed;
    }

    /// Whether nothing runs any more but the first process.
    async fn is_quiet(&self) -> Result<bool, StartError> {
        let begun = Instant::now();
        loop {
            match self.engine.count(&self.plan.name).await {
                Ok(..=1) => return Ok(true),
                Ok(_) if begun.elapsed() > TO_DIE => return Ok(false),
                Ok(_) => sleep(LOOK).await,
                // A container that is gone is quiet, but of no use.
                Err(error) if status(&error).is_some() => return Ok(false),
                Err(error) => return Err(self.lost(&words(&error))),
            }
        }
    }

    /// Takes a new container in the place of one that cannot be tidied up.
    async fn renew(&self, state: &mut State) -> Result<(), StartError> {
        state.lifeline = None;
        let removed = self.engine.remove(&self.plan.name).await;
        removed.map_err(|error| self.lost(&words(&error)))?;
        let lifeline = self.engine.make(&self.plan).await;
        *state = State {
            lifeline: Some(lifeline.map_err(|error| self.lost(&error.to_string()))?),
            killed: 0,
        };
        self.notes.say("the container could not be cleaned up and was recreated".to_owned());
        Ok(())
    }

    fn lost(&self, why: &str) -> StartError {
        StartError::Sandbox { why: format!("{} is lost: {why}", self.engine.name) }
    }
}
