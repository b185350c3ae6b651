//! Which numbers of an output are figures.

use super::super::OutputMark;

/// The figures of an output, one on a line.
pub(super) fn figures(output: &str) -> Vec<String> {
    let figures = OutputMark::of(output).figures;
    figures.iter().map(|figure| format!("{} = {}", figure.of, figure.value)).collect()
}

#[track_caller]
pub(super) fn tells(output: &str, expected: &[&str]) {
    assert_eq!(figures(output), expected, "{output}");
}

#[test]
fn own_scripts_tell_how_far_the_work_is() {
    for (output, expected) in [
        ("7 tests left", &["# tests left = 7"][..]),
        ("score: 0.80", &["score: # = 0.8"]),
        ("score=-0.5", &["score=# = -0.5"]),
        ("0.80", &["# = 0.8"]),
        ("coverage 81.5 %", &["coverage #% = 81.5"]),
        ("coverage 81.5%.", &["coverage #%. = 81.5"]),
        ("3 of 10 parts done", &["# of # parts done = 3", "# of # parts done (2) = 10"]),
        ("parts done: 3/10", &["parts done: #/# = 3", "parts done: #/# (2) = 10"]),
        ("12 errors", &["# errors = 12"]),
        ("error rate ........ 1,234", &["error rate # = 1234"]),
        ("loss 3.2e-05", &["loss # = 0.000032"]),
        ("bundle: 312.5 kB", &["bundle: #B = 312500"]),
        ("still missing (3)", &["still missing (#) = 3"]),
        ("attempt 3: 12 tests left", &["attempt #: # tests left = 12"]),
        ("2 of 9 done in 3.2s", &["# of # done in = 2", "# of # done in (2) = 9"]),
        ("12:03:44 INFO 3 left", &["INFO # left = 3"]),
        ("\u{1b}[31m7\u{1b}[0m left\r6 left", &[]),
        (
            "{\"failed\":3,\"passed\":9,\"seed\":77}",
            &[
                "{\"failed\":#,\"passed\":#,\"seed\":#} = 3",
                "{\"failed\":#,\"passed\":#,\"seed\":#} (2) = 9",
            ],
        ),
        ("{\n  \"failed\": 3,\n  \"durationMs\": 12\n}", &["\"failed\": #, = 3"]),
    ] {
        tells(output, expected);
    }
}

#[test]
fn times_places_names_and_counts_of_calls_are_no_figures() {
    for line in [
        "took 3",
        "took 3.2s",
        "finished in 1 m 12 s",
        "elapsed: 12.3",
        "elapsed_ms=123",
        "Duration 1.23s (transform 45ms, setup 0ms)",
        "real\t0m1.234s",
        "2026-11-15 23:01:02",
        "Sun Nov 15 23:00:01 UTC 2026",
        "15 November 2026",
        "at 1794783661",
        "20261115",
        "commit 1a2b3c4d",
        "version 1.2.3",
        "Python 3.12",
        "src/a.rs:12:5: expected `;`",
        "src/a.rs(12,5): error TS2322: x",
        "error on line 12",
        "line 12, column 5",
        "listening on port 8080",
        "http://localhost:3000/",
        "localhost:3000",
        "pid 4711",
        "pid=4711",
        "[4711] started",
        "Randomized with seed 12345",
        "attempt 3 of 10",
        "attempt #3",
        "Attempt: 3/10",
        "retry no. 3",
        "after 3 attempts",
        "run 12",
        "run number 12",
        "build #17 failed",
        "session 4",
        "iteration 5 of 9",
        "gave up after 5 iterations",
        "exit code 1",
        "exit code is 1",
        "Exit status: 2",
        "exited with 1",
        "exited with code 1",
        "returned 1",
        "HTTP 404",
        "status: 500",
        "signal 9",
        "segfault at 0x7ffc12ab",
        "127.0.0.1:8080",
        "3) adds numbers",
        "1. Fix it",
        "[    3.123456] usb: found",
        "x86_64 utf8 sha256 test_3",
        "1234 req/s",
        "Requests/sec: 1234.56",
        "heap 12.3 MB",
        "  12 |     let x = 5;",
        "> 12 | expect(3)",
        "11/15/2026",
        "[#####     ] 45% of it",
        " 45%|████▌     | 45/100 [00:12<00:15, 3.6it/s]",
        "3-4",
    ] {
        assert_eq!(figures(line), [""; 0], "{line}");
    }
}

#[test]
fn a_name_that_comes_twice_tells_nothing() {
    tells("step 1: 3 left\nstep 2: 2 left\n5 to do\n", &["# to do = 5"]);
    tells("3 left\n4 left\n5 left\n", &[]);
    let many: String =
        (b'a'..=b'z').map(|c| format!("part {0}{0} has 7 holes\n", char::from(c))).collect();
    let last = figures(&many);
    assert_eq!((last.len(), last[0].as_str()), (20, "part gg has # holes = 7"));
    let long = format!("{} 7 left and 8 to do", "x".repeat(80));
    tells(&long, &[&format!("{} = 7", "x".repeat(60)), &format!("{} (2) = 8", "x".repeat(60))]);
}

#[test]
fn figures_are_looked_for_near_the_end() {
    let told = |lines: usize| figures(&format!("7 to do{}", "\ncompiled a part".repeat(lines)));
    assert_eq!(told(OutputMark::MOST_TOLD - 1), ["# to do = 7"]);
    assert_eq!(told(OutputMark::MOST_TOLD), [""; 0]);
}
