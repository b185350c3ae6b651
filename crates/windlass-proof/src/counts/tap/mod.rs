//! TAP in its three forms: the tests themselves, what `prove` makes of them, and the totals that Node and
//! tape print after them. They may tell of the same tests, so they are not added up: the one that tells
//! of failures is taken, and of equal ones that with the most detail.

mod prove;
mod raw;
mod totals;

use windlass_core::test_counts::TestCounts;

use self::{prove::Prove, raw::Raw, totals::Totals};
use super::{Reader, runs::Reading};

#[derive(Default)]
pub(super) struct Tap {
    raw: Raw,
    prove: Prove,
    totals: Totals,
}

impl Reader for Tap {
    fn line(&mut self, line: &str) {
        self.raw.line(line);
        self.prove.line(line);
        self.totals.line(line);
    }

    fn finish(self: Box<Self>) -> Reading {
        let raw = self.raw.finish();
        let prove = self.prove.finish();
        let totals = self.totals.finish();
        let is_unfinished = raw.is_unfinished || prove.is_unfinished || totals.is_unfinished;
        // The first of equal ones is taken.
        let mut best: Option<TestCounts> = None;
        for counts in [totals.counts, prove.counts, raw.counts].into_iter().flatten() {
            if best.as_ref().is_none_or(|best| best.failed == 0 && counts.failed > 0) {
                best = Some(counts);
            }
        }
        Reading { counts: best, is_unfinished }
    }
}
