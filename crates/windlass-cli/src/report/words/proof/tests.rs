//! Every word about a proof, with numbers that agree.

use insta::assert_snapshot;
use windlass_core::{proof_record::Confidence, step::guarded::GuardedHow};

use super::*;

fn counts(passed: u32, failed: u32) -> TestCounts {
    TestCounts { passed, failed, ..TestCounts::default() }
}

fn check(passed: bool, tests: Option<TestCounts>) -> BaselineCheck {
    BaselineCheck { command: "cargo test".to_owned(), passed, tests }
}

fn counted_from(before: Option<u32>, first: Option<u32>, now: TestCounts) -> TestsCounted {
    TestsCounted {
        iteration: 1,
        command: "cargo test".to_owned(),
        tests: now,
        failed_at_baseline: first,
        failed_before: before,
    }
}

#[test]
fn the_baseline_says_how_many_tests_fail() {
    let checks = vec![
        check(false, Some(counts(38, 3))),
        check(false, Some(counts(40, 1))),
        check(true, Some(counts(41, 0))),
        check(true, Some(counts(1, 0))),
        check(true, Some(counts(0, 0))),
        check(false, Some(counts(41, 0))),
        check(false, None),
        check(true, None),
    ];
    let taken = BaselineTaken { state: BaselineState::Failed, checks, reason: None };
    assert_snapshot!(baseline(&taken).join("\n"), @"
    baseline: cargo test: 3 of 41 fail
    baseline: cargo test: 1 of 41 fails
    baseline: cargo test: all 41 pass
    baseline: cargo test: 1 test passes
    baseline: cargo test: no test ran
    baseline: cargo test: fails, its 41 tests pass
    baseline: cargo test: fails
    baseline: cargo test: passes
    ");
    assert_eq!(baseline_warning(&taken), None);
}

#[test]
fn a_baseline_that_did_not_run_says_why_and_one_that_passed_warns() {
    let reason = Some("the checks took longer than `--baseline-timeout 5m`".to_owned());
    let taken = BaselineTaken { reason, ..BaselineTaken::default() };
    assert_snapshot!(baseline(&taken).join("\n"), @"baseline not run: the checks took longer than `--baseline-timeout 5m`");
    assert_eq!(baseline(&BaselineTaken::default()), ["baseline not run"]);
    let one = vec![check(true, None)];
    let passed = |checks| BaselineTaken { state: BaselineState::Passed, checks, reason: None };
    assert_snapshot!(baseline_warning(&passed(one.clone())).unwrap(), @"the check already passes, so it cannot show when the work is done; add a `--check` that fails until it is");
    assert_snapshot!(baseline_warning(&passed([one.clone(), one].concat())).unwrap(), @"all checks already pass, so they cannot show when the work is done; add a `--check` that fails until it is");
}

#[test]
fn progress_is_told_against_the_last_count() {
    let told = [
        counted_from(Some(3), Some(3), counts(40, 1)),
        counted_from(Some(3), Some(3), counts(41, 0)),
        counted_from(Some(2), Some(3), counts(40, 1)),
        counted_from(Some(0), Some(3), counts(39, 2)),
        counted_from(None, Some(3), counts(40, 1)),
        counted_from(None, None, counts(40, 1)),
        counted_from(None, None, counts(41, 0)),
        counted_from(Some(0), Some(0), counts(41, 0)),
    ];
    let told: Vec<String> = told.iter().map(counted_in_all).collect();
    assert_snapshot!(told.join("\n"), @"
    cargo test: 3 → 1 failing
    cargo test: 3 → 0 failing
    cargo test: 2 → 1 failing (3 failed at first)
    cargo test: 0 → 2 failing (3 failed at first)
    cargo test: 3 → 1 failing
    cargo test: 1 of 41 fails
    cargo test: all 41 pass
    cargo test: all 41 pass
    ");
}

#[test]
fn what_is_guarded_is_told_in_a_line() {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let report = GuardReport {
        tests: 12,
        others: names(&["conftest.py", "pytest.ini"]),
        others_count: 2,
        shared: names(&["pyproject.toml"]),
        locked: Vec::new(),
        notes: Vec::new(),
    };
    let many = GuardReport {
        tests: 1,
        others: names(&["a", "b", "c", "d", "e", "f"]),
        others_count: 40,
        shared: names(&["Makefile", "package.json"]),
        locked: names(&["vendor/t.rs: it is in a submodule"]),
        notes: names(&["tests/big.bin is only watched: it has 20 MiB"]),
    };
    let lines = [guarded(&report), guarded(&many), guarded(&GuardReport::default())].concat();
    assert_snapshot!(lines.join("\n"), @r"
    guarded      12 test files, conftest.py, pytest.ini, keys of pyproject.toml; `--unguard GLOB` releases files
    guarded      1 test file, a, b, c, d, e and 35 more, keys of Makefile, package.json; `--unguard GLOB` releases files
    locked       any change rejects: vendor/t.rs: it is in a submodule
                 tests/big.bin is only watched: it has 20 MiB
    guarded      nothing (no tests found); `--guard GLOB` adds files
    ");
}

fn change(path: &str, how: GuardedHow, keys: &[&str]) -> GuardedChange {
    let keys = keys.iter().map(|key| (*key).to_owned()).collect();
    GuardedChange { path: path.to_owned(), how, what: "a test".to_owned(), keys }
}

#[test]
fn originals_are_told_with_the_files_that_differ() {
    let failed = OriginalsRan {
        iteration: 2,
        state: OriginalsState::Failed,
        changes: vec![
            change("tests/a.py", GuardedHow::Changed, &[]),
            change("pyproject.toml", GuardedHow::Changed, &["tool.pytest.ini_options"]),
            change("conftest.py", GuardedHow::Added, &[]),
        ],
        failing: vec!["test_a".to_owned(), "test_b".to_owned()],
        first_error: Some("tests/a.rs:3: cannot find `x`".to_owned()),
    };
    let passed = OriginalsRan {
        state: OriginalsState::Passed,
        changes: (0..7).map(|n| change(&format!("t{n}"), GuardedHow::Deleted, &[])).collect(),
        ..OriginalsRan::default()
    };
    let waived = OriginalsRan { state: OriginalsState::Waived, ..failed.clone() };
    let bare = OriginalsRan { state: OriginalsState::Failed, ..OriginalsRan::default() };
    let same = OriginalsRan { state: OriginalsState::Same, ..OriginalsRan::default() };
    let told: Vec<String> = [failed, passed, waived, bare, same]
        .iter()
        .flat_map(|ran| originals(ran, Paint::default()))
        .collect();
    assert_snapshot!(told.join("\n"), @"
    the checks also ran on the original tests: failed: test_a, test_b
      first error: tests/a.rs:3: cannot find `x`
      guarded: tests/a.py was changed (a test)
      guarded: pyproject.toml was changed, in its guarded keys tool.pytest.ini_options
      guarded: conftest.py was added (a test)
    the checks also ran on the original tests: passed
      guarded: t0 was deleted (a test)
      guarded: t1 was deleted (a test)
      guarded: t2 was deleted (a test)
      guarded: t3 was deleted (a test)
      guarded: t4 was deleted (a test)
      guarded: and 2 more
    the checks also ran on the original tests: failed: test_a, test_b, waived
      first error: tests/a.rs:3: cannot find `x`
      guarded: tests/a.py was changed (a test)
      guarded: pyproject.toml was changed, in its guarded keys tool.pytest.ini_options
      guarded: conftest.py was added (a test)
    the checks also ran on the original tests: failed
    ");
}

#[test]
fn doubts_and_flaky_checks_are_named() {
    let about = |file: Option<&str>, line, reason: &str| Doubt {
        line,
        confidence: Confidence::Possible,
        ..Doubt::new("watched", file, reason)
    };
    let lines = [
        doubt(&about(Some("tests/x.snap"), None, "a watched file changed"), Paint::default()),
        doubt(&about(Some("a.py"), Some(3), "it asks for `CI`"), Paint::default()),
        doubt(&about(Some("a.py"), None, "a.py was written by the agent"), Paint::default()),
        doubt(&about(None, None, "fewer tests ran: 40 instead of 41"), Paint::default()),
        flaky(&["cargo test".to_owned()], Paint::default()).unwrap(),
        flaky(&["a".to_owned(), "b".to_owned()], Paint::default()).unwrap(),
    ];
    assert_snapshot!(lines.join("\n"), @"
    doubt: tests/x.snap: a watched file changed
    doubt: a.py:3: it asks for `CI`
    doubt: a.py was written by the agent
    doubt: fewer tests ran: 40 instead of 41
    flaky: cargo test (it passed and failed on the same files)
    flaky: a, b (each passed and failed on the same files)
    ");
    assert_eq!(flaky(&[], Paint::default()), None);
}

#[test]
fn tests_are_a_fact_whose_numbers_agree() {
    let skipped = TestCounts { skipped: 2, ..counts(41, 0) };
    let told = [counts(0, 0), counts(1, 0), skipped, counts(0, 1), counts(40, 1), counts(39, 2)];
    let told: Vec<String> = told.iter().map(tests).collect();
    assert_eq!(
        told.join("; "),
        "no test ran; 1 test passes; 41 tests pass, 2 skipped; 1 test fails; 1 of 41 tests fails; \
         2 of 41 tests fail"
    );
    let failing = |names: &[&str], failed| TestCounts {
        failing: names.iter().map(|name| (*name).to_owned()).collect(),
        ..counts(1, failed)
    };
    assert_eq!(super::failing(&failing(&["a", "b"], 4)).unwrap(), "a, b and 2 more");
    assert_eq!(super::failing(&failing(&["a", "b"], 2)).unwrap(), "a, b");
    assert_eq!(super::failing(&counts(1, 2)), None);
}
