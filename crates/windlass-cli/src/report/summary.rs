//! The end of a loop for people: how it ended, and what it took.

use windlass::{result::LoopResult, said::Usage, view::LoopView};

use super::{ending::Standing, paint::Paint};
use crate::text;

/// So many tasks are named.
const MOST_TASKS: usize = 10;

/// The lines of the summary.
pub(crate) fn lines(result: &LoopResult, view: &LoopView, paint: Paint) -> Vec<String> {
    let mut standing = Standing::of_result(result);
    standing.checks = view.proving();
    let mut facts = vec![
        text::count(result.sessions, "session"),
        text::count(view.checks_run, "check"),
        format!("{} modified", text::count(result.files_modified, "file")),
    ];
    facts.extend(view.tasks.as_ref().map(|view| tasks(view.open, view.done)));
    facts.extend(spend(result.usage));
    facts.push(text::millis(result.duration_ms));
    let mut lines = vec![standing.words(paint), format!("  {}", facts.join(", "))];
    if let Some(view) = &view.tasks {
        let unnamed = |all: u32, named: &[String]| {
            usize::try_from(all).map_or(0, |all| all.saturating_sub(named.len()))
        };
        lines.extend(names(
            "done",
            &view.last_completed,
            unnamed(view.completed, &view.last_completed),
        ));
        lines.extend(names("open", &view.left, unnamed(view.open, &view.left)));
    }
    lines
}

/// How many tasks are done.
pub(crate) fn tasks(open: u32, done: u32) -> String {
    format!("{done} of {} done", text::count(open.saturating_add(done), "task"))
}

/// The tasks that stand so, in a line each; of many the last ones are only counted.
fn names(how: &str, names: &[String], unnamed: usize) -> Vec<String> {
    let unnamed = unnamed + names.len().saturating_sub(MOST_TASKS);
    let shown = names.iter().take(MOST_TASKS);
    let mut lines: Vec<String> = shown.map(|name| format!("  {how}: {name}")).collect();
    if unnamed > 0 {
        lines.push(format!("  {how}: and {unnamed} more"));
    }
    lines
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
