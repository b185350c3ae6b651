//! Hears what an agent says while it works, and takes it down: the beginning and the end of it.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

use windlass_agents::json_lines;
use windlass_core::{
    event::EventKind,
    ids::Place,
    said::Said,
    secrets::Secrets,
    text::count::{agree, count},
};
use windlass_store::{journal::Journal, store::Durability};
use windlass_system::clock::Clock;

/// Of what an agent says, so much of the beginning and of the end is kept.
const KEPT: usize = 8 * 1024 * 1024;

/// Hears what an agent says while it works, and takes it down.
pub(crate) struct Listener<'a> {
    journal: &'a Journal,
    place: Place,
    /// How many bytes of the beginning may still be kept.
    room: usize,
    /// The end of what was said, once the beginning is full.
    end: VecDeque<Said>,
    end_bytes: usize,
    dropped: u64,
    secrets: Arc<Secrets>,
    /// Which kinds of words have come to the middle of a private key.
    in_key: BTreeSet<&'static str>,
}

impl<'a> Listener<'a> {
    /// One for the session at that place.
    pub(crate) fn new(journal: &'a Journal, place: &Place, secrets: &Arc<Secrets>) -> Self {
        Self {
            journal,
            place: place.clone(),
            room: KEPT,
            end: VecDeque::new(),
            end_bytes: 0,
            dropped: 0,
            secrets: Arc::clone(secrets),
            in_key: BTreeSet::new(),
        }
    }

    /// Where everything is taken down.
    pub(super) fn journal(&self) -> &'a Journal {
        self.journal
    }

    /// The clock that the loop goes by.
    pub(super) fn clock(&self) -> &'a Clock {
        self.journal.clock()
    }

    pub(super) fn hear(&mut self, said: Said) {
        let size = said.size();
        if size <= self.room {
            self.room -= size;
            self.take_down(said);
            return;
        }
        self.room = 0;
        self.end_bytes += size;
        self.end.push_back(said);
        while self.end_bytes > KEPT
            && let Some(oldest) = self.end.pop_front()
        {
            self.end_bytes -= oldest.size();
            self.dropped += oldest.size() as u64;
        }
    }

    fn take_down(&mut self, mut said: Said) {
        self.take_keys_out(&mut said);
        let size = said.size();
        let kind = EventKind::AgentSaid { place: self.place.clone(), said };
        // A failure has turned the knob; the supervisor ends the session.
        let _ = self.journal.emit_said(kind, size);
    }

    /// A private key may go on from piece to piece, each of which looks harmless.
    fn take_keys_out(&mut self, said: &mut Said) {
        let word = said.word();
        if let Said::Text { text } | Said::Raw { text } | Said::Stderr { text } = said {
            let mut in_key = self.in_key.remove(word);
            self.secrets.take_keys_out(text, &mut in_key);
            if in_key {
                self.in_key.insert(word);
            }
        }
    }

    pub(super) fn tick(&self, bytes: u64, last_line: String) {
        // A failure has turned the knob; the supervisor ends the session.
        let _ = self.journal.flush(Durability::Process);
        self.journal.show(EventKind::Ticked { place: self.place.clone(), bytes, last_line });
    }

    /// Tells people of a decoder that would understand more, once a loop.
    pub(super) fn suggest(&self, decoder: &str) {
        if self.place.iteration() <= 1 {
            self.journal.emit(EventKind::Noted { text: json_lines::told(decoder) });
        }
    }

    /// Has what was said so far written while something else is done.
    pub(super) fn write_meanwhile(&self) {
        self.journal.flush_meanwhile();
    }

    pub(super) fn finish(mut self) {
        if self.dropped > 0 {
            let (bytes, were) = (count(self.dropped, "byte"), agree(self.dropped, "was", "were"));
            let text = format!("[windlass: {bytes} {were} said here and not kept]");
            self.take_down(Said::Raw { text });
        }
        for said in std::mem::take(&mut self.end) {
            self.take_down(said);
        }
    }
}
