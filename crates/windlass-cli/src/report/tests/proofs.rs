//! What screens say of proofs.

use super::*;

#[test]
fn plain_lines_tell_of_the_proof() {
    let (out, err) = shown(&samples::proven(), &samples::proven_result(), plain(false));
    assert_snapshot!(out, @r"
    Loop brave-otter: iterate with command in /work
    ━━━ Iteration 1 of at most 20 ━━━
    check `pytest`: failed (1 of 41 tests fails, exit 1, 2.1 s)
      failing: test_c
      first error: tests/test_c.py:3: no such name
        1 failed, 40 passed
    pytest: 3 → 1 failing
    the checks also ran on the original tests: failed: test_a, test_b
      guarded: tests/test_a.py was changed (a test)
      guarded: pyproject.toml was changed, in its guarded keys tool.pytest.ini_options
    claim rejected: the check `pytest` failed with exit code 1
    iteration 1: 5.2 s, 2 files changed
    ━━━ Iteration 2 of at most 20 ━━━
    check `pytest`: passed (41 tests pass, 2 skipped, 0.1 s)
    pytest: 1 → 0 failing
    the checks also ran on the original tests: passed
      guarded: tests/test_a.py was changed (a test)
    flaky: pytest (it passed and failed on the same files)
    doubt: tests/fixtures/a.json: a watched file changed
    doubt: 2 tests are skipped that ran before
    claim accepted: 1 check passed on tree 2b3c4d5
    iteration 2: 1 min 1 s, 1 file changed
    ✓ done after 2 iterations, proven by 1 check, with 2 doubts
      2 sessions, 3 checks, 3 files modified, $0.50 (1.2k tokens in and 55 out), 1 min 6 s
      proof: 41 tests pass, 2 skipped; the check failed before the loop; passed on the original tests, too
      flaky: pytest (it passed and failed on the same files)
      doubt: tests/fixtures/a.json: a watched file changed
      doubt: 2 tests are skipped that ran before
    ");
    assert_snapshot!(err, @r"
      guarded      12 test files, conftest.py, pytest.ini, keys of pyproject.toml; `--unguard GLOB` releases files
      baseline     pytest: 3 of 41 fail
    next: windlass show brave-otter
    next: windlass diff brave-otter
    ");
}

#[test]
fn checks_that_pass_before_the_loop_are_warned_of_and_never_prove_alone() {
    let baseline = serde_json::json!({"type": "baseline", "state": "passed",
        "checks": [{"command": "make test", "passed": true, "tests": null}]});
    let event = samples::event(1, serde_json::from_value(baseline).unwrap());
    let mut result = samples::proven_result();
    let proof = result.proof.as_mut().unwrap();
    proof.baseline = windlass_core::proof_record::BaselineState::Passed;
    proof.doubts.truncate(1);
    let (out, err) = shown(std::slice::from_ref(&event), &result, plain(false));
    assert_snapshot!(out, @r"
    ✓ done after 2 iterations, proven by 1 check (the check passed before the loop, too), with 1 doubt
      2 sessions, no checks, 3 files modified, $0.50 (1.2k tokens in and 55 out), 1 min 6 s
      proof: 41 tests pass, 2 skipped; the check passed before the loop, too; passed on the original tests, too
      flaky: pytest (it passed and failed on the same files)
      doubt: tests/fixtures/a.json: a watched file changed
    ");
    let block =
        "  baseline     make test: passes\nwarning: the check already passes, so it cannot show";
    assert!(err.starts_with(block), "{err}");
    let (_, err) = shown(&[event], &result, |streams, _| Box::new(Json(streams)));
    assert!(err.starts_with("warning: the check already passes, so it cannot show"), "{err}");
}

#[test]
fn a_waived_proof_never_reads_as_proven() {
    use windlass_core::{proof_record::OriginalsState, test_counts::TestCounts};
    let ending = serde_json::json!({"type": "done", "by": "user", "unverified": true});
    for (originals, failed) in [(OriginalsState::Waived, 0), (OriginalsState::Same, 2)] {
        let mut proof = samples::proven_result().proof.unwrap();
        (proof.waived, proof.originals) = (true, originals);
        proof.tests = Some(TestCounts { passed: 39, failed, ..TestCounts::default() });
        let result = LoopResult {
            proof: Some(proof),
            verified: false,
            ..samples::result_with(ending.clone())
        };
        let (out, _) = shown(&[], &result, plain(false));
        assert!(out.contains("not verified") && out.contains("not proven: "), "{out}");
        assert!(!out.contains("proven by") && !out.contains("no check was"), "{out}");
    }
}

#[test]
fn the_live_screen_shows_how_the_tests_move() {
    let (_, err) = shown(&samples::refuted(), &samples::result(), live(false));
    for words in [
        "  baseline     pytest: 3 of 41 fail",
        "  guarded      12 test files, conftest.py, pytest.ini, keys of pyproject.toml",
        "\n  ━━━━━━━━━━━━━╌╌╌╌╌╌╌  pytest: 3 → 1 failing\n",
        "the checks also ran on the original tests: failed: test_a, test_b",
        "guarded: tests/test_a.py was changed (a test)",
    ] {
        assert!(err.contains(words), "`{words}` is missing:\n{err}");
    }
}
