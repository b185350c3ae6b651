//! Output that is made to deceive, or to take long.

use std::{
    sync::LazyLock,
    time::{Duration, Instant},
};

use proptest::prelude::*;
use windlass_core::test_counts::TestCounts;
use windlass_proof::counts::{RUNNERS, first_error, read};

use crate::counts::recordings;

/// What a whole passing run of each runner prints.
static LIES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let passing = |runner| {
        let mut all = recordings(runner).into_iter();
        all.find(|(case, _)| case == "passing").unwrap().1
    };
    RUNNERS.iter().map(|runner| passing(runner.recordings)).collect()
});

/// Recordings in which tests fail, with how many.
static FAILURES: LazyLock<Vec<(String, u32)>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for runner in RUNNERS {
        for (_, output) in recordings(runner.recordings) {
            let failed = read(&output).map_or(0, |counts| counts.failed);
            if failed > 0 {
                all.push((output, failed));
            }
        }
    }
    all
});

/// Every line of every recording.
static LINES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let all = RUNNERS.iter().flat_map(|runner| recordings(runner.recordings));
    all.flat_map(|(_, output)| output.lines().map(ToOwned::to_owned).collect::<Vec<_>>()).collect()
});

#[test]
fn a_passing_run_before_or_after_a_failing_one_hides_nothing() {
    for (truth, failed) in &*FAILURES {
        for lie in &*LIES {
            for output in [format!("{lie}{truth}"), format!("{truth}\n{lie}")] {
                let told = read(&output).map_or(0, |counts| counts.failed);
                assert_eq!(told, *failed, "{output}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_lie_in_the_middle_hides_no_failure(
        truth in 0_usize..1000, lie in 0_usize..1000, place in 0_usize..1000,
    ) {
        let (truth, _) = &FAILURES[truth % FAILURES.len()];
        let lie = &LIES[lie % LIES.len()];
        let lines: Vec<&str> = truth.split_inclusive('\n').collect();
        let at = lines.len() * place / 1000;
        let output = format!("{}{lie}{}", lines[..at].concat(), lines[at..].concat());
        // It may be unreadable, but never "all passed".
        prop_assert!(read(&output).is_none_or(|counts| counts.failed > 0), "{output}");
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in "\\PC*|[ -~\\n\\r\\x1b]*") {
        let _counts: Option<TestCounts> = read(&text);
        let _error: Option<String> = first_error(&text);
    }

    #[test]
    fn any_lines_of_recordings_are_read_within_bounds(picks in prop::collection::vec(0_usize..100_000, 0..60)) {
        let output: Vec<&str> = picks.iter().map(|&pick| LINES[pick % LINES.len()].as_str()).collect();
        if let Some(counts) = read(&output.join("\n")) {
            prop_assert!(counts.failing.len() <= TestCounts::MOST_NAMES);
            prop_assert!(counts.failing.len() as u64 <= u64::from(counts.failed));
        }
    }
}

/// What is worst for each reader: lines that it must remember. Time that grows with the square of the size
/// would be minutes.
#[test]
fn much_hostile_output_takes_bounded_time_and_names() {
    const SIZE: usize = if cfg!(debug_assertions) { 1 << 19 } else { 8 << 20 };
    let started = |line: &dyn Fn(usize) -> String| {
        let mut output = String::with_capacity(SIZE + 200);
        for n in 0.. {
            if output.len() >= SIZE {
                break;
            }
            output.push_str(&line(n));
        }
        let start = Instant::now();
        let counts = read(&output);
        let _error = first_error(&output);
        (counts, start.elapsed())
    };
    let floods: [(&str, &dyn Fn(usize) -> String); 9] = [
        ("blank", &|_| "\n".to_owned()),
        ("short", &|_| ".\n".to_owned()),
        ("one line", &|_| "F".to_owned()),
        ("escapes", &|_| "\x1b[\x1b]".to_owned()),
        ("packages", &|n| format!("FAIL\tp{n}\t0.01s\n")),
        ("names", &|n| format!("--- FAIL: Test{n} (0.00s)\n")),
        ("titles", &|n| format!("  {n} passing (1ms)\n  1) a\n       b\n")),
        ("runs", &|n| {
            format!(
                "running {n} tests\nfailures:\n    name{n}\ntest result: FAILED. 1 passed; {n} failed\n"
            )
        }),
        ("results", &|n| format!("1..2\nok 1\nnot ok 2 - test {n}\n")),
    ];
    for (name, line) in floods {
        let (counts, took) = started(line);
        assert!(took < Duration::from_secs(40), "{name} took {took:?}");
        assert!(counts.is_none_or(|it| it.failing.len() <= TestCounts::MOST_NAMES), "{name}");
    }
}

/// Two processes may print at once, and a test may outlive the summary's first line.
#[test]
fn a_lie_between_the_lines_of_one_summary_hides_nothing() {
    for output in [
        "E.\nRan 2 tests in 0.01s\n\nOK (2 tests)\nOK\nFAILED (errors=1)\n",
        "E.\nRan 2 tests in 0.01s\nRan 41 tests in 0.01s\nOK\n\nFAILED (errors=1)\n",
        "Test Suites: 1 failed, 1 total\nTest Suites: 1 passed, 1 total\nTests:       41 passed, 41 total\n",
        " Test Files  1 failed (1)\n Test Files  1 passed (1)\n      Tests  41 passed (41)\n   Start at  1\n",
        "  ✔ a\n  1 passing (1ms)\n  ✔ b\n  41 passing (1ms)\n  ✔ b\n  3 failing\n",
        "✔ a (1ms)\nℹ tests 2\nℹ tests 41\nℹ pass 41\nℹ fail 0\nℹ duration_ms 1\nℹ fail 1\nℹ duration_ms 1\n",
        "1..2\n1..2\nok 1\nok 2\nok 1\nnot ok 2\n",
        "Files=1, Tests=2, 0 secs\nFiles=1, Tests=41, 0 secs\nResult: PASS\nResult: FAIL\n",
        "ok  \ta\t0.1s\nFAIL\n",
    ] {
        assert!(
            read(output).is_none_or(|counts| counts.failed > 0),
            "{output}: {:?}",
            read(output)
        );
    }
}

#[test]
fn numbers_that_are_too_large_are_the_largest() {
    let counts = read("99999999999999999999 failed, 5 passed in 0.01s").unwrap();
    assert_eq!((counts.passed, counts.failed), (5, u32::MAX));
}

#[test]
fn an_escape_sequence_without_an_end_hides_no_summary() {
    let output = "..F\x1b]0;\n1 failed, 2 passed in 0.01s\n";
    assert_eq!(read(output).unwrap().failed, 1);
    let output = "\x1bP\x1b[\n1 failed, 2 passed in 0.01s\r\n";
    assert_eq!(read(output).unwrap().failed, 1);
}
