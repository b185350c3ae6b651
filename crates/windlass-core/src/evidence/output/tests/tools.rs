//! The figures in the outputs of well-known tools.

use super::figures::{figures, tells};

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
