//! What each iteration cost, as bars: one part, or two parts on top of each other of which the
//! upper one is hatched.

use maud::{Markup, html};

use super::{
    convergence::grid,
    scale::{Axis, BOTTOM, HEIGHT, WIDTH, at, column, column_width, is_labelled},
};

/// More bars than this are drawn as sums of several iterations.
const MOST_BARS: usize = 60;
/// Up to so many bars have their value written above them.
const MOST_VALUES: usize = 12;

/// What the chart shows.
pub(crate) struct Bars<'a> {
    /// A part of an id that is unique on the page.
    pub(crate) id: &'a str,
    /// The heading: `Cost by iteration`.
    pub(crate) title: &'a str,
    /// What it comes to, in words.
    pub(crate) sum: String,
    /// Each iteration: its number, the lower part and the upper part.
    pub(crate) values: Vec<(u32, f64, f64)>,
    /// How a value is written.
    pub(crate) words: fn(f64) -> String,
}

/// The chart.
pub(crate) fn bars(chart: &Bars<'_>) -> Markup {
    let (values, group) = summed(&chart.values);
    let most = values.iter().map(|(_, lower, upper)| lower + upper).fold(0.0, f64::max);
    let axis = Axis::up_to(most, false);
    let count = values.len();
    let width = (column_width(count) * 0.64).min(38.0);
    let hatch = format!("chart-{}-hatch", chart.id);
    let title = format!("chart-{}-title", chart.id);
    let desc = format!("chart-{}-desc", chart.id);
    let ground = axis.y(0.0);
    html! {
        svg.chart viewBox={ "0 0 " (at(WIDTH)) " " (at(HEIGHT)) } role="img" aria-labelledby={ (title) " " (desc) } {
            title id=(title) { (chart.title) }
            desc id=(desc) {
                (chart.sum)
                @if group > 1 { "; each bar is the sum of " (group) " iterations" }
            }
            defs {
                pattern id=(hatch) width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" {
                    rect.hatch-ground width="6" height="6" {}
                    line.hatch-line x1="0" y1="0" x2="0" y2="6" {}
                }
            }
            (grid(&axis, chart.words))
            @for (n, (number, lower, upper)) in values.iter().enumerate() {
                @let x = column(n, count);
                @let (low, high) = (axis.y(*lower), axis.y(lower + upper));
                rect.bar x=(at(x - width / 2.0)) y=(at(low)) width=(at(width)) height=(at(ground - low)) {}
                @if *upper > 0.0 {
                    rect.bar-upper x=(at(x - width / 2.0)) y=(at(high)) width=(at(width)) height=(at(low - high)) fill={ "url(#" (hatch) ")" } {}
                }
                @if count <= MOST_VALUES {
                    text.value x=(at(x)) y=(at(high - 6.0)) { ((chart.words)(lower + upper)) }
                }
                @if is_labelled(n, count) {
                    text.label x=(at(x)) y=(at(HEIGHT - BOTTOM + 27.0)) { (number) }
                }
            }
        }
    }
}

/// At most [`MOST_BARS`] values, each the sum of so many.
fn summed(values: &[(u32, f64, f64)]) -> (Vec<(u32, f64, f64)>, usize) {
    let group = values.len().div_ceil(MOST_BARS).max(1);
    let sum = |group: &[(u32, f64, f64)]| {
        let last = group.last().map_or(0, |(number, ..)| *number);
        let (lower, upper) =
            (group.iter().map(|one| one.1).sum(), group.iter().map(|one| one.2).sum());
        (last, lower, upper)
    };
    (values.chunks(group).map(sum).collect(), group)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    fn chart(values: Vec<(u32, f64, f64)>) -> String {
        let sum = "1.5k tokens in all".to_owned();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of tokens"
        )]
        let words = |value: f64| text::short(value as u64);
        bars(&Bars { id: "cost", title: "Tokens by iteration", sum, values, words }).into_string()
    }

    #[test]
    fn both_parts_of_a_bar_are_told_apart_by_form() {
        let svg = chart(vec![(1, 900.0, 100.0), (2, 400.0, 100.0)]);
        insta::assert_snapshot!(svg.replace('>', ">\n"), @r#"
        <svg class="chart" viewBox="0 0 640 226" role="img" aria-labelledby="chart-cost-title chart-cost-desc">
        <title id="chart-cost-title">
        Tokens by iteration</title>
        <desc id="chart-cost-desc">
        1.5k tokens in all</desc>
        <defs>
        <pattern id="chart-cost-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="hatch-ground" width="6" height="6">
        </rect>
        <line class="hatch-line" x1="0" y1="0" x2="0" y2="6">
        </line>
        </pattern>
        </defs>
        <line class="grid" x1="66" y1="168" x2="626" y2="168">
        </line>
        <text class="tick" x="58" y="174">
        0</text>
        <line class="grid" x1="66" y1="97" x2="626" y2="97">
        </line>
        <text class="tick" x="58" y="103">
        500</text>
        <line class="grid" x1="66" y1="26" x2="626" y2="26">
        </line>
        <text class="tick" x="58" y="32">
        1k</text>
        <rect class="bar" x="187" y="40.2" width="38" height="127.8">
        </rect>
        <rect class="bar-upper" x="187" y="26" width="38" height="14.2" fill="url(#chart-cost-hatch)">
        </rect>
        <text class="value" x="206" y="20">
        1k</text>
        <text class="label" x="206" y="195">
        1</text>
        <rect class="bar" x="467" y="111.2" width="38" height="56.8">
        </rect>
        <rect class="bar-upper" x="467" y="97" width="38" height="14.2" fill="url(#chart-cost-hatch)">
        </rect>
        <text class="value" x="486" y="91">
        500</text>
        <text class="label" x="486" y="195">
        2</text>
        </svg>
        "#);
    }

    #[test]
    fn a_thousand_iterations_make_few_bars() {
        let svg = chart((1..=1000).map(|n| (n, 1.0, 0.0)).collect());
        assert!(svg.len() < 12_000, "{}", svg.len());
        assert!(svg.contains("each bar is the sum of 17 iterations"));
    }
}
