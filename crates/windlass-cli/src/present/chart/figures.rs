//! The charts of a loop with their captions, for the web page and for reports.

use maud::{Markup, html};
use windlass_core::{event::ClaimFate, view::Point};

use super::{Bars, Convergence, Mark, bars, convergence};
use crate::text;

/// What a line of counts shows.
#[derive(Clone, Copy)]
pub(crate) struct Course<'a> {
    /// A part of an id that is unique on the page.
    pub(crate) id: &'a str,
    /// The heading.
    pub(crate) title: &'a str,
    /// What is counted.
    pub(crate) what: &'a str,
}

/// How a count moved, iteration by iteration, with what became of each claim.
pub(crate) fn converging(course: &Course<'_>, values: &[(u32, u64)], points: &[Point]) -> Markup {
    let Course { id, title, what } = *course;
    let of = |iteration: u32| points.iter().find(|point| point.iteration == iteration);
    let points: Vec<(u32, u64, Mark)> = values
        .iter()
        .map(|(iteration, value)| (*iteration, *value, of(*iteration).map_or(Mark::None, mark)))
        .collect();
    let marked = points.iter().any(|(_, _, mark)| *mark != Mark::None);
    html! {
        figure {
            figcaption {
                strong { (title) } " " (what) " by iteration"
                @if marked { span.faint { " · ✓\u{a0}claim accepted, ✗\u{a0}rejected, !\u{a0}failed" } }
            }
            (convergence(&Convergence { id, what, points }))
        }
    }
}

fn mark(point: &Point) -> Mark {
    match point.claim {
        _ if point.failed => Mark::Failed,
        ClaimFate::Accepted | ClaimFate::AcceptedInPart => Mark::Accepted,
        ClaimFate::Rejected => Mark::Rejected,
        ClaimFate::None => Mark::None,
    }
}

/// Money where the agent tells it, tokens where it tells those, and time where it tells neither.
pub(crate) fn costs(id: &str, spend: Option<String>, active_ms: u64, points: &[Point]) -> Markup {
    let sum = || spend.clone().unwrap_or_default();
    let tokens =
        |point: &Point| (point.usage.input_tokens as f64, point.usage.output_tokens as f64);
    let (title, caption, chart) = if points.iter().any(|one| one.usage.cost_usd.is_some()) {
        let value = |one: &Point| (one.iteration, one.usage.cost_usd.unwrap_or(0.0), 0.0);
        let values = points.iter().map(value).collect();
        let title = "Cost by iteration";
        ("Cost", sum(), Bars { id, title, sum: sum(), values, words: text::money })
    } else if points.iter().any(|one| tokens(one) != (0.0, 0.0)) {
        let value = |one: &Point| (one.iteration, tokens(one).0, tokens(one).1);
        let values = points.iter().map(value).collect();
        let title = "Tokens by iteration";
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of tokens"
        )]
        let words = |value: f64| text::short(value as u64);
        let caption = format!("{} · the hatched part is what came out", sum());
        ("Tokens", caption, Bars { id, title, sum: sum(), values, words })
    } else {
        let value = |one: &Point| (one.iteration, one.duration_ms as f64, 0.0);
        let values = points.iter().map(value).collect();
        let sum = format!("{} in all; no cost reported", text::millis(active_ms));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of milliseconds"
        )]
        let words = |value: f64| text::millis(value as u64);
        let title = "Time by iteration";
        ("Time", sum.clone(), Bars { id, title, sum, values, words })
    };
    html! {
        figure {
            figcaption { strong { (title) } " " (caption) }
            (bars(&chart))
        }
    }
}
