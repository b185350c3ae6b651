//! Some events of a loop in a row, written once for everybody who listens.

use std::fmt::Write as _;

use axum::body::Bytes;
use windlass_core::event::Event;

use crate::{host::failure::Failure, report::json};

/// Events in a row, as server-sent events: `id` is the number, `event` the type, and `data` what
/// `log --json` has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Batch {
    /// The number of the first.
    first: u64,
    /// Where each ends in the text.
    ends: Vec<usize>,
    text: Bytes,
}

impl Batch {
    /// The batch of events without a gap; `None` where there are none.
    pub(super) fn of(events: &[Event]) -> Result<Option<Self>, Failure> {
        let Some(first) = events.first().map(|event| event.seq) else { return Ok(None) };
        let mut text = String::new();
        let mut ends = Vec::with_capacity(events.len());
        for event in events {
            let data = json::line(event).map_err(Failure::output)?;
            let _ =
                write!(text, "id: {}\nevent: {}\ndata: {data}\n\n", event.seq, event.kind.word());
            ends.push(text.len());
        }
        Ok(Some(Self { first, ends, text: text.into() }))
    }

    /// The number of the last event.
    pub(super) fn last(&self) -> u64 {
        self.first + self.ends.len() as u64 - 1
    }

    /// Whether it goes on where somebody is who has seen the event `seen`.
    pub(super) fn follows(&self, seen: u64) -> bool {
        self.first <= seen + 1
    }

    /// What is new to somebody who has seen the event `seen`. Nothing is copied.
    pub(super) fn after(&self, seen: u64) -> Bytes {
        let known = usize::try_from((seen + 1).saturating_sub(self.first)).unwrap_or(usize::MAX);
        let from = match known {
            0 => 0,
            known => self.ends.get(known - 1).copied().unwrap_or(self.text.len()),
        };
        self.text.slice(from..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn an_event_has_its_number_its_type_and_one_line_of_data() {
        let events = samples::good();
        let batch = Batch::of(&events).unwrap().unwrap();
        let text = String::from_utf8(batch.after(0).to_vec()).unwrap();
        let first = text.split("\n\n").next().unwrap();
        let mut lines = first.lines();
        assert_eq!(lines.next(), Some("id: 1"));
        assert_eq!(lines.next(), Some("event: loop_started"));
        let data = lines.next().unwrap().strip_prefix("data: ").unwrap();
        assert_eq!(serde_json::from_str::<Event>(data).unwrap(), events[0]);
        assert_eq!(lines.next(), None);
        assert_eq!(text.matches("\n\n").count(), events.len());
    }

    #[test]
    fn who_has_seen_some_gets_the_rest() {
        let batch = Batch::of(&samples::good()[2..6]).unwrap().unwrap();
        let ids = |seen| {
            let text = String::from_utf8(batch.after(seen).to_vec()).unwrap();
            let ids = text.lines().filter_map(|line| line.strip_prefix("id: ")?.parse().ok());
            ids.collect::<Vec<u64>>()
        };
        assert_eq!(ids(2), [3, 4, 5, 6]);
        assert_eq!(ids(4), [5, 6]);
        assert_eq!(ids(6), Vec::<u64>::new());
        assert_eq!(ids(9), Vec::<u64>::new());
        assert_eq!(batch.last(), 6);
        assert!(batch.follows(2) && batch.follows(6) && !batch.follows(1));
    }

    #[test]
    fn words_of_agents_stay_in_their_line() {
        let batch = Batch::of(&samples::evil()).unwrap().unwrap();
        let text = String::from_utf8(batch.after(0).to_vec()).unwrap();
        for line in text.lines().filter(|line| !line.is_empty()) {
            let known = ["id: ", "event: ", "data: "].iter().any(|word| line.starts_with(word));
            assert!(known, "{line}");
        }
        assert!(!text.contains('\r'));
    }
}
