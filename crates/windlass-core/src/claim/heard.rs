//! What was heard of a promise so far.

use super::{
    near_miss::{NearMiss, Why},
    sentence::Stands,
};

/// What was heard so far, line by line.
#[derive(Clone, Debug, Default)]
pub(super) struct Heard {
    alone: Option<String>,
    at_end: Option<String>,
    near: Option<NearMiss>,
}

impl Heard {
    /// A line with a promise.
    pub(super) fn promise(&mut self, stands: Stands, line: &str) {
        self.other_line();
        let line = line.trim();
        match stands {
            Stands::Alone => self.alone = Some(line.to_owned()),
            Stands::AtEnd => self.at_end = Some(line.to_owned()),
            Stands::Not(why) => self.miss(why, line),
        }
    }

    /// A line without one, which is not blank: a promise at the end of an earlier one was not at
    /// the end of the last.
    pub(super) fn other_line(&mut self) {
        if let Some(line) = self.at_end.take() {
            self.miss(Why::NotTheLastLine, &line);
        }
    }

    /// Words that do not count.
    pub(super) fn miss(&mut self, why: Why, line: &str) {
        self.near = Some(NearMiss::new(why, line));
    }

    /// Whether the next line that is not blank matters.
    pub(super) fn waits(&self) -> bool {
        self.at_end.is_some()
    }

    /// The promise, and the last near miss.
    pub(super) fn finish(self) -> (Option<String>, Option<NearMiss>) {
        (self.alone.or(self.at_end), self.near)
    }
}
