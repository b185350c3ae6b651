//! The rows of findings: the ledger, as plain SQL reads it.

use rusqlite::{Connection, Result, params};
use windlass_core::{
    event::{FindingsSeen, FixTried},
    findings::{Mark, Noticed, Skip},
    ids::LoopId,
};

use crate::store::columns::json;

/// Takes in what a review found.
pub(super) fn seen(connection: &Connection, id: &LoopId, seen: &FindingsSeen) -> Result<()> {
    for noticed in &seen.observed.noticed {
        notice(connection, id, seen.iteration, noticed)?;
    }
    for number in &seen.observed.gone {
        mark(connection, id, *number, &Mark::Fixed)?;
    }
    Ok(())
}

/// Takes in what became of a fix.
pub(super) fn tried(connection: &Connection, id: &LoopId, tried: &FixTried) -> Result<()> {
    match &tried.mark {
        Some(found) => mark(connection, id, tried.number, found),
        None => Ok(()),
    }
}

/// Takes in why findings were skipped, which leaves them as they stand.
pub(super) fn skipped(connection: &Connection, id: &LoopId, skips: &[Skip]) -> Result<()> {
    for skip in skips {
        connection
            .prepare_cached("UPDATE findings SET reason = ? WHERE loop = ? AND number = ?")?
            .execute(params![skip.reason, id.as_str(), skip.number])?;
    }
    Ok(())
}

fn notice(connection: &Connection, id: &LoopId, iteration: u32, noticed: &Noticed) -> Result<()> {
    let Noticed { number, standing, finding } = noticed;
    let extra = if finding.extra.is_empty() { None } else { Some(json(&finding.extra)?) };
    connection
        .prepare_cached(
            "INSERT INTO findings
                 (loop, number, identity, severity, file, line, end_line, title, description,
                  suggestion, status, standing, first_iteration, last_iteration, extra)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 'open', ?11, ?12, ?12, ?13)
             ON CONFLICT (loop, number) DO UPDATE SET
                 identity = excluded.identity, severity = excluded.severity,
                 file = excluded.file, line = excluded.line, end_line = excluded.end_line,
                 title = excluded.title, description = excluded.description,
                 suggestion = excluded.suggestion, status = 'open', standing = excluded.standing,
                 last_iteration = excluded.last_iteration, extra = excluded.extra,
                 reason = CASE excluded.standing WHEN 'open' THEN reason END",
        )?
        .execute(params![
            id.as_str(),
            number,
            finding.identity(),
            finding.severity.as_str(),
            finding.file,
            finding.line,
            finding.end_line,
            finding.title,
            finding.description,
            finding.suggestion,
            standing.word(),
            iteration,
            extra,
        ])?;
    Ok(())
}

fn mark(connection: &Connection, id: &LoopId, number: u32, mark: &Mark) -> Result<()> {
    let (status, reason) = match mark {
        Mark::Fixed => ("fixed", None),
        Mark::Skipped { reason } => ("skipped", Some(reason)),
        Mark::Open => ("open", None),
    };
    connection
        .prepare_cached("UPDATE findings SET status = ?, reason = ? WHERE loop = ? AND number = ?")?
        .execute(params![status, reason, id.as_str(), number])?;
    Ok(())
}
