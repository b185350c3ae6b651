//! Hears what an agent says while it works, and takes it down: the beginning and the end of it.

use std::collections::VecDeque;

use crate::{event::EventKind, ids::Place, journal::Journal, said::Said, store::Durability};

/// Of what an agent says, so much of the beginning and of the end is kept.
const KEPT: usize = 8 * 1024 * 1024;

/// Hears what an agent says while it works, and takes it down.
pub struct Listener<'a> {
    journal: &'a Journal,
    place: Place,
    /// How many bytes of the beginning may still be kept.
    room: usize,
    /// The end of what was said, once the beginning is full.
    end: VecDeque<Said>,
    end_bytes: usize,
    dropped: u64,
}

impl<'a> Listener<'a> {
    /// One for the session at that place.
    pub fn new(journal: &'a Journal, place: &Place) -> Self {
        let end = VecDeque::new();
        Self { journal, place: place.clone(), room: KEPT, end, end_bytes: 0, dropped: 0 }
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

    fn take_down(&self, said: Said) {
        let size = said.size();
        let kind = EventKind::AgentSaid { place: self.place.clone(), said };
        // A failure has turned the knob; the supervisor ends the session.
        let _ = self.journal.emit_said(kind, size);
    }

    pub(super) fn tick(&self, bytes: u64, last_line: String) {
        // A failure has turned the knob; the supervisor ends the session.
        let _ = self.journal.flush(Durability::Process);
        self.journal.show(EventKind::Ticked { place: self.place.clone(), bytes, last_line });
    }

    pub(super) fn finish(mut self) {
        if self.dropped > 0 {
            let text = format!("[windlass: {} bytes were said here and not kept]", self.dropped);
            self.take_down(Said::Raw { text });
        }
        for said in std::mem::take(&mut self.end) {
            self.take_down(said);
        }
    }
}
