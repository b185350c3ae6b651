//! The end of a loop for people: how it ended, and what it took.

use windlass::{result::LoopResult, said::Usage, view::LoopView};

use super::{ending::Standing, paint::Paint};
use crate::text;

/// The lines of the summary.
pub(crate) fn lines(result: &LoopResult, view: &LoopView, paint: Paint) -> Vec<String> {
    let mut standing = Standing::of_result(result);
    standing.checks = view.proving();
    let mut facts = vec![
        text::count(result.sessions, "session"),
        text::count(view.checks_run, "check"),
        format!("{} modified", text::count(result.files_modified, "file")),
    ];
    facts.extend(spend(result.usage));
    facts.push(text::millis(result.duration_ms));
    vec![standing.words(paint), format!("  {}", facts.join(", "))]
}

/// Tokens and money, where an agent reported them.
pub(crate) fn spend(usage: Usage) -> Option<String> {
    let tokens = (usage.input_tokens, usage.output_tokens);
    let tokens = (tokens != (0, 0)).then(|| {
        format!(
            "{} tokens in and {} out",
            text::short(usage.input_tokens),
            text::short(usage.output_tokens)
        )
    });
    match (usage.cost_usd.map(text::money), tokens) {
        (Some(money), Some(tokens)) => Some(format!("{money} ({tokens})")),
        (money, tokens) => money.or(tokens),
    }
}
