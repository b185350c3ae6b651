//! What test runners print, as shell: `$passed` and `$failed` are the names of tests, `$good` and `$bad`
//! their numbers, `$time` some seconds, `$id` some id and `$runs` the number of the run.

/// 40 KB of timings, whose width is never the same.
pub(super) const NOISE: &str = r#"awk -v seed="$runs" 'BEGIN {
  srand(seed)
  for (line = 1; line <= 560; line++) {
    took = rand() * exp(rand() * 12)
    printf "[%12.3f ms] worker %d answered request %08x in %.2f ms\n", took * line, line % 7, rand() * 4294967295, took
  }
}'
"#;

pub(super) const PYTEST: &str = r#"echo '============================= test session starts =============================='
echo 'platform linux -- Python 3.11.7, pytest-9.2.0, pluggy-1.7.0'
echo "rootdir: $PWD"
echo "collected $((good + bad)) items"
echo
for test in $passed; do echo "tests/test_$test.py .                                       [ 50%]"; done
for test in $failed; do echo "tests/test_$test.py F                                       [100%]"; done
echo
if [ $bad = 0 ]; then
  echo "============================== $good passed in ${time}s ==============================="
  exit 0
fi
echo '=================================== FAILURES ==================================='
for test in $failed; do
  echo "__________________________________ test_$test __________________________________"
  echo
  echo "    def test_$test():"
  echo ">       assert $test('x$test') == 'x'"
  echo "E       AssertionError: assert None == 'x'"
  echo
  echo "tests/test_$test.py:5: AssertionError"
done
echo '=========================== short test summary info ============================'
for test in $failed; do echo "FAILED tests/test_$test.py::test_$test - AssertionError: assert None == 'x'"; done
if [ $good = 0 ]; then
  echo "============================== $bad failed in ${time}s ==============================="
else
  echo "========================= $bad failed, $good passed in ${time}s ========================="
fi"#;

/// `pytest -q --tb=no -rN`
pub(super) const PYTEST_NUMBERS: &str = r#"dots=
for test in $failed; do dots="${dots}F"; done
for test in $passed; do dots="$dots."; done
echo "$dots                                                                [100%]"
if [ $bad = 0 ]; then echo "$good passed in ${time}s"
elif [ $good = 0 ]; then echo "$bad failed in ${time}s"
else echo "$bad failed, $good passed in ${time}s"; fi"#;

pub(super) const CARGO_TEST: &str = r#"echo "   Compiling calc v0.1.0 ($PWD)"
echo "    Finished \`test\` profile [unoptimized + debuginfo] target(s) in ${time}s"
echo "     Running unittests src/lib.rs (target/debug/deps/calc-$id)"
printf '\nrunning %s tests\n' $((good + bad))
for test in $passed; do echo "test $test::works ... ok"; done
for test in $failed; do echo "test $test::works ... FAILED"; done
if [ $bad = 0 ]; then
  printf '\ntest result: ok. %s passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in %ss\n' $good $time
  exit 0
fi
printf '\nfailures:\n\n'
for test in $failed; do
  echo "---- $test::works stdout ----"
  echo
  echo "thread '$test::works' ($$) panicked at src/$test.rs:12:21:"
  echo 'assertion `left == right` failed'
  echo '  left: ""'
  echo ' right: "x"'
  echo 'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace'
  echo
done
printf '\nfailures:\n'
for test in $failed; do echo "    $test::works"; done
printf '\ntest result: FAILED. %s passed; %s failed; 0 ignored; 0 measured; 0 filtered out; finished in %ss\n\n' $good $bad $time
echo 'error: test failed, to rerun pass `--lib`'"#;

/// The end of what it prints, as `cargo test --quiet 2>&1 | grep -e running -e result` has it.
pub(super) const CARGO_TEST_NUMBERS: &str = r#"echo "running $((good + bad)) tests"
word=FAILED; if [ $bad = 0 ]; then word=ok; fi
echo "test result: $word. $good passed; $bad failed; 0 ignored; 0 measured; 0 filtered out; finished in ${time}s""#;

/// With `-v`, so that tests that pass are counted too.
pub(super) const GO_TEST: &str = r#"for test in $passed; do
  printf '=== RUN   Test_%s\n--- PASS: Test_%s (0.00s)\n' $test $test
done
for test in $failed; do
  printf '=== RUN   Test_%s\n    %s_test.go:8: got "", want "x"\n--- FAIL: Test_%s (%ss)\n' $test $test $test $time
done
if [ $bad = 0 ]; then printf 'PASS\nok  \texample.com/calc\t%ss\n' $time
else printf 'FAIL\nFAIL\texample.com/calc\t%ss\nFAIL\n' $time; fi"#;

/// Which package fails is all that is told.
pub(super) const GO_TEST_NUMBERS: &str = r#"if [ $bad = 0 ]; then printf 'ok  \texample.com/calc\t%ss\n' $time
else printf '%s tests fail\nFAIL\texample.com/calc\t%ss\nFAIL\n' $bad $time; fi"#;

pub(super) const JEST: &str = r#"for test in $failed; do
  echo "FAIL ./$test.test.js"
  echo "  ● $test works"
  echo
  echo '    expect(received).toBe(expected) // Object.is equality'
  echo
  echo '    Expected: "x"'
  echo '    Received: undefined'
  echo
  echo "      at Object.toBe ($test.test.js:3:44)"
  echo
done
for test in $passed; do echo "PASS ./$test.test.js"; done
echo
bads=; if [ $bad != 0 ]; then bads="$bad failed, "; fi
goods=; if [ $good != 0 ]; then goods="$good passed, "; fi
echo "Test Suites: $bads$goods$((good + bad)) total"
echo "Tests:       $bads$goods$((good + bad)) total"
echo 'Snapshots:   0 total'
echo "Time:        $time s"
echo 'Ran all test suites.'"#;

/// The end of what it prints.
pub(super) const JEST_NUMBERS: &str = r#"word=FAIL; if [ $bad = 0 ]; then word=PASS; fi
echo "$word ./all.test.js"
echo
bads=; if [ $bad != 0 ]; then bads="$bad failed, "; fi
goods=; if [ $good != 0 ]; then goods="$good passed, "; fi
echo "Tests:       $bads$goods$((good + bad)) total"
echo "Time:        $time s""#;
