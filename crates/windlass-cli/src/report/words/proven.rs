//! How far a proof goes, in words: what stands after "done after 3 iterations", and the lines below a
//! summary. Nothing here says "proven" of what was waived, or without a word about checks that passed
//! before the loop.

use windlass_core::proof_record::{BaselineState, OriginalsState, ProofRecord};

use super::proof::{doubt, flaky, named, tests};
use crate::{report::paint::Paint, text};

/// How many doubts are listed.
const DOUBTS: usize = 10;

/// What the sentence about an ending needs to know of its proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Proven {
    /// Whether the checks passed before the first session.
    baseline_passed: bool,
    /// How many doubts there are.
    doubts: usize,
    /// Why it is not verified though checks ran.
    not_verified: Option<String>,
}

impl Proven {
    /// What a proof comes to.
    pub(crate) fn of(record: &ProofRecord) -> Self {
        Self {
            baseline_passed: record.baseline == BaselineState::Passed,
            doubts: record.doubts.len(),
            not_verified: not_verified(record),
        }
    }

    /// What is said after "done": by how many checks it is proven, or that it is not.
    pub(crate) fn words(&self, checks: Option<u32>, unverified: bool) -> String {
        let mut words = match (unverified, checks) {
            (true, _) => match &self.not_verified {
                Some(why) => format!("unverified: {why}"),
                None => "unverified: no check was given".to_owned(),
            },
            // Whether they passed before the loop, too, is not known here.
            (false, None) => "its checks passed".to_owned(),
            (false, Some(n)) => {
                let checks = text::count(n, "check");
                format!("proven by {checks}{}", self.baseline(n))
            }
        };
        if self.doubts > 0 {
            words.push_str(&format!(", with {}", text::count(self.doubts, "doubt")));
        }
        words
    }

    fn baseline(&self, checks: u32) -> &'static str {
        match (self.baseline_passed, checks) {
            (false, _) => "",
            (true, 0 | 1) => " (the check passed before the loop, too)",
            (true, _) => " (the checks passed before the loop, too)",
        }
    }
}

/// Why a proof whose checks ran is none.
fn not_verified(record: &ProofRecord) -> Option<String> {
    let failed: Vec<String> =
        record.checks.iter().filter(|check| !check.passed).map(|one| one.command.clone()).collect();
    let failing = record.tests.as_ref().map_or(0, |tests| tests.failed);
    match (record.originals, record.waived) {
        (OriginalsState::Waived | OriginalsState::Failed, _) => {
            Some("the checks fail on the original tests".to_owned())
        }
        (_, true) if failing > 0 => {
            let tests = text::number(failing, "test");
            let fail = text::agree(failing, "fails", "fail");
            Some(format!("{tests} {fail} that failed before the loop"))
        }
        _ if !failed.is_empty() => {
            let verb = text::agree(failed.len(), "fails", "fail");
            Some(format!("{} {verb}", named(&failed, failed.len())))
        }
        (_, true) => Some("part of the proof was waived".to_owned()),
        _ => None,
    }
}

/// What the facts of a proof are called, by whether its claim was accepted and whether it is verified.
pub(crate) fn label(record: &ProofRecord, (accepted, verified): (bool, bool)) -> &'static str {
    match accepted && verified && !record.waived {
        true => "proof",
        false => "not proven",
    }
}

/// The lines about a proof below a summary; `fate` as for [`label`].
pub(crate) fn lines(record: &ProofRecord, fate: (bool, bool), paint: Paint) -> Vec<String> {
    let mut lines = Vec::new();
    if !record.checks.is_empty() {
        lines.push(format!("  {}: {}", label(record, fate), facts(record).join("; ")));
    }
    lines.extend(released(&record.released).map(|line| format!("  {line}")));
    lines.extend(flaky(&record.flaky, paint).map(|line| format!("  {line}")));
    let shown = record.doubts.iter().take(DOUBTS);
    lines.extend(shown.map(|one| format!("  {}", doubt(one, paint))));
    let more = record.doubts.len().saturating_sub(DOUBTS);
    if more > 0 {
        lines.push(format!(
            "  and {} more; `windlass show --json` has them",
            text::count(more, "doubt")
        ));
    }
    lines
}

/// The tests that findings are about, and that differ.
fn released(tests: &[String]) -> Option<String> {
    let why = match tests.len() {
        0 => return None,
        1 => "a finding is about it, so the work need not pass with it as it was",
        _ => "findings are about them, so the work need not pass with them as they were",
    };
    Some(format!("released: {} ({why})", named(tests, tests.len())))
}

/// What a proof is made of, in clauses.
pub(crate) fn facts(record: &ProofRecord) -> Vec<String> {
    let mut facts = Vec::new();
    let several = record.checks.len() > 1;
    match &record.tests {
        Some(counted) => facts.push(tests(counted)),
        None => {
            let passed = record.checks.iter().filter(|check| check.passed).count();
            let all = text::count(record.checks.len(), "check");
            facts.push(match passed == record.checks.len() {
                true => format!("{all} passed"),
                false => format!("{passed} of {all} passed"),
            });
        }
    }
    facts.push(
        match (record.baseline, several) {
            (BaselineState::Failed, false) => "the check failed before the loop",
            (BaselineState::Failed, true) => "not all checks passed before the loop",
            (BaselineState::Passed, false) => "the check passed before the loop, too",
            (BaselineState::Passed, true) => "the checks passed before the loop, too",
            (BaselineState::NotRun, _) => "no baseline",
        }
        .to_owned(),
    );
    let originals = match record.originals {
        OriginalsState::Same => Some("guarded files unchanged"),
        OriginalsState::Passed => Some("passed on the original tests, too"),
        OriginalsState::Failed => Some("failed on the original tests"),
        OriginalsState::Waived => Some("failed on the original tests, which was waived"),
        OriginalsState::NotRun => None,
    };
    facts.extend(originals.map(str::to_owned));
    facts
}

#[cfg(test)]
mod tests {
    use windlass_core::{proof_record::ProvenCheck, test_counts::TestCounts};

    use super::*;

    fn record(commands: &[(&str, bool)]) -> ProofRecord {
        let check = |(command, passed): &(&str, bool)| ProvenCheck {
            command: (*command).to_owned(),
            passed: *passed,
            exit_code: Some(i32::from(!passed)),
            duration_ms: 5,
            output_hash: String::new(),
            tests: None,
        };
        ProofRecord { checks: commands.iter().map(check).collect(), ..ProofRecord::default() }
    }

    #[test]
    fn proven_is_never_said_without_that_the_checks_passed_before() {
        let passed = |commands| ProofRecord { baseline: BaselineState::Passed, ..record(commands) };
        let one = Proven::of(&passed(&[("a", true)]));
        assert_eq!(
            one.words(Some(1), false),
            "proven by 1 check (the check passed before the loop, too)"
        );
        let two = Proven::of(&passed(&[("a", true), ("b", true)]));
        assert_eq!(
            two.words(Some(2), false),
            "proven by 2 checks (the checks passed before the loop, too)"
        );
        let failed = ProofRecord { baseline: BaselineState::Failed, ..record(&[("a", true)]) };
        assert_eq!(Proven::of(&failed).words(Some(1), false), "proven by 1 check");
        assert_eq!(Proven::default().words(None, false), "its checks passed");
    }

    #[test]
    fn what_was_waived_never_reads_as_proven() {
        let tests = |failed| Some(TestCounts { failed, passed: 4, ..TestCounts::default() });
        let waived = |originals, tests| ProofRecord {
            waived: true,
            originals,
            tests,
            ..record(&[("a", true)])
        };
        for (record, words) in [
            (
                waived(OriginalsState::Waived, None),
                "unverified: the checks fail on the original tests",
            ),
            (
                waived(OriginalsState::Same, tests(1)),
                "unverified: 1 test fails that failed before the loop",
            ),
            (
                waived(OriginalsState::Same, tests(2)),
                "unverified: 2 tests fail that failed before the loop",
            ),
            (waived(OriginalsState::NotRun, None), "unverified: part of the proof was waived"),
            (record(&[("make", false), ("b", true)]), "unverified: make fails"),
            (ProofRecord::default(), "unverified: no check was given"),
        ] {
            assert_eq!(Proven::of(&record).words(Some(1), true), words);
            let shown = lines(&record, (true, false), Paint::default()).join("\n");
            assert!(!shown.contains("proof:") && !shown.contains("proven by"), "{shown}");
        }
    }
}
