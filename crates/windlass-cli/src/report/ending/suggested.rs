//! Flags of commands that are suggested: what the user can decide, and larger budgets.

use windlass_core::{
    ending::{BudgetKind, Undecided},
    options::Span,
};

/// What the user can do about work that a rule left to them.
pub(super) fn decisions(undecided: &Undecided, is_merge: bool) -> Vec<String> {
    let globs = undecided.globs();
    let unguard = |glob: &String| format!(" --unguard {}", shell_words::quote(glob));
    let resume = match undecided {
        Undecided::KnownFailures => "resume LOOP --known-failures allow".to_owned(),
        Undecided::Originals { .. } if globs.is_empty() => {
            "resume LOOP --test-policy free".to_owned()
        }
        Undecided::Originals { .. } => {
            format!("resume LOOP{}", globs.iter().map(unguard).collect::<String>())
        }
    };
    let look = matches!(undecided, Undecided::Originals { .. }).then(|| "diff LOOP".to_owned());
    let accept = (!is_merge).then(|| "accept LOOP".to_owned());
    look.into_iter().chain(accept).chain([resume]).collect()
}

/// Twice a limit, as its flag takes it.
pub(crate) fn doubled(kind: BudgetKind, limit: &str) -> String {
    let doubled = match kind {
        BudgetKind::Cost => limit.parse().ok().map(|dollars: f64| (dollars * 2.0).to_string()),
        BudgetKind::Tokens => {
            limit.parse().ok().map(|tokens: u64| tokens.saturating_mul(2).to_string())
        }
        BudgetKind::Duration => {
            limit.parse().ok().map(|Span(span)| Span(span.saturating_mul(2)).to_string())
        }
    };
    let usual = match kind {
        BudgetKind::Cost => "10",
        BudgetKind::Tokens => "5000000",
        BudgetKind::Duration => "8h",
    };
    doubled.unwrap_or_else(|| usual.to_owned())
}
