//! What people read of the fate of a claim, and notes on its proof.

use windlass_core::{proof_record::ProofRecord, text::sanitise};

use super::{proof, proven::Proven, short_id};
use crate::{report::paint::Paint, text};

/// How many doubts about one proof are named.
const DOUBT_LINES: usize = 10;

/// Why a claim was rejected, a line each: the label stands before the first reason, and the others are
/// indented.
pub(crate) fn rejected(label: &str, reasons: &[String], paint: Paint) -> Vec<String> {
    let label = paint.bad(label);
    let line = |(n, reason): (usize, &String)| match n {
        0 => format!("{label} {}", sanitise::line(reason)),
        _ => format!("  {}", sanitise::line(reason)),
    };
    reasons.iter().enumerate().map(line).collect()
}

/// A claim that was accepted, and by how many checks on which tree.
pub(super) fn accepted(label: &str, checks: u32, tree: Option<&str>, paint: Paint) -> String {
    let label = paint.good(label);
    match (checks, tree) {
        (0, _) => format!("{label} unverified, no check was given"),
        (n, Some(tree)) => {
            format!("{label} {} passed on tree {}", text::count(n, "check"), short_id(tree))
        }
        (n, None) => format!("{label} {} passed", text::count(n, "check")),
    }
}

/// A claim that was accepted although part of its proof was waived.
pub(super) fn waived(label: &str, proof: Option<&ProofRecord>, paint: Paint) -> String {
    let proven = proof.map(Proven::of).unwrap_or_default();
    format!("{} {}", paint.warn(label), proven.words(None, true))
}

/// Whether a proof lists this doubt.
pub(crate) fn is_in_proof(doubt: &str, proof: Option<&ProofRecord>) -> bool {
    proof.is_some_and(|proof| proof.doubts.iter().any(|listed| listed.reason == doubt))
}

/// What the other lines of a claim do not tell of its proof: flaky checks and doubts.
pub(super) fn of_proof(proof: &ProofRecord, paint: Paint) -> Vec<String> {
    let mut lines: Vec<String> = proof::flaky(&proof.flaky, paint).into_iter().collect();
    lines.extend(proof.doubts.iter().take(DOUBT_LINES).map(|one| proof::doubt(one, paint)));
    let more = proof.doubts.len().saturating_sub(DOUBT_LINES);
    if more > 0 {
        lines.push(format!("and {}", text::number(more, "more doubt")));
    }
    lines
}

/// A doubt about a proof, as a line.
pub(crate) fn doubted(doubt: &str, paint: Paint) -> String {
    format!("  {} {}", paint.warn("but"), sanitise::line(doubt))
}
