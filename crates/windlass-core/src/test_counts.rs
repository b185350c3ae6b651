//! How many tests a check ran, and which of them failed.

use serde::{Deserialize, Serialize};

/// The tests of one check, or the sum over several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestCounts {
    pub passed: u32,
    /// Tests that failed, and files of tests that could not be loaded.
    pub failed: u32,
    /// Tests that did not run, or whose failure was expected.
    pub skipped: u32,
    /// The names of failing tests as the runner prints them: at most [`TestCounts::MOST_NAMES`], and
    /// fewer than `failed` where the runner does not name all.
    #[serde(default)]
    pub failing: Vec<String>,
}

impl TestCounts {
    /// How many names are kept.
    pub const MOST_NAMES: usize = 1000;

    /// How many tests ran to a verdict.
    pub fn ran(&self) -> u32 {
        self.passed.saturating_add(self.failed)
    }

    /// Adds the counts of another check.
    pub fn add(&mut self, other: &Self) {
        self.passed = self.passed.saturating_add(other.passed);
        self.failed = self.failed.saturating_add(other.failed);
        self.skipped = self.skipped.saturating_add(other.skipped);
        let room = Self::MOST_NAMES.saturating_sub(self.failing.len());
        self.failing.extend(other.failing.iter().take(room).cloned());
    }
}

impl<'a> std::iter::Sum<&'a TestCounts> for TestCounts {
    fn sum<I: Iterator<Item = &'a TestCounts>>(counts: I) -> Self {
        counts.fold(Self::default(), |mut sum, one| {
            sum.add(one);
            sum
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_several_checks_are_summed_and_names_are_capped() {
        let name = |n| format!("test {n}");
        let one = TestCounts {
            passed: 3,
            failed: 900,
            skipped: 1,
            failing: (0..900).map(name).collect(),
        };
        let two = TestCounts { passed: u32::MAX, failed: 900, ..one.clone() };
        let sum: TestCounts = [&one, &two].into_iter().sum();
        assert_eq!((sum.passed, sum.failed, sum.skipped), (u32::MAX, 1800, 2));
        assert_eq!(sum.failing.len(), TestCounts::MOST_NAMES);
        assert_eq!((sum.ran(), one.ran()), (u32::MAX, 903));
    }

    #[test]
    fn counts_are_stored_with_the_names_of_the_contract() {
        let counts =
            TestCounts { passed: 40, failed: 1, skipped: 0, failing: vec!["adds".to_owned()] };
        let json = serde_json::to_string(&counts).unwrap();
        assert_eq!(json, r#"{"passed":40,"failed":1,"skipped":0,"failing":["adds"]}"#);
        assert_eq!(serde_json::from_str::<TestCounts>(&json).unwrap(), counts);
    }
}
