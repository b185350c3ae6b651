//! Figures of the head: budgets as bars, and the trend as a line of bars.

use ratatui::text::Span;
use windlass_core::{ending::BudgetKind, rules::Spend};

use crate::{text, tui::theme::Theme};

/// The bar of a budget.
const BUDGET_BAR: usize = 12;
/// So many values of the sparkline are also told in figures.
const FIGURES: usize = 6;
const SPARKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The label of a budget.
pub(super) fn budget_word(kind: BudgetKind) -> &'static str {
    match kind {
        BudgetKind::Cost => "cost",
        BudgetKind::Tokens => "tokens",
        BudgetKind::Duration => "duration",
    }
}

/// How much of a budget is spent.
pub(super) fn budget(spend: &Spend, theme: Theme) -> Vec<Span<'static>> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "figures for people, which are never negative"
    )]
    let whole = |amount: f64| amount as u64;
    let shown = |amount: f64| match spend.kind {
        BudgetKind::Cost => text::money(amount),
        BudgetKind::Tokens => text::short(whole(amount)),
        BudgetKind::Duration => text::millis(whole(amount)),
    };
    let percent = whole(spend.spent / spend.limit * 100.0);
    let style = match percent {
        0..75 => theme.good(),
        75..100 => theme.warn(),
        _ => theme.bad(),
    };
    let bar = text::bar(percent, 100, BUDGET_BAR);
    let words = format!("  {} of {} · {percent} %", shown(spend.spent), shown(spend.limit));
    vec![Span::styled(bar, style), Span::raw(words)]
}

/// The last values as bars of a cell each, the newest at the right.
pub(super) fn sparkline(values: &[u64], cells: usize) -> String {
    let last = &values[values.len().saturating_sub(cells)..];
    let most = last.iter().copied().max().unwrap_or(0).max(1);
    let spark = |value: &u64| {
        let step = value.saturating_mul(7).div_ceil(most);
        usize::try_from(step).ok().and_then(|step| SPARKS.get(step)).copied().unwrap_or('█')
    };
    last.iter().map(spark).collect()
}

/// The last values in figures.
pub(super) fn trend_words(values: &[u64], what: &str) -> String {
    let last = &values[values.len().saturating_sub(FIGURES)..];
    let before = if last.len() < values.len() { "… " } else { "" };
    let figures: Vec<String> = last.iter().map(u64::to_string).collect();
    format!("{what} {before}{}", figures.join(" → "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sparkline_shows_the_last_values() {
        assert_eq!(sparkline(&[0, 7, 14], 10), "▁▅█");
        assert_eq!(sparkline(&[100, 7, 14], 2), "▅█");
        assert_eq!(sparkline(&[0, 0], 5), "▁▁");
        assert_eq!(sparkline(&[], 5), "");
    }

    #[test]
    fn the_trend_is_told_in_figures_too() {
        assert_eq!(trend_words(&[12, 4, 0], "findings"), "findings 12 → 4 → 0");
        assert_eq!(
            trend_words(&[9, 8, 7, 6, 5, 4, 3], "findings"),
            "findings … 8 → 7 → 6 → 5 → 4 → 3"
        );
    }
}
