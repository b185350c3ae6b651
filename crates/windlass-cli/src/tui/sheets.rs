//! The texts of the panes, as painted lines, in the words of the commands that show the same.

use windlass_core::{text::sanitise, view::LoopView};
use windlass_store::store::IterationRecord;

use super::opened::Diff;
use crate::{
    commands::{findings as ledger, show},
    report::{paint::Paint, words},
    text,
};

/// Paint for lines that [`super::painted`] reads.
const PAINT: Paint = Paint { colour: true };
/// How much of a diff is shown.
const MOST_DIFF_LINES: usize = 20_000;

/// The iterations: the heading of the list, and an entry each.
pub(super) fn iterations(iterations: &[IterationRecord]) -> (Vec<String>, Vec<String>) {
    if iterations.is_empty() {
        return (vec![PAINT.faint("No iteration was begun yet.")], Vec::new());
    }
    let heads = ["#", "CLAIM", "PASSED", "FILES", "TOOK", "SAID LAST"];
    let mut rows = vec![heads.iter().map(|head| PAINT.faint(head)).collect()];
    rows.extend(iterations.iter().map(iteration));
    let mut lines = text::table(&rows);
    let entries = lines.split_off(1);
    (lines, entries)
}

fn iteration(one: &IterationRecord) -> Vec<String> {
    let claim = match one.claim.as_deref() {
        Some("accepted") => PAINT.good("✓ accepted"),
        Some("rejected") => PAINT.bad("✗ rejected"),
        Some("none") => "· none".to_owned(),
        Some("cut_off") => "○ cut off".to_owned(),
        Some(other) => sanitise::line(other).into_owned(),
        None => "● runs".to_owned(),
    };
    let passed = one.checks.iter().filter(|check| check.passed == Some(true)).count();
    let checks = match one.checks.len() {
        0 => "·".to_owned(),
        all => format!("{passed} of {all}"),
    };
    // Without a tree nobody has looked, and "0" would be a claim.
    let files = one.tree.as_ref().map_or_else(|| "·".to_owned(), |_| one.files_changed.to_string());
    let took = one.duration_ms.map_or_else(|| "·".to_owned(), text::millis);
    let said = PAINT.faint(&sanitise::line(&one.preview));
    vec![one.number.to_string(), claim, checks, files, took, said]
}

/// The checks of an iteration, with what they printed; of the last one that has some, if none is
/// chosen.
pub(super) fn checks(iterations: &[IterationRecord], chosen: Option<u32>) -> Vec<String> {
    let found = match chosen {
        Some(number) => iterations.iter().find(|one| one.number == number),
        None => iterations.iter().rev().find(|one| !one.checks.is_empty()),
    };
    let Some(one) = found else { return vec![PAINT.faint("No check was run yet.")] };
    let mut lines = vec![PAINT.strong(&format!("Iteration {}", one.number))];
    if one.checks.is_empty() {
        lines.push(PAINT.faint("No check was run in it."));
    }
    for check in one.checks.iter().chain(&one.originals) {
        lines.push(String::new());
        lines.push(show::check(check, PAINT).join(" "));
        let clean = sanitise::text(&check.tail);
        lines.extend(clean.trim_end().lines().map(|line| format!("  │ {line}")));
    }
    if !one.rejected_because.is_empty() {
        lines.push(String::new());
        lines.extend(words::rejected("claim rejected:", &one.rejected_because, PAINT));
    }
    lines
}

/// What reviews found, and what became of it.
pub(super) fn findings(view: &LoopView) -> Vec<String> {
    let entries: Vec<_> = view.ledger.entries().iter().collect();
    ledger::lines(&view.ledger, &entries, PAINT)
}

/// The diff, or that it is on its way.
pub(super) fn diff(diff: &Diff) -> Vec<String> {
    match diff {
        Diff::None => Vec::new(),
        Diff::Asked(Some(iteration)) => {
            vec![PAINT.faint(&format!("Looking at what iteration {iteration} changed …"))]
        }
        Diff::Asked(None) => vec![PAINT.faint("Looking at what the loop changed …")],
        Diff::Known(iteration, lines) => {
            let whose = match iteration {
                Some(iteration) => format!("Iteration {iteration}"),
                None => "The whole loop".to_owned(),
            };
            let hint = PAINT.faint("  [ ] other iterations, a all");
            let mut all = vec![format!("{}{hint}", PAINT.strong(&whose)), String::new()];
            if lines.is_empty() {
                all.push(PAINT.faint("Nothing was changed."));
            }
            all.extend(lines.iter().cloned());
            all
        }
    }
}

/// The painted lines of a diff as git gives it; of a long one its beginning.
pub(super) fn painted_diff(diff: &str) -> Vec<String> {
    let mut lines = diff.lines();
    let mut painted: Vec<String> = lines.by_ref().take(MOST_DIFF_LINES).map(diff_line).collect();
    let more = lines.count();
    if more > 0 {
        let more = text::count(more, "more line");
        painted.push(PAINT.warn(&format!("… and {more}, which `windlass diff` shows")));
    }
    painted
}

fn diff_line(line: &str) -> String {
    let clean: String = sanitise::text(line).lines().collect::<Vec<_>>().join(" ");
    if let Some((from, to)) = clean.strip_prefix("index ").and_then(|ids| ids.split_once("..")) {
        // Whole ids are for programs.
        let short = |id: &str| id.chars().take(7).collect::<String>();
        return PAINT.faint(&format!("index {}..{}", short(from), short(to)));
    }
    match line.as_bytes() {
        [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] | [b'd', b'i', b'f', b'f', ..] => {
            PAINT.strong(&clean)
        }
        [b'@', ..] => PAINT.faint(&clean),
        [b'+', ..] => PAINT.good(&clean),
        [b'-', ..] => PAINT.bad(&clean),
        _ => clean,
    }
}
