//! What an agent says is written while it goes on talking.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use windlass_core::{
    event::{Event, EventKind},
    ids::{LoopId, Place},
    stop::StopLevel,
};
use windlass_store::{
    journal::{Journal, JournalFailed},
    report::Reporter,
    store::{Durability, Store},
};
use windlass_system::{ownership::Owner, stop::Stop};

use super::script::{new_loop, session_started, started, text};

/// More words than are written one by one.
const WORDS: u64 = 3000;

/// A loop whose agent has just started to talk.
struct Talk {
    home: tempfile::TempDir,
    id: LoopId,
    place: Place,
    journal: Journal,
    stop: Stop,
    shown: Arc<Mutex<Vec<u64>>>,
}

/// Remembers what it is shown.
struct Watcher(Arc<Mutex<Vec<u64>>>);

impl Reporter for Watcher {
    fn report(&mut self, event: &Event) -> std::io::Result<()> {
        self.0.lock().unwrap().push(event.seq);
        Ok(())
    }
}

impl Talk {
    fn begin() -> Self {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).unwrap();
        let new = new_loop("talks", home.path());
        let epoch = store.create_loop(&new).unwrap();
        let (stop, shown) = (Stop::default(), Arc::default());
        let journal = Journal::new(store, new.id.clone(), epoch, 0, stop.clone());
        journal.add_reporter(Box::new(Watcher(Arc::clone(&shown))));
        let place = Place::from("1/agent".to_owned());
        journal.emit(started());
        journal.emit(EventKind::IterationStarted { iteration: 1 });
        journal.emit(session_started(&place, "go"));
        journal.flush(Durability::Power).unwrap();
        Self { home, id: new.id, place, journal, stop, shown }
    }

    fn say(&self, words: u64) -> Result<(), JournalFailed> {
        (0..words).try_for_each(|n| {
            let words = text(&self.place, &format!("word {n}"));
            self.journal.emit_said(words, 10)
        })
    }

    /// The number of the last event that another process sees.
    fn last_stored(&self) -> u64 {
        let store = Store::open(self.home.path()).unwrap();
        store.events(&self.id, 0, usize::MAX).unwrap().last().map_or(0, |event| event.seq)
    }
}

#[track_caller]
fn wait_until(condition: impl Fn() -> bool) {
    let begin = Instant::now();
    while !condition() {
        assert!(begin.elapsed() < Duration::from_secs(20), "it never came");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn many_words_are_written_and_shown_without_anybody_waiting_for_it() {
    let talk = Talk::begin();
    talk.say(WORDS).unwrap();
    wait_until(|| talk.last_stored() > WORDS - 500);
    talk.journal.flush(Durability::Process).unwrap();
    assert_eq!(*talk.shown.lock().unwrap(), (1..=3 + WORDS).collect::<Vec<_>>());
    assert_eq!(talk.last_stored(), 3 + WORDS);
}

#[test]
fn a_fact_that_comes_after_the_words_is_not_written_with_them() {
    let talk = Talk::begin();
    talk.say(200).unwrap();
    talk.journal.flush_meanwhile();
    talk.journal.emit(EventKind::IterationStarted { iteration: 2 });
    let store = talk.journal.into_store();
    let events = store.events(&talk.id, 0, usize::MAX).unwrap();
    assert_eq!(events.last().unwrap().seq, 203);
}

#[test]
fn whoever_lost_the_loop_learns_it_from_what_was_written_meanwhile() {
    let talk = Talk::begin();
    let other = Store::open(talk.home.path()).unwrap();
    other.take_over(&talk.id, &Owner::this_process()).unwrap();
    // A later word may be the one that hears of it.
    let _ = talk.say(WORDS);
    wait_until(|| talk.stop.level() == StopLevel::End);
    assert_eq!(talk.journal.flush(Durability::Process), Err(JournalFailed));
    let failure = talk.journal.take_failure().unwrap().to_string();
    assert!(failure.contains("another"), "{failure}");
    assert_eq!(talk.last_stored(), 3);
}
