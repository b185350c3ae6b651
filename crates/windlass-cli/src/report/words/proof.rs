//! What people read of a proof: the checks before the first session, what is guarded, how many tests
//! fail, the result of the checks on the original tests, and what is doubted. Every screen has these words
//! from here; names come from agents and check output, so each is sanitised, and long lists are cut.

use windlass_core::{
    event::{BaselineCheck, BaselineTaken, OriginalsRan, TestsCounted},
    proof_record::{BaselineState, Doubt, OriginalsState},
    step::guarded::{GuardReport, GuardedChange},
    test_counts::TestCounts,
    text::sanitise,
};

use crate::{
    report::{paint::Paint, start},
    text,
};

/// How many names of a list are shown.
const NAMED: usize = 5;
/// How much of a command or a test's name is shown.
const LONGEST: usize = 80;

/// The checks before the first session, a line each.
pub(crate) fn baseline(taken: &BaselineTaken) -> Vec<String> {
    let line = |fact: String| match fact.strip_prefix(NOT_RUN) {
        Some(reason) => format!("baseline {NOT_RUN}{reason}"),
        None => format!("baseline: {fact}"),
    };
    before_the_loop(taken).into_iter().map(line).collect()
}

/// The same as lines of the block before the first session.
pub(super) fn baseline_block(taken: &BaselineTaken) -> Vec<String> {
    start::labelled("baseline", before_the_loop(taken).into_iter())
}

/// What is said of checks that did not run before the loop.
const NOT_RUN: &str = "not run";

fn before_the_loop(taken: &BaselineTaken) -> Vec<String> {
    let mut facts: Vec<String> = taken.checks.iter().map(at_baseline).collect();
    let reason = taken.reason.as_deref().map(sanitise::line);
    match (taken.state, reason) {
        (BaselineState::NotRun, Some(reason)) => facts.push(format!("{NOT_RUN}: {reason}")),
        (BaselineState::NotRun, None) => facts.push(NOT_RUN.to_owned()),
        (BaselineState::Failed | BaselineState::Passed, Some(reason)) => {
            facts.push(reason.into_owned());
        }
        (BaselineState::Failed | BaselineState::Passed, None) => {}
    }
    facts
}

/// That the checks cannot show when the work is done, where that is so.
pub(crate) fn baseline_warning(taken: &BaselineTaken) -> Option<String> {
    if taken.state != BaselineState::Passed {
        return None;
    }
    let (subject, object) = match taken.checks.len() {
        0 | 1 => ("the check already passes", "it"),
        _ => ("all checks already pass", "they"),
    };
    Some(format!(
        "{subject}, so {object} cannot show when the work is done; add a `--check` that fails until \
         it is"
    ))
}

/// One check before the first session: `cargo test: 3 of 41 fail`.
pub(crate) fn at_baseline(check: &BaselineCheck) -> String {
    let how = match &check.tests {
        Some(tests) if tests.failed == 0 && !check.passed => format!("fails, {}", passing(tests)),
        Some(tests) => standing(tests),
        None if check.passed => "passes".to_owned(),
        None => "fails".to_owned(),
    };
    format!("{}: {how}", name(&check.command))
}

/// How the tests of a check stand: `3 of 41 fail`, `all 41 pass`.
fn standing(tests: &TestCounts) -> String {
    match (tests.failed, tests.ran()) {
        (0, 0) => "no test ran".to_owned(),
        (0, 1) => "1 test passes".to_owned(),
        (0, ran) => format!("all {ran} pass"),
        (1, ran) => format!("1 of {ran} fails"),
        (failed, ran) => format!("{failed} of {ran} fail"),
    }
}

fn passing(tests: &TestCounts) -> String {
    match tests.ran() {
        0 => "no test ran".to_owned(),
        ran => format!("its {} {}", text::number(ran, "test"), text::agree(ran, "passes", "pass")),
    }
}

/// The tests of a check, as a fact about it: `1 of 41 tests fails`, `41 tests pass, 2 skipped`.
pub(crate) fn tests(tests: &TestCounts) -> String {
    let mut words = match (tests.failed, tests.ran()) {
        (0, 0) => "no test ran".to_owned(),
        (0, ran) => format!("{} {}", text::number(ran, "test"), text::agree(ran, "passes", "pass")),
        (1, 1) => "1 test fails".to_owned(),
        (failed, ran) => {
            format!(
                "{failed} of {} {}",
                text::number(ran, "test"),
                text::agree(failed, "fails", "fail")
            )
        }
    };
    if tests.skipped > 0 {
        words.push_str(&format!(", {} skipped", tests.skipped));
    }
    words
}

/// The tests that fail, named, where the runner names them.
pub(crate) fn failing(tests: &TestCounts) -> Option<String> {
    let all = usize::try_from(tests.failed).unwrap_or(usize::MAX).max(tests.failing.len());
    (!tests.failing.is_empty()).then(|| named(&tests.failing, all))
}

/// How the tests of a check moved since they were counted last: `cargo test: 3 → 1 failing`.
pub(crate) fn counted(counted: &TestsCounted) -> String {
    let command = name(&counted.command);
    match (counted.failed_before.or(counted.failed_at_baseline), counted.tests.failed) {
        (None | Some(0), 0) | (None, _) => format!("{command}: {}", standing(&counted.tests)),
        (Some(before), now) => format!("{command}: {before} → {now} failing"),
    }
}

/// The same, and how many failed before the loop where that is another number.
pub(crate) fn counted_in_all(one: &TestsCounted) -> String {
    let words = counted(one);
    match (one.failed_at_baseline, one.failed_before) {
        (Some(first), Some(before)) if first != before => {
            format!("{words} ({first} failed at first)")
        }
        _ => words,
    }
}

/// What is guarded, in one line, and below it what could not be guarded as usual.
pub(crate) fn guarded(report: &GuardReport) -> Vec<String> {
    let mut parts = Vec::new();
    if report.tests > 0 {
        parts.push(text::count(report.tests, "test file"));
    }
    if !report.others.is_empty() {
        let all = usize::try_from(report.others_count).unwrap_or(usize::MAX);
        parts.push(named(&report.others, all.max(report.others.len())));
    }
    if !report.shared.is_empty() {
        parts.push(format!("keys of {}", named(&report.shared, report.shared.len())));
    }
    let line = match parts.is_empty() {
        true => "nothing (no tests found); `--guard GLOB` adds files".to_owned(),
        false => format!("{}; `--unguard GLOB` releases files", parts.join(", ")),
    };
    let mut lines = vec![start::line("guarded", &line)];
    if !report.locked.is_empty() {
        let locked = named(&report.locked, report.locked.len());
        lines.push(start::line("locked", &format!("any change rejects: {locked}")));
    }
    lines.extend(report.notes.iter().map(|note| start::line("", &sanitise::line(note))));
    lines
}

/// A guarded file that is not as it was: `tests/a.py was changed (a test)`.
pub(crate) fn guarded_change(change: &GuardedChange) -> String {
    let mut words = format!("{} was {}", name(&change.path), change.how.word());
    if !change.keys.is_empty() {
        let keys = named(&change.keys, change.keys.len());
        words.push_str(&format!(", in its guarded keys {keys}"));
    } else if !change.what.is_empty() {
        words.push_str(&format!(" ({})", name(&change.what)));
    }
    words
}

/// The result of the checks on the tests as they were, and which guarded files differ.
pub(crate) fn originals(ran: &OriginalsRan, paint: Paint) -> Vec<String> {
    let what = "the checks also ran on the original tests:";
    let mut lines = match ran.state {
        OriginalsState::Same | OriginalsState::NotRun => Vec::new(),
        OriginalsState::Passed => vec![format!("{what} {}", paint.good("passed"))],
        OriginalsState::Failed => vec![format!("{what} {}", failed_on(ran, paint))],
        OriginalsState::Waived => {
            vec![format!("{what} {}, {}", failed_on(ran, paint), paint.warn("waived"))]
        }
    };
    if let Some(error) = &ran.first_error {
        lines.push(format!("  first error: {}", name(error)));
    }
    let shown = ran.changes.iter().take(NAMED);
    lines.extend(shown.map(|change| format!("  guarded: {}", guarded_change(change))));
    let more = ran.changes.len().saturating_sub(NAMED);
    if more > 0 {
        lines.push(format!("  guarded: and {more} more"));
    }
    lines
}

fn failed_on(ran: &OriginalsRan, paint: Paint) -> String {
    match ran.failing.is_empty() {
        true => paint.bad("failed"),
        false => format!("{} {}", paint.bad("failed:"), named(&ran.failing, ran.failing.len())),
    }
}

/// A doubt as a line.
pub(crate) fn doubt(doubt: &Doubt, paint: Paint) -> String {
    let reason = sanitise::line(&doubt.reason);
    let label = paint.warn("doubt:");
    let file = doubt.file.as_deref().filter(|file| !doubt.reason.contains(*file));
    match (file.map(name), doubt.line) {
        (Some(file), Some(line)) => format!("{label} {file}:{line}: {reason}"),
        (Some(file), None) => format!("{label} {file}: {reason}"),
        (None, _) => format!("{label} {reason}"),
    }
}

/// The checks that passed and failed on one tree, as a line.
pub(crate) fn flaky(checks: &[String], paint: Paint) -> Option<String> {
    let verb = if checks.len() == 1 { "it" } else { "each" };
    (!checks.is_empty()).then(|| {
        let names = named(checks, checks.len());
        format!("{} {names} ({verb} passed and failed on the same files)", paint.warn("flaky:"))
    })
}

/// The first names, and how many more there are.
pub(crate) fn named(names: &[String], all: usize) -> String {
    let shown: Vec<String> = names.iter().take(NAMED).map(|one| name(one)).collect();
    match all.saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A name that may be shown, of bounded length.
pub(crate) fn name(text: &str) -> String {
    text::truncate(&sanitise::line(text), LONGEST)
}

#[cfg(test)]
mod tests;
