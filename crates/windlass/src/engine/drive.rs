//! Brings a loop from wherever it is to its ending. There is one way out, whatever the way was.

use std::{path::PathBuf, time::Duration};

use serde_json::json;
use windlass_core::{
    ending::{CancelledBy, Ending},
    event::{Event, EventKind},
    ids::{LoopId, Place},
    options::{Moment, Rules},
    process::Survivor,
    result::LoopResult,
    rules::{self, AGENT_FAILING, MAX_ITERATIONS, RuleBook},
    stop::{StopLevel, StopReason},
};
use windlass_store::{
    journal::Journal,
    report::Reporter,
    store::{Durability, Request, Store, StoreError},
};
use windlass_system::{
    ownership::{Doorbell, Lock},
    stop::Stop,
};

use super::{LoopError, error::error_ending};
use crate::{
    halt::Halt,
    identity::LoopIdentity,
    kind::Kind,
    perform::{Arrival, Worker},
    run::{Past, Run},
};

/// A loop that is ready to run, and everything it holds while it does.
pub(super) struct Ready {
    pub(super) id: LoopId,
    pub(super) home: PathBuf,
    pub(super) kind: Kind,
    pub(super) named: LoopIdentity,
    pub(super) worker: Worker,
    pub(super) store: Store,
    pub(super) epoch: u64,
    pub(super) last_seq: u64,
    pub(super) history: Vec<Event>,
    /// What is taken down first: that the loop was started or resumed, and notes about it.
    pub(super) opening: Vec<EventKind>,
    pub(super) reporters: Vec<Box<dyn Reporter>>,
    pub(super) stop: Stop,
    /// Held until the last process is gone.
    pub(super) locks: Vec<Lock>,
}

/// How often requests are looked for even if nobody rings.
const LOOK_AROUND: Duration = Duration::from_secs(1);

/// Runs a loop that is ready.
pub(super) async fn run(ready: Ready) -> Result<LoopResult, LoopError> {
    let Ready { id, home, kind, named, worker, store, epoch, last_seq, .. } = ready;
    let stop = ready.stop;
    let journal = Journal::new(store, id.clone(), epoch, last_seq, stop.clone());
    journal.set_secrets(&worker.secrets);
    ready.reporters.into_iter().for_each(|reporter| journal.add_reporter(reporter));
    let book = RuleBook::new(&kind.rules(), kind.protocol());
    journal.set_rules(book, &ready.history);
    let mut past = Past::of(&ready.history);
    past.note_changes(&ready.opening);
    ready.opening.into_iter().for_each(|fact| journal.emit(fact));

    let resumed_in = last_iteration(&ready.history);
    let run = Run::new(&worker, &journal, &named, stop.clone(), past);
    let driven = async {
        for fact in worker.left_behind.start(&ready.history, &stop).await {
            journal.emit(fact);
        }
        journal.flush(Durability::Power)?;
        let is_apart = matches!(worker.arrival, Arrival::Apart { .. });
        if let Some(iteration) = resumed_in.filter(|_| !is_apart) {
            // What an interrupted session changed stays, and is seen.
            let place = Place::new(iteration, format_args!("resumed/{epoch}"));
            run.look(place, None, None).await?;
        }
        let began = Place::new(0, "on/loop_start");
        run.hook(began, Moment::LoopStart, json!({"type": "loop_started"})).await?;
        kind.drive(&run, &named).await
    };
    let ended = tokio::select! {
        // A signal is shown before the loop acts on it.
        biased;
        never = tell_stop(&journal, &stop) => match never {},
        ended = driven => ended,
        never = listen(&journal, &home, &id, &stop) => match never {},
        never = take_notes(&journal, &worker) => match never {},
    };
    let ending = ending(ended, &journal, &stop, &kind.common().rules);
    let ending = with_login(ending, worker.login());
    let last = Place::new(resumed_in.unwrap_or(0), format_args!("on/loop_end/{epoch}"));
    let event = json!({"type": "loop_finished", "ending": ending});
    // However it goes, the loop is over; what went wrong is noted.
    drop(run.hook(last, Moment::LoopEnd, event).await);
    for text in worker.sandboxes.close().await {
        journal.emit(EventKind::Noted { text });
    }
    let ending = end_processes(&worker, ending).await;
    run.look_last(epoch).await;
    if let Some(found) = worker.left_behind.at_the_end(&stop).await {
        journal.emit(EventKind::LeftBehind(found));
    }
    journal.emit(EventKind::LoopFinished { ending });
    let stored = journal.flush(Durability::Power);
    if stored.is_ok() {
        worker.left_behind.close(&stop).await;
    }
    worker.guardian.close().await;
    drop(ready.locks);
    match (stored, journal.take_failure()) {
        (Ok(()), _) => (),
        (Err(_), Some(failure)) => return Err(failure.into()),
        (Err(_), None) => {
            return Err(
                StoreError::Other { why: "it stopped for no known reason".to_owned() }.into()
            );
        }
    }
    let store = journal.into_store();
    let record = store
        .get(&id)?
        .ok_or_else(|| StoreError::Other { why: format!("loop {id} is not in it any more") })?;
    Ok(store.result(&record)?)
}

fn last_iteration(history: &[Event]) -> Option<u32> {
    history.iter().rev().find_map(|event| match &event.kind {
        EventKind::IterationStarted { iteration } => Some(*iteration),
        _ => None,
    })
}

/// Whatever still runs is ended before the loop's ending is told.
async fn end_processes(worker: &Worker, ending: Ending) -> Ending {
    let survivors = worker.guardian.end_all(worker.pace.grace.0).await;
    match ending {
        ending if survivors.is_empty() => ending,
        // It names those that were left before; some of them may have gone since.
        ending @ Ending::Error { code: 8, .. } => ending,
        _ => error_ending(Survivor::listed(&survivors), 8),
    }
}

/// Takes down what the sandboxes have to tell.
async fn take_notes(journal: &Journal, worker: &Worker) -> std::convert::Infallible {
    loop {
        let text = worker.sandboxes.note().await;
        journal.emit(EventKind::Noted { text });
    }
}

/// Tells at once that a signal stops the loop; what `windlass cancel` asks is told where it is heard.
async fn tell_stop(journal: &Journal, stop: &Stop) -> std::convert::Infallible {
    for (level, word) in [(StopLevel::End, "end"), (StopLevel::Kill, "kill")] {
        stop.reached(level).await;
        if let Some(StopReason::Cancelled(by)) = stop.state().reason
            && by != CancelledBy::Request
        {
            let (level, by) = (word.to_owned(), by.word().to_owned());
            journal.emit(EventKind::StopRequested { level, by });
        }
    }
    std::future::pending().await
}

/// Hears what other processes ask of the loop.
async fn listen(
    journal: &Journal,
    home: &std::path::Path,
    id: &LoopId,
    stop: &Stop,
) -> std::convert::Infallible {
    // Without a bell, which a strange file system may not allow, requests are seen a little later.
    let bell = Doorbell::hang(home, id).ok();
    loop {
        match &bell {
            Some(bell) => {
                drop(tokio::time::timeout(LOOK_AROUND, bell.rung()).await);
            }
            None => tokio::time::sleep(LOOK_AROUND).await,
        }
        for request in journal.requests() {
            let (level, word) = match request {
                Request::CancelAfterIteration => (StopLevel::AfterIteration, "after_iteration"),
                Request::Cancel => (StopLevel::End, "end"),
            };
            journal.emit(EventKind::StopRequested {
                level: word.to_owned(),
                by: "request".to_owned(),
            });
            if level == StopLevel::End {
                stop.press(CancelledBy::Request);
            } else {
                stop.raise(level, StopReason::Cancelled(CancelledBy::Request));
            }
        }
    }
}

/// The ending that a loop has come to, by whatever way out.
fn ending(ended: Result<Ending, Halt>, journal: &Journal, stop: &Stop, limits: &Rules) -> Ending {
    let halt = match ended {
        Ok(ending) => return ending,
        Err(halt) => halt,
    };
    match (halt, stop.state().reason) {
        (Halt::Ended(ending), _) => ending,
        (Halt::Failed { message, code }, _) => error_ending(message, code),
        (Halt::Stopped, Some(StopReason::Cancelled(by))) => Ending::Cancelled { by },
        (Halt::Stopped, Some(StopReason::Tripped)) => tripped(journal, limits),
        (Halt::Journal, _) | (Halt::Stopped, Some(StopReason::Journal)) => {
            error_ending("the store failed".to_owned(), 6)
        }
        (Halt::Stopped, None) => error_ending("the loop stopped for no reason".to_owned(), 70),
    }
}

/// Adds what signs the agent in, where it failed because its credentials were not accepted.
fn with_login(ending: Ending, login: Option<&str>) -> Ending {
    match ending {
        Ending::AgentFailed { reason, login: None } => {
            Ending::AgentFailed { reason, login: login.map(str::to_owned) }
        }
        ending => ending,
    }
}

/// Which ending the rules that tripped come to.
fn tripped(journal: &Journal, limits: &Rules) -> Ending {
    let trips = journal.trips();
    let Some(trip) = rules::deciding(&trips) else {
        return error_ending("a rule tripped and left no trace".to_owned(), 70);
    };
    let (reason, undecided) = (trip.reason.clone(), trip.undecided.clone());
    match (trip.rule, rules::kind_of(trip.rule)) {
        (MAX_ITERATIONS, _) => Ending::MaxIterations { limit: limits.max_iterations, left: None },
        (AGENT_FAILING, _) => Ending::agent_failed(reason),
        (_, Some(kind)) => Ending::Budget { kind, reason, limit: limits.budget(kind) },
        (rule, None) => Ending::Rule { rule: rule.to_owned(), reason, undecided },
    }
}
