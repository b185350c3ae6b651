//! Examples of the events about proofs, for `docs/events.md`.

use windlass_core::{
    event::{BaselineCheck, BaselineTaken, EventKind, OriginalsRan, ProofTaken, TestsCounted},
    proof_record::{BaselineState, Doubt, OriginalsState, ProofRecord, ProvenCheck},
    step::guarded::{GuardReport, GuardedChange, GuardedHow},
    test_counts::TestCounts,
};

/// One of each, in the order in which a loop has them.
pub(super) fn of_proofs() -> Vec<EventKind> {
    vec![
        EventKind::Guarded(GuardReport {
            tests: 12,
            others: vec!["conftest.py".to_owned(), "pytest.ini".to_owned()],
            others_count: 2,
            shared: vec!["pyproject.toml".to_owned()],
            ..GuardReport::default()
        }),
        EventKind::Baseline(BaselineTaken {
            state: BaselineState::Failed,
            checks: vec![BaselineCheck {
                command: "pytest".to_owned(),
                passed: false,
                tests: Some(counts(39, &["test_add", "test_sub"])),
            }],
            reason: None,
        }),
        EventKind::Tests(TestsCounted {
            iteration: 2,
            command: "pytest".to_owned(),
            tests: counts(41, &[]),
            failed_at_baseline: Some(2),
            failed_before: Some(1),
        }),
        EventKind::Originals(OriginalsRan {
            iteration: 2,
            state: OriginalsState::Failed,
            changes: vec![GuardedChange {
                path: "tests/test_add.py".to_owned(),
                how: GuardedHow::Changed,
                what: "a test".to_owned(),
                keys: Vec::new(),
            }],
            failing: vec!["test_add".to_owned()],
            first_error: None,
        }),
        EventKind::Proof(Box::new(ProofTaken {
            iteration: 2,
            round: 0,
            proof: proof(),
            rejected: Vec::new(),
        })),
    ]
}

fn proof() -> ProofRecord {
    let tests = Some(counts(41, &[]));
    ProofRecord {
        checks: vec![ProvenCheck {
            command: "pytest".to_owned(),
            passed: true,
            exit_code: Some(0),
            duration_ms: 2_100,
            output_hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                .to_owned(),
            tests: tests.clone(),
        }],
        baseline: BaselineState::Failed,
        tests,
        originals: OriginalsState::Failed,
        doubts: vec![Doubt::new(
            "watched",
            Some("tests/fixtures/sums.json"),
            "a watched file changed",
        )],
        tree: Some("4b825dc642cb6eb9a060e54bf8d69288fbee4904".to_owned()),
        ..ProofRecord::default()
    }
}

fn counts(passed: u32, failing: &[&str]) -> TestCounts {
    TestCounts {
        passed,
        failed: u32::try_from(failing.len()).expect("few"),
        skipped: 0,
        failing: failing.iter().map(|name| (*name).to_owned()).collect(),
    }
}
