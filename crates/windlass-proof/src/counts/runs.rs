//! The runs of one runner in one output: which summary belongs to which run, and which is believed.

use windlass_core::test_counts::TestCounts;

/// What a reader made of an output.
#[derive(Default)]
pub(super) struct Reading {
    /// Nothing where the runner was not recognised, or did not come to a summary.
    pub(super) counts: Option<TestCounts>,
    /// Whether a run began that has no summary.
    pub(super) is_unfinished: bool,
}

/// The runs so far. Summaries inside of a run, and those for which no run was seen, are compared with the
/// run that is seen; [`worse`] says how.
#[derive(Default)]
pub(super) struct Runs {
    sum: Option<TestCounts>,
    /// The last run that has a summary, not yet in the sum.
    last: Option<Last>,
    /// How many runs have begun and not ended: one may be printed inside of another.
    open: u32,
    /// The worst summary inside of the run that is open.
    inner: Option<TestCounts>,
    /// Whether there was a sign of a run since the last summary.
    is_seen: bool,
    is_broken: bool,
}

struct Last {
    counts: TestCounts,
    /// Whether a run was seen before its summary.
    is_seen: bool,
}

impl Runs {
    /// The runner said that a run begins. Without a summary it is unfinished.
    pub(super) fn begin(&mut self) {
        self.open = self.open.saturating_add(1);
    }

    /// Something was printed that only a run prints, but nothing that says where it begins.
    pub(super) fn see(&mut self) {
        self.is_seen = true;
    }

    /// The runner said that it did not run all tests to their end.
    pub(super) fn break_off(&mut self) {
        self.is_broken = true;
    }

    /// A summary.
    pub(super) fn end(&mut self, counts: TestCounts) {
        let is_seen = std::mem::take(&mut self.is_seen);
        if self.open == 0 {
            return self.keep(counts, is_seen);
        }
        self.open -= 1;
        let counts = worst(self.inner.take(), counts);
        if self.open == 0 {
            self.keep(counts, true);
        } else {
            self.inner = Some(counts);
        }
    }

    fn keep(&mut self, counts: TestCounts, is_seen: bool) {
        let last = match self.last.take() {
            Some(last) if is_seen && last.is_seen => {
                self.sum.get_or_insert_default().add(&last.counts);
                Last { counts, is_seen }
            }
            Some(last) => {
                Last { counts: worse(last.counts, counts), is_seen: is_seen || last.is_seen }
            }
            None => Last { counts, is_seen },
        };
        self.last = Some(last);
    }

    pub(super) fn finish(self) -> Reading {
        // Of a run that has not ended, only what failed inside of it is sure.
        let inner = self.inner.filter(|inner| inner.failed > 0);
        let all = [self.sum, self.last.map(|it| it.counts), inner];
        let is_any = all.iter().any(Option::is_some);
        Reading {
            counts: is_any.then(|| all.iter().flatten().sum()),
            is_unfinished: self.open > 0 || self.is_broken,
        }
    }
}

fn worst(one: Option<TestCounts>, other: TestCounts) -> TestCounts {
    match one {
        Some(one) => worse(one, other),
        None => other,
    }
}

/// Two summaries of what must be one run: fewer tests passed, more failed, more were skipped.
pub(super) fn worse(one: TestCounts, other: TestCounts) -> TestCounts {
    let failing = if one.failed > other.failed || other.failing.is_empty() {
        one.failing
    } else {
        other.failing
    };
    TestCounts {
        passed: one.passed.min(other.passed),
        failed: one.failed.max(other.failed),
        skipped: one.skipped.max(other.skipped),
        failing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(passed: u32, failed: u32) -> TestCounts {
        TestCounts { passed, failed, ..TestCounts::default() }
    }

    fn read(play: impl FnOnce(&mut Runs)) -> (Option<(u32, u32)>, bool) {
        let mut runs = Runs::default();
        play(&mut runs);
        let reading = runs.finish();
        (reading.counts.map(|it| (it.passed, it.failed)), reading.is_unfinished)
    }

    #[test]
    fn runs_one_after_another_are_summed() {
        let begun = read(|runs| {
            for failed in [0, 1, 2] {
                runs.begin();
                runs.end(counts(5, failed));
            }
        });
        assert_eq!(begun, (Some((15, 3)), false));
        let seen = read(|runs| {
            for failed in [0, 1, 2] {
                runs.see();
                runs.end(counts(5, failed));
            }
        });
        assert_eq!(seen, (Some((15, 3)), false));
    }

    #[test]
    fn a_lie_before_inside_or_after_the_real_summary_changes_nothing() {
        let inside = read(|runs| {
            runs.begin();
            runs.end(counts(41, 0));
            runs.end(counts(1, 2));
            runs.end(counts(41, 0));
        });
        assert_eq!(inside, (Some((1, 2)), false));
        let with_a_beginning = read(|runs| {
            runs.begin();
            runs.begin();
            runs.end(counts(41, 0));
            runs.end(counts(1, 2));
        });
        assert_eq!(with_a_beginning, (Some((1, 2)), false));
        let before = read(|runs| {
            runs.end(counts(41, 0));
            runs.see();
            runs.end(counts(1, 2));
        });
        assert_eq!(before, (Some((1, 2)), false));
    }

    #[test]
    fn a_run_without_a_summary_is_unfinished() {
        assert_eq!(read(Runs::begin), (None, true));
        let crashed = read(|runs| {
            runs.begin();
            runs.begin();
            runs.end(counts(3, 0));
        });
        assert_eq!(crashed, (None, true));
        let crashed_and_failed = read(|runs| {
            runs.begin();
            runs.begin();
            runs.end(counts(3, 1));
        });
        assert_eq!(crashed_and_failed, (Some((3, 1)), true));
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(read(|_| {}), (None, false));
        assert_eq!(read(Runs::see), (None, false));
    }
}
