//! The readers on the recordings of the real runners: `scripts/record-runners` records them again.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use windlass_core::test_counts::TestCounts;
use windlass_proof::counts::{RUNNERS, first_error, read};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings")
}

/// The recordings of a runner by name, in order.
pub(crate) fn recordings(runner: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = fs::read_dir(folder().join(runner))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .filter(|(name, _)| name != "versions")
        .collect();
    all.sort();
    all
}

fn recording(runner: &str, case: &str) -> String {
    fs::read_to_string(folder().join(runner).join(format!("{case}.txt"))).unwrap()
}

pub(crate) fn shown(counts: Option<&TestCounts>) -> String {
    let Some(counts) = counts else { return "none".to_owned() };
    let TestCounts { passed, failed, skipped, failing } = counts;
    let mut text = format!("{passed} passed, {failed} failed, {skipped} skipped");
    for name in failing {
        let _ = write!(text, "\n    failing: {name}");
    }
    text
}

/// What is read of each recording of a runner, with the versions that were recorded.
fn table(runner: &str) -> String {
    let mut table = recording(runner, "versions");
    for (case, output) in recordings(runner) {
        let _ = write!(table, "\n{case}: {}", shown(read(&output).as_ref()));
        if let Some(error) = first_error(&output) {
            let _ = write!(table, "\n    error: {error}");
        }
    }
    table
}

#[test]
fn cargo_test_is_read() {
    insta::assert_snapshot!(table("cargo-test"));
}

#[test]
fn nextest_is_read() {
    insta::assert_snapshot!(table("nextest"));
}

#[test]
fn pytest_is_read() {
    insta::assert_snapshot!(table("pytest"));
}

#[test]
fn unittest_is_read() {
    insta::assert_snapshot!(table("unittest"));
}

#[test]
fn jest_is_read() {
    insta::assert_snapshot!(table("jest"));
}

#[test]
fn vitest_is_read() {
    insta::assert_snapshot!(table("vitest"));
}

#[test]
fn mocha_is_read() {
    insta::assert_snapshot!(table("mocha"));
}

#[test]
fn node_test_is_read() {
    insta::assert_snapshot!(table("node-test"));
}

#[test]
fn go_test_is_read() {
    insta::assert_snapshot!(table("go-test"));
}

#[test]
fn maven_is_read() {
    insta::assert_snapshot!(table("maven"));
}

#[test]
fn gradle_is_read() {
    insta::assert_snapshot!(table("gradle"));
}

#[test]
fn junit_is_read() {
    insta::assert_snapshot!(table("junit"));
}

#[test]
fn rspec_is_read() {
    insta::assert_snapshot!(table("rspec"));
}

#[test]
fn phpunit_is_read() {
    insta::assert_snapshot!(table("phpunit"));
}

#[test]
fn ctest_is_read() {
    insta::assert_snapshot!(table("ctest"));
}

#[test]
fn tap_is_read() {
    insta::assert_snapshot!(table("tap"));
}

/// A reader without recordings is a guess.
#[test]
fn every_runner_is_recorded_passing_failing_skipped_without_tests_and_killed() {
    for runner in RUNNERS {
        for case in ["passing", "failing", "skipped", "no-tests", "killed", "lying"] {
            let path = folder().join(runner.recordings).join(format!("{case}.txt"));
            assert!(path.exists(), "{} has no recording `{case}`", runner.name);
        }
        let script = format!("../../../../scripts/lib/runners/{}.sh", runner.recordings);
        assert!(folder().join(script).exists(), "{} cannot be recorded", runner.name);
    }
    let folders = fs::read_dir(folder()).unwrap();
    assert_eq!(folders.count(), RUNNERS.len(), "a folder of recordings belongs to no runner");
}

#[test]
fn no_recording_has_a_path_of_the_machine_that_made_it() {
    for runner in RUNNERS {
        for (case, output) in recordings(runner.recordings) {
            for path in ["/tmp/", "/root", "/home/user", "/Users/", "/work/"] {
                assert!(!output.contains(path), "{}/{case} has {path}", runner.recordings);
            }
        }
    }
}

#[test]
fn several_runners_in_one_output_are_summed() {
    let output =
        ["pytest", "jest", "cargo-test", "go-test"].map(|it| recording(it, "failing")).join("");
    let sum: TestCounts = ["pytest", "jest", "cargo-test", "go-test"]
        .map(|it| read(&recording(it, "failing")).unwrap())
        .iter()
        .sum();
    let both = read(&output).unwrap();
    assert_eq!((both.passed, both.failed, both.skipped), (sum.passed, sum.failed, sum.skipped));
    assert_eq!(both.failing.len(), sum.failing.len());
}

/// A run that began and did not end says nothing for the others either.
#[test]
fn one_runner_that_was_killed_makes_the_whole_output_unreadable() {
    let passing = recording("jest", "passing");
    assert!(read(&passing).is_some());
    assert_eq!(read(&format!("{passing}{}", recording("pytest", "killed"))), None);
    assert_eq!(read(&format!("{}{passing}", recording("cargo-test", "killed"))), None);
}

#[test]
fn other_line_ends_change_nothing() {
    for runner in RUNNERS {
        for (case, output) in recordings(runner.recordings) {
            let windows = output.replace('\n', "\r\n");
            assert_eq!(read(&windows), read(&output), "{}/{case}", runner.recordings);
        }
    }
}

/// windlass keeps the end of an output.
#[test]
fn an_output_without_its_beginning_still_tells_what_failed() {
    for runner in RUNNERS {
        let output = recording(runner.recordings, "failing");
        let whole = read(&output).unwrap();
        let lines: Vec<&str> = output.split_inclusive('\n').collect();
        for cut in 1..lines.len() {
            let rest = lines[cut..].concat();
            if let Some(counts) = read(&rest) {
                assert!(counts.failed > 0, "{}, {cut} lines cut: {counts:?}", runner.name);
                assert!(
                    counts.ran() <= whole.ran(),
                    "{}, {cut} lines cut: {counts:?}",
                    runner.name
                );
            }
        }
    }
}

#[test]
fn an_output_without_its_end_never_tells_that_all_passed() {
    // These come to a summary before they come to the failing part: a target, a package, a module; and
    // the first line of a summary that has several.
    let known = ["cargo-test", "mocha", "go-test", "maven"];
    for runner in RUNNERS.iter().filter(|it| !known.contains(&it.recordings)) {
        for (case, output) in recordings(runner.recordings) {
            let has_failed = read(&output).is_none_or(|counts| counts.failed > 0);
            let lines: Vec<&str> = output.split_inclusive('\n').collect();
            for cut in (0..lines.len()).filter(|_| has_failed && !case.ends_with("lying")) {
                if let Some(counts) = read(&lines[..cut].concat()) {
                    assert!(counts.failed > 0, "{}/{case}, {cut} lines: {counts:?}", runner.name);
                }
            }
        }
    }
}

#[test]
fn words_of_others_do_not_make_an_output_unreadable() {
    let output = recording("pytest", "passing");
    for words in [
        "running 5 tests",
        "1..10",
        "Test project calc",
        "FAIL",
        "OK",
        "FAILED",
        "ok 3",
        "PASS calc",
        "JUnit version of the tests",
        "Errors  3 found",
        "Starting 3 tests",
        "...",
        "# tests 3",
        "Result: PASS",
    ] {
        let both = format!("{words}\n{output}{words}\n");
        let counts = read(&both).unwrap_or_else(|| panic!("{words} makes it unreadable"));
        assert_eq!((counts.passed, counts.failed, counts.skipped), (3, 0, 0), "{words}");
    }
}

#[test]
fn words_that_only_sound_like_a_summary_are_none() {
    for output in [
        "",
        "all 41 tests passed",
        "# tests 3\n",
        "running 3 tests\n",
        "5 tests collected in 0.01s",
        "ok 3\nok 4\n",
        "OK\n",
        "FAILED tests/test_calc.py::test_adds\n",
        "Tests: we ran 3 of them\n",
        "downloaded 3 passed in 0.1s of data in 5s elapsed",
        "1 passing thought",
        "error: could not compile `calc` (lib) due to 1 previous error\n",
    ] {
        assert_eq!(read(output), None, "{output:?}");
    }
}
