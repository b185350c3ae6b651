//! A check held against what it said before the loop: which failures are known, whether tests that
//! passed fail now, and whether fewer of them run.

use std::collections::BTreeSet;

use windlass_core::{
    proof_record::Doubt, step::CheckReport, test_counts::TestCounts, text::count::count,
};

/// The failing tests of a check, if every one of them failed before the loop too and has a name. A
/// check whose output cannot be read has no known failures.
pub fn known_failures(before: Option<&CheckReport>, now: &CheckReport) -> Option<Vec<String>> {
    let (before, tests) = (named(before?)?, named(now)?);
    let known: BTreeSet<&String> = before.failing.iter().collect();
    let is_known = tests.failed > 0 && tests.failing.iter().all(|name| known.contains(name));
    (is_known && !now.timed_out).then(|| tests.failing.clone())
}

/// Whether something fails that passed before the loop. Without a baseline nobody knows.
pub fn has_new_failure(before: Option<&CheckReport>, now: &CheckReport) -> bool {
    let Some(before) = before else { return false };
    if now.passed || before.passed {
        return before.passed && !now.passed;
    }
    match (&before.tests, &now.tests) {
        (Some(then), Some(now)) => {
            let known: BTreeSet<&String> = then.failing.iter().collect();
            now.failing.iter().any(|name| !known.contains(name))
        }
        _ => false,
    }
}

/// How many tests ran before the loop, if a check passes now without running any.
pub fn ran_no_test(before: Option<&CheckReport>, now: &CheckReport) -> Option<u32> {
    let ran = before?.tests.as_ref()?.ran();
    let runs = now.tests.as_ref().map_or(0, TestCounts::ran);
    (now.passed && ran > 0 && runs == 0).then_some(ran)
}

/// Whether a check that fails does so although every test passes, and no fewer than ran before the loop:
/// it asks for more than its tests, such as a share of code that they cover.
pub fn all_tests_pass(before: Option<&CheckReport>, now: &CheckReport) -> bool {
    let counts = before.and_then(|before| before.tests.as_ref()).zip(now.tests.as_ref());
    counts.is_some_and(|(then, tests)| {
        let is_clean = !now.timed_out && now.first_error.is_none() && tests.failed == 0;
        is_clean && then.ran() > 0 && tests.passed >= then.ran()
    })
}

/// Doubts about the tests of a check that passes: fewer run, or more are skipped.
pub fn doubts(before: Option<&CheckReport>, now: &CheckReport) -> Vec<Doubt> {
    let counts = before.and_then(|before| before.tests.as_ref()).zip(now.tests.as_ref());
    let Some((then, tests)) = counts else { return Vec::new() };
    let command = &now.command;
    let fewer = (tests.ran() < then.ran()).then(|| {
        let (ran, run) = (then.ran(), tests.ran());
        format!("`{command}` runs {}, and ran {ran} before the loop", count(run, "test"))
    });
    let skipped = (tests.skipped > then.skipped).then(|| {
        let (skips, skipped) = (tests.skipped, then.skipped);
        format!("`{command}` skips {}, and skipped {skipped} before the loop", count(skips, "test"))
    });
    let fewer = fewer.map(|reason| Doubt::new("fewer-tests", None, reason));
    let skipped = skipped.map(|reason| Doubt::new("skipped-tests", None, reason));
    fewer.into_iter().chain(skipped).collect()
}

/// The tests of a check, if it names all that fail.
fn named(report: &CheckReport) -> Option<&TestCounts> {
    let tests = report.tests.as_ref()?;
    (usize::try_from(tests.failed) == Ok(tests.failing.len())).then_some(tests)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(passed: u32, failing: &[&str], skipped: u32) -> CheckReport {
        let failing: Vec<String> = failing.iter().map(|name| (*name).to_owned()).collect();
        let failed = u32::try_from(failing.len()).unwrap();
        let mut report = unread(failed == 0);
        report.tests = Some(TestCounts { passed, failed, skipped, failing });
        report
    }

    #[test]
    fn a_check_that_asks_for_more_than_its_tests_is_told_from_one_whose_tests_fail() {
        let before = check(2, &["a"], 0);
        let failing = |mut report: CheckReport| {
            report.passed = false;
            report
        };
        assert!(all_tests_pass(Some(&before), &failing(check(3, &[], 0))));
        assert!(!all_tests_pass(Some(&before), &failing(check(2, &[], 1))), "fewer pass");
        assert!(!all_tests_pass(Some(&before), &failing(check(3, &["a"], 0))), "one fails");
        assert!(!all_tests_pass(Some(&before), &unread(false)), "nobody knows");
        assert!(!all_tests_pass(None, &failing(check(3, &[], 0))), "nothing to compare with");
    }

    fn unread(passed: bool) -> CheckReport {
        CheckReport {
            passed,
            command: "make".to_owned(),
            ..CheckReport::of_protected(String::new())
        }
    }

    #[test]
    fn failures_are_known_if_all_of_them_have_names_that_failed_before() {
        let before = check(3, &["a", "b"], 0);
        let known = |now: &CheckReport| known_failures(Some(&before), now);
        assert_eq!(known(&check(4, &["b"], 0)), Some(vec!["b".to_owned()]));
        assert_eq!(known(&check(3, &["b", "c"], 0)), None);
        assert_eq!(known(&check(5, &[], 0)), None);
        assert_eq!(known(&unread(false)), None);
        let mut unnamed = check(3, &["b"], 0);
        unnamed.tests.as_mut().unwrap().failed = 2;
        assert_eq!(known(&unnamed), None);
        assert_eq!(known_failures(Some(&unread(false)), &check(4, &["b"], 0)), None);
        assert_eq!(known_failures(None, &check(4, &["b"], 0)), None);
    }

    #[test]
    fn a_failure_is_new_if_the_check_or_the_test_did_not_fail_before() {
        let new = |before: &CheckReport, now: &CheckReport| has_new_failure(Some(before), now);
        assert!(new(&check(5, &[], 0), &check(4, &["a"], 0)));
        assert!(new(&unread(true), &unread(false)));
        assert!(new(&check(4, &["a"], 0), &check(4, &["b"], 0)));
        assert!(!new(&check(4, &["a"], 0), &check(4, &["a"], 0)));
        assert!(!new(&unread(false), &unread(false)));
        assert!(!new(&unread(true), &unread(true)));
        assert!(!has_new_failure(None, &unread(false)));
    }

    #[test]
    fn a_check_that_passes_without_a_test_is_told_from_one_that_never_ran_any() {
        let before = check(4, &["a"], 0);
        assert_eq!(ran_no_test(Some(&before), &check(0, &[], 5)), Some(5));
        assert_eq!(ran_no_test(Some(&before), &unread(true)), Some(5));
        assert_eq!(ran_no_test(Some(&before), &check(1, &[], 0)), None);
        assert_eq!(ran_no_test(Some(&before), &unread(false)), None);
        assert_eq!(ran_no_test(Some(&unread(true)), &unread(true)), None);
    }

    #[test]
    fn fewer_tests_and_more_that_are_skipped_are_doubts() {
        let told = |before: &CheckReport, now: &CheckReport| -> Vec<String> {
            doubts(Some(before), now).into_iter().map(|doubt| doubt.reason).collect()
        };
        assert_eq!(
            told(&check(5, &[], 0), &check(1, &[], 1)),
            [
                "`make` runs 1 test, and ran 5 before the loop",
                "`make` skips 1 test, and skipped 0 before the loop"
            ]
        );
        assert!(told(&check(5, &[], 2), &check(6, &[], 2)).is_empty());
        assert!(told(&unread(true), &check(1, &[], 1)).is_empty());
    }
}
