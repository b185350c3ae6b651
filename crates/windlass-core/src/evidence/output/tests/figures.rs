//! Which numbers of an output are figures.

use super::super::OutputMark;

/// The figures of an output, one on a line.
fn figures(output: &str) -> Vec<String> {
    let figures = OutputMark::of(output).figures;
    figures.iter().map(|figure| format!("{} = {}", figure.of, figure.value)).collect()
}

#[track_caller]
fn tells(output: &str, expected: &[&str]) {
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

#[test]
fn pytest_and_jest_tell_how_many_fail() {
    let pytest = "\
============================= test session starts ==============================
platform linux -- Python 3.12.1, pytest-8.1.1, pluggy-1.4.0
rootdir: /home/me/p
collected 12 items

tests/test_a.py ..F..F....F.                                             [100%]

=================================== FAILURES ===================================
__________________________________ test_adds ___________________________________

    def test_adds():
>       assert add(3, 4) == 7
E       assert -1 == 7

tests/test_a.py:12: AssertionError
=========================== short test summary info ============================
FAILED tests/test_a.py::test_adds - assert -1 == 7
========================= 3 failed, 9 passed in 0.12s ==========================
";
    tells(
        pytest,
        &[
            "collected # items = 12",
            "tests/test_a.py [#%] = 100",
            "E assert # == # = -1",
            "E assert # == # (2) = 7",
            "FAILED tests/test_a.py::test_adds - assert # == # = -1",
            "FAILED tests/test_a.py::test_adds - assert # == # (2) = 7",
            "# failed, # passed in = 3",
            "# failed, # passed in (2) = 9",
        ],
    );
    let jest = "\
FAIL src/sum.test.js
  ✕ adds (12 ms)
  ✓ subtracts
  ● adds

    expect(received).toBe(expected) // Object.is equality

    Expected: 7
    Received: -1

      3 | test('adds', () => {
    > 4 |   expect(sum(3, 4)).toBe(7);
        |                     ^
      5 | });

      at Object.toBe (src/sum.test.js:4:21)

Test Suites: 1 failed, 1 passed, 2 total
Tests:       3 failed, 9 passed, 12 total
Snapshots:   0 total
Time:        1.234 s, estimated 2 s
Ran all test suites.
";
    tells(
        jest,
        &[
            "Expected: # = 7",
            "Received: # = -1",
            "Test Suites: # failed, # passed, # total = 1",
            "Test Suites: # failed, # passed, # total (2) = 1",
            "Test Suites: # failed, # passed, # total (3) = 2",
            "Tests: # failed, # passed, # total = 3",
            "Tests: # failed, # passed, # total (2) = 9",
            "Tests: # failed, # passed, # total (3) = 12",
            "Snapshots: # total = 0",
        ],
    );
}

#[test]
fn cargo_and_go_tell_how_many_fail() {
    let cargo = "\
   Compiling p v0.1.0 (/home/me/p)
    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.53s
     Running unittests src/lib.rs (target/debug/deps/p-1a2b3c4d5e6f7a8b)

running 3 tests
test adds ... FAILED
test subtracts ... ok

---- adds stdout ----
thread 'adds' (4711) panicked at src/lib.rs:12:5:
assertion `left == right` failed
  left: 3
 right: 7

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.53s

error: test failed, to rerun pass `--lib`
";
    tells(
        cargo,
        &[
            "running # tests = 3",
            "left: # = 3",
            "right: # = 7",
            "test result: FAILED. # passed; # failed; # ignored; # measur = 1",
            "test result: FAILED. # passed; # failed; # ignored; # measur (2) = 2",
            "test result: FAILED. # passed; # failed; # ignored; # measur (3) = 0",
            "test result: FAILED. # passed; # failed; # ignored; # measur (4) = 0",
            "test result: FAILED. # passed; # failed; # ignored; # measur (5) = 0",
        ],
    );
    let go = "\
--- FAIL: TestAdd (0.00s)
    a_test.go:12: got 3, want 7
FAIL
coverage: 81.5% of statements
exit status 1
FAIL\texample.com/p\t0.012s
ok  \texample.com/p/q\t0.003s\tcoverage: 90.0% of statements
";
    tells(
        go,
        &[
            "a_test.go:#: got #, want # = 3",
            "a_test.go:#: got #, want # (2) = 7",
            "coverage: #% of statements = 81.5",
            "ok example.com/p/q coverage: #% of statements = 90",
        ],
    );
}

#[test]
fn other_test_runners_tell_how_many_fail() {
    let tap = "TAP version 13\n1..4\nok 1 - adds\nnot ok 2 - subtracts # 12ms\n# tests 4\n# pass 3\n# fail 1\n# duration_ms 45.1\n";
    tells(tap, &["tests # = 4", "pass # = 3", "fail # = 1"]);
    let others = "\
12 examples, 3 failures, 1 pending
Finished in 0.12 seconds (files took 0.3 seconds to load)
Randomized with seed 12345
Tests: 12, Assertions: 30, Failures: 3.
Time: 00:00.012, Memory: 6.00 MB
75% tests passed, 3 tests failed out of 12
Total Test time (real) =   0.12 sec
  3 passing (12ms)
  2 failing
12 tests completed, 3 failed
BUILD FAILED in 3s
";
    tells(
        others,
        &[
            "# examples, # failures, # pending = 12",
            "# examples, # failures, # pending (2) = 3",
            "# examples, # failures, # pending (3) = 1",
            "Tests: #, Assertions: #, Failures: #. = 12",
            "Tests: #, Assertions: #, Failures: #. (2) = 30",
            "Tests: #, Assertions: #, Failures: #. (3) = 3",
            "#% tests passed, # tests failed out of # = 75",
            "#% tests passed, # tests failed out of # (2) = 3",
            "#% tests passed, # tests failed out of # (3) = 12",
            "# passing = 3",
            "# failing = 2",
            "# tests completed, # failed = 12",
            "# tests completed, # failed (2) = 3",
        ],
    );
}

#[test]
fn linters_and_type_checkers_tell_how_many_problems_there_are() {
    let eslint = "
/home/me/p/src/a.js
   12:5   error    'x' is defined but never used  no-unused-vars
  104:12  warning  Unexpected console statement   no-console

✖ 12 problems (9 errors, 3 warnings)
  3 errors and 0 warnings potentially fixable with the `--fix` option.
";
    tells(
        eslint,
        &[
            "✖ # problems (# errors, # warnings) = 12",
            "✖ # problems (# errors, # warnings) (2) = 9",
            "✖ # problems (# errors, # warnings) (3) = 3",
            "# errors and # warnings potentially fixable with the `--fix` = 3",
            "# errors and # warnings potentially fixable with the `--fix` (2) = 0",
        ],
    );
    let mypy = "a.py:12: error: Incompatible types in assignment  [assignment]\nFound 12 errors in 3 files (checked 40 source files)\n";
    tells(
        mypy,
        &[
            "Found # errors in # files (checked # source files) = 12",
            "Found # errors in # files (checked # source files) (2) = 3",
            "Found # errors in # files (checked # source files) (3) = 40",
        ],
    );
    let tsc = "\
src/a.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.
src/b.ts:3:1 - error TS7006: Parameter 'x' implicitly has an 'any' type.

Found 12 errors in 2 files.

Errors  Files
     9  src/a.ts:12
     3  src/b.ts:3
";
    tells(
        tsc,
        &[
            "Found # errors in # files. = 12",
            "Found # errors in # files. (2) = 2",
            "# src/a.ts:# = 9",
            "# src/b.ts:# = 3",
        ],
    );
    tells(
        "Found 12 errors.\n[*] 9 fixable with the `--fix` option.\n",
        &["Found # errors. = 12", "# fixable with the `--fix` option. = 9"],
    );
    tells(
        "Your code has been rated at 7.50/10 (previous run: 6.00/10, +1.50)",
        &[
            "Your code has been rated at #/# (previous run: #/#, #) = 7.5",
            "Your code has been rated at #/# (previous run: #/#, #) (2) = 10",
            "Your code has been rated at #/# (previous run: #/#, #) (3) = 1.5",
        ],
    );
}

#[test]
fn coverage_tools_tell_shares() {
    let coverage_py = "\
Name         Stmts   Miss  Cover
--------------------------------
src/a.py       120     12    90%
src/b.py        80     80     0%
--------------------------------
TOTAL          200     92    54%
";
    tells(
        coverage_py,
        &[
            "src/a.py # #% = 120",
            "src/a.py # #% (2) = 12",
            "src/a.py # #% (3) = 90",
            "src/b.py # #% = 80",
            "src/b.py # #% (2) = 80",
            "src/b.py # #% (3) = 0",
            "TOTAL # #% = 200",
            "TOTAL # #% (2) = 92",
            "TOTAL # #% (3) = 54",
        ],
    );
    let istanbul = "\
----------|---------|----------|---------|---------|-------------------
File      | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s
----------|---------|----------|---------|---------|-------------------
All files |    81.5 |       70 |      90 |    81.5 |
----------|---------|----------|---------|---------|-------------------
Statements   : 81.5% ( 163/200 )
Lines        : 81.5% ( 163/200 )
";
    tells(
        istanbul,
        &[
            "All files # = 81.5",
            "All files # (2) = 70",
            "All files # (3) = 90",
            "All files # (4) = 81.5",
            "Statements #% (#/#) = 81.5",
            "Statements #% (#/#) (2) = 163",
            "Statements #% (#/#) (3) = 200",
            "Lines #% (#/#) = 81.5",
            "Lines #% (#/#) (2) = 163",
            "Lines #% (#/#) (3) = 200",
        ],
    );
    tells(
        "  lines......: 81.5% (163 of 200 lines)\n",
        &[
            "lines #% (# of # lines) = 81.5",
            "lines #% (# of # lines) (2) = 163",
            "lines #% (# of # lines) (3) = 200",
        ],
    );
    tells(
        "Lines executed:81.50% of 200\n",
        &["Lines executed:#% of # = 81.5", "Lines executed:#% of # (2) = 200"],
    );
    tells(
        "81.50% coverage, 163/200 lines covered\n",
        &[
            "#% coverage, #/# lines covered = 81.5",
            "#% coverage, #/# lines covered (2) = 163",
            "#% coverage, #/# lines covered (3) = 200",
        ],
    );
}

#[test]
fn of_benchmarks_only_what_is_no_time_counts() {
    let go = "goos: linux\ncpu: AMD EPYC 7B13\nBenchmarkAdd-8   \t 1234567\t       987.3 ns/op\t      16 B/op\t       2 allocs/op\nPASS\n";
    let found = figures(go);
    assert!(
        found.iter().all(|figure| figure.ends_with("= 16") || figure.ends_with("= 2")),
        "{found:?}"
    );
    let hyperfine = "\
Benchmark 1: ./app
  Time (mean ± σ):     123.4 ms ±   5.6 ms    [User: 100.0 ms, System: 12.3 ms]
  Range (min … max):   115.0 ms … 130.2 ms    10 runs
";
    tells(hyperfine, &[]);
    let criterion = "\
add                     time:   [1.2345 ms 1.2400 ms 1.2450 ms]
                        change: [-1.2345% +0.1234% +1.4567%] (p = 0.12 > 0.05)
Found 3 outliers among 100 measurements (3.00%)
";
    tells(criterion, &[]);
    tells("BM_Add        123 ns          120 ns      5678901\n", &[]);
    tells(
        "Epoch 3/10 - 12s - loss: 0.1234 - accuracy: 0.9567\n",
        &[
            "Epoch #/# - - loss: # - accuracy: # = 0.1234",
            "Epoch #/# - - loss: # - accuracy: # (2) = 0.9567",
        ],
    );
}
