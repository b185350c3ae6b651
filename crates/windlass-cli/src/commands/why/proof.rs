//! What `why` tells of the last claim: which tests fail, which fail on the originals, and which guarded
//! files differ, each with the flag that lets the agent change it.

use serde::Serialize;
use windlass_core::{
    event::{Event, EventKind, OriginalsRan},
    proof_record::OriginalsState,
    step::guarded::{GuardStep, GuardedChange},
    step::{Step, StepResult},
    test_counts::TestCounts,
    view::{Fate, LoopView},
};

use crate::report::{
    paint::Paint,
    words::proof::{failing, guarded_change, name, originals, tests},
};

/// How many guarded files people see.
const FILES: usize = 10;

/// The evidence against the last claim, or what was changed before it was accepted.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct LastClaim {
    /// The iteration that it was made in.
    iteration: u32,
    /// The checks that failed.
    failed: Vec<Failed>,
    /// The result of the checks on the original tests, where they ran on them.
    originals: Option<OriginalsRan>,
    /// The guarded files that differ.
    guarded: Vec<Guarded>,
    /// Whether any difference of a guarded file rejects.
    #[serde(skip)]
    locks: bool,
    /// Whether it was rejected.
    rejected: bool,
}

/// A check that failed.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Failed {
    command: String,
    tests: Option<TestCounts>,
}

/// A guarded file that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Guarded {
    #[serde(flatten)]
    change: GuardedChange,
    /// The flag that lets the agent change it.
    flag: String,
}

impl LastClaim {
    /// What is known of the last claim of a loop; `None` before one.
    pub(crate) fn of(view: &LoopView, history: &[Event]) -> Option<Self> {
        let claim = view.claim.as_ref()?;
        let ran = view.originals.as_ref().filter(|ran| ran.iteration == claim.iteration);
        let (mut changes, mut locks) = (Vec::new(), false);
        for event in history {
            match &event.kind {
                EventKind::StepStarted { step: Step::Guarded { guard, .. }, .. } => {
                    let GuardStep { locks: now, .. } = guard;
                    locks = *now;
                }
                EventKind::StepFinished { place, result: StepResult::Guarded(seen) }
                    if place.iteration() == claim.iteration =>
                {
                    changes.clone_from(&seen.changes);
                }
                _ => {}
            }
        }
        if changes.is_empty() {
            changes = ran.map(|ran| ran.changes.clone()).unwrap_or_default();
        }
        let checks = view.proof.iter().flat_map(|proof| &proof.checks);
        let failed = checks.filter(|check| !check.passed);
        let failed = failed
            .map(|check| Failed { command: check.command.clone(), tests: check.tests.clone() });
        Some(Self {
            iteration: claim.iteration,
            failed: failed.collect(),
            originals: ran.filter(|ran| ran.state != OriginalsState::Same).cloned(),
            guarded: changes.into_iter().map(Guarded::of).collect(),
            locks,
            rejected: matches!(claim.fate, Fate::Rejected { .. }),
        })
    }

    /// The same for people, a line each. The reasons of a rejection, where they are shown, name the tests
    /// that fail on the originals.
    pub(crate) fn lines(&self, has_reasons: bool, paint: Paint) -> Vec<String> {
        let mut lines: Vec<String> = self.failed.iter().map(|check| check.line(paint)).collect();
        if let Some(ran) = self.originals.as_ref().filter(|_| !has_reasons) {
            // The files have lines of their own, with their flags.
            let ran = OriginalsRan { changes: Vec::new(), ..ran.clone() };
            lines.extend(originals(&ran, paint).iter().map(|line| format!("  {line}")));
        }
        for file in self.guarded.iter().take(FILES) {
            let flag = match self.rejected {
                true => format!("; to let the agent change it: {}", name(&file.flag)),
                false => String::new(),
            };
            lines.push(format!("  guarded: {}{flag}", guarded_change(&file.change)));
        }
        let more = self.guarded.len().saturating_sub(FILES);
        if more > 0 {
            lines.push(format!("  guarded: and {more} more"));
        }
        if self.rejected && !self.guarded.is_empty() {
            lines.push(match self.locks {
                true => {
                    "  to let it change tests that still pass as they were: --test-policy guard; \
                         to guard nothing: --test-policy free"
                        .to_owned()
                }
                false => "  to guard nothing: --test-policy free".to_owned(),
            });
        }
        lines
    }
}

impl Failed {
    fn line(&self, paint: Paint) -> String {
        let command = name(&self.command);
        let counted = self.tests.as_ref().filter(|tests| tests.ran() > 0).map(tests);
        let names = self.tests.as_ref().and_then(failing);
        let words = [counted, names].into_iter().flatten().collect::<Vec<_>>().join(": ");
        match words.as_str() {
            "" => format!("  `{command}` {}", paint.bad("failed")),
            words => format!("  `{command}` {}: {words}", paint.bad("failed")),
        }
    }
}

impl Guarded {
    fn of(change: GuardedChange) -> Self {
        let flag = format!("--unguard '{}'", glob(&change.path).replace('\'', r"'\''"));
        Self { change, flag }
    }
}

/// A glob that matches this path and no other.
fn glob(path: &str) -> String {
    let literal = |c: char| match c {
        '*' | '?' | '[' | ']' | '{' | '}' => format!("[{c}]"),
        c => c.to_string(),
    };
    path.chars().map(literal).collect()
}

#[cfg(test)]
mod tests {
    use windlass_core::step::guarded::GuardedHow;

    use super::*;

    #[test]
    fn a_flag_names_one_file_whatever_its_name() {
        let flag = |path: &str| {
            Guarded::of(GuardedChange {
                path: path.to_owned(),
                how: GuardedHow::Changed,
                what: String::new(),
                keys: Vec::new(),
            })
            .flag
        };
        assert_eq!(flag("tests/a_test.py"), "--unguard 'tests/a_test.py'");
        assert_eq!(flag("app/[id].test.ts"), "--unguard 'app/[[]id[]].test.ts'");
        assert_eq!(flag("it's_test.py"), r"--unguard 'it'\''s_test.py'");
    }
}
