//! The rows of checks: those of claims and of the baseline as they begin and end, and those on the
//! original tests once they are over.

use rusqlite::{Connection, Result, params};
use windlass_core::{
    ids::{LoopId, Place},
    step::guarded::OriginalsReport,
    step::{CheckReport, CheckStep},
    time::Timestamp,
};

use crate::store::columns::{TimeColumn, int, json};

/// What a check was run for that is not of a claim.
fn part(place: &Place) -> Option<&'static str> {
    (place.as_str().split('/').nth(1) == Some("baseline")).then_some("baseline")
}

/// A check began.
pub(super) fn started(
    connection: &Connection,
    id: &LoopId,
    place: &Place,
    step: &CheckStep,
    at: Timestamp,
) -> Result<()> {
    connection
        .prepare_cached("DELETE FROM checks WHERE loop = ? AND place = ? AND passed IS NULL")?
        .execute(params![id.as_str(), place.as_str()])?;
    insert(connection, id, place, (&step.command, step.tree.as_deref(), part(place)), at)
}

fn insert(
    connection: &Connection,
    id: &LoopId,
    place: &Place,
    (command, tree, part): (&str, Option<&str>, Option<&str>),
    at: Timestamp,
) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO checks (loop, iteration, place, command, tree, part, started_at)
             VALUES (?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            id.as_str(),
            place.iteration(),
            place.as_str(),
            command,
            tree,
            part,
            TimeColumn(at)
        ])?;
    Ok(())
}

/// A check ended.
pub(super) fn finished(
    connection: &Connection,
    id: &LoopId,
    place: &Place,
    report: &CheckReport,
) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE checks SET passed = ?, exit_code = ?, timed_out = ?, duration_ms = ?,
                               output_hash = ?, tail = ?, tree = ?, tests = ?
             WHERE loop = ? AND place = ? AND passed IS NULL",
        )?
        .execute(params![
            report.passed,
            report.exit_code,
            report.timed_out,
            int(report.duration_ms),
            report.output_hash,
            report.tail,
            report.tree,
            report.tests.as_ref().map(json).transpose()?,
            id.as_str(),
            place.as_str(),
        ])?;
    Ok(())
}

/// The checks ran on the original tests: a first time with the agent's new tests, at `PLACE/1/1` and
/// so on, and perhaps a second time without them, at `PLACE/2/1`.
pub(super) fn originals(
    connection: &Connection,
    id: &LoopId,
    place: &Place,
    report: &OriginalsReport,
    at: Timestamp,
) -> Result<()> {
    let rounds = [("originals", &report.checks), ("originals_alone", &report.without_new_tests)];
    let all = rounds.iter().flat_map(|(_, reports)| reports.iter());
    let took: u64 = all.map(|report| report.duration_ms).fold(0, u64::saturating_add);
    // Only their end is an event; they ran one after the other up to it.
    let mut began = before(at, took);
    for (round, (part, reports)) in (1..).zip(rounds) {
        for (number, report) in (1..).zip(reports) {
            let place = place.inner(format_args!("{round}/{number}"));
            let what = (report.command.as_str(), report.tree.as_deref(), Some(part));
            insert(connection, id, &place, what, began)?;
            finished(connection, id, &place, report)?;
            let ms = i64::try_from(report.duration_ms).unwrap_or(i64::MAX);
            began = Timestamp(began.0.saturating_add(ms));
        }
    }
    Ok(())
}

fn before(at: Timestamp, ms: u64) -> Timestamp {
    Timestamp(at.0.saturating_sub(i64::try_from(ms).unwrap_or(i64::MAX)))
}
