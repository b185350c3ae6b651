//! How a loop comes closer: what is left after each iteration, as a line, with what became of each
//! claim below it.

use maud::{Markup, html};

use super::scale::{Axis, BOTTOM, HEIGHT, LEFT, RIGHT, WIDTH, at, column, is_labelled};

/// More points than this are drawn as fewer: the last of each group.
const MOST_POINTS: usize = 160;
/// Up to so many points have their value written beside them.
const MOST_VALUES: usize = 16;

/// What became of an iteration, drawn below its point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Nothing to be marked.
    #[default]
    None,
    /// Its claim was rejected.
    Rejected,
    /// Its claim was accepted.
    Accepted,
    /// Its session failed.
    Failed,
}

impl Mark {
    fn sign(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Rejected => "✗",
            Self::Accepted => "✓",
            Self::Failed => "!",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Rejected => ", claim rejected",
            Self::Accepted => ", claim accepted",
            Self::Failed => ", failed",
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::None => "mark",
            Self::Rejected | Self::Failed => "mark bad",
            Self::Accepted => "mark good",
        }
    }
}

/// What the chart shows.
pub(crate) struct Convergence<'a> {
    /// A part of an id that is unique on the page.
    pub(crate) id: &'a str,
    /// What is counted: `findings`, `failing checks`, `lines changed`.
    pub(crate) what: &'a str,
    /// Each iteration: its number, the count, and what became of it.
    pub(crate) points: Vec<(u32, u64, Mark)>,
}

/// The chart.
pub(crate) fn convergence(chart: &Convergence<'_>) -> Markup {
    let points = thinned(&chart.points);
    let most = points.iter().map(|(_, value, _)| *value).max().unwrap_or(0);
    let axis = Axis::up_to(most as f64, true);
    let count = points.len();
    let place = |n: usize| (at(column(n, count)), at(axis.y(points[n].1 as f64)));
    let line: Vec<String> = (0..count).map(place).map(|(x, y)| format!("{x},{y}")).collect();
    let area = format!(
        "{},{} {} {},{}",
        at(column(0, count)),
        at(axis.y(0.0)),
        line.join(" "),
        at(column(count.saturating_sub(1), count)),
        at(axis.y(0.0))
    );
    let title = format!("chart-{}-title", chart.id);
    let desc = format!("chart-{}-desc", chart.id);
    html! {
        svg.chart viewBox={ "0 0 " (at(WIDTH)) " " (at(HEIGHT)) } role="img" aria-labelledby={ (title) " " (desc) } {
            title id=(title) { "Convergence: " (chart.what) " by iteration" }
            desc id=(desc) { (words(chart)) }
            (grid(&axis, |value| format!("{value}")))
            @if count > 1 { polygon.area points=(area) {} }
            polyline.line points=(line.join(" ")) {}
            @for (n, (number, value, mark)) in points.iter().enumerate() {
                @let (x, y) = place(n);
                @if count <= 60 { circle.dot cx=(x) cy=(y) r="3.5" {} }
                @if count <= MOST_VALUES {
                    text.value x=(x) y=(at(axis.y(*value as f64) - 10.0)) { (value) }
                }
                @if is_labelled(n, count) {
                    text.label x=(x) y=(at(HEIGHT - BOTTOM + 27.0)) { (number) }
                }
                @if *mark != Mark::None && count <= 60 {
                    text class=(mark.class()) x=(x) y=(at(HEIGHT - 6.0)) { (mark.sign()) }
                }
            }
        }
    }
}

/// The lines behind a chart, and the numbers beside them.
pub(super) fn grid(axis: &Axis, words: impl Fn(f64) -> String) -> Markup {
    html! {
        @for tick in &axis.ticks {
            @let y = axis.y(*tick);
            line.grid x1=(at(LEFT)) y1=(at(y)) x2=(at(WIDTH - RIGHT)) y2=(at(y)) {}
            text.tick x=(at(LEFT - 8.0)) y=(at(y + 6.0)) { (words(*tick)) }
        }
    }
}

/// At most [`MOST_POINTS`] of the points: the last of each group, for that is how it stood.
fn thinned(points: &[(u32, u64, Mark)]) -> Vec<(u32, u64, Mark)> {
    let group = points.len().div_ceil(MOST_POINTS).max(1);
    points.chunks(group).filter_map(|group| group.last().copied()).collect()
}

/// The chart in words, for those who cannot see it.
fn words(chart: &Convergence<'_>) -> String {
    const MOST: usize = 40;
    let shown = &chart.points[chart.points.len().saturating_sub(MOST)..];
    let earlier = chart.points.len() - shown.len();
    let each: Vec<String> = shown
        .iter()
        .map(|(number, value, mark)| format!("iteration {number}: {value}{}", mark.words()))
        .collect();
    let before = if earlier > 0 { format!("{earlier} earlier ones; ") } else { String::new() };
    format!("{before}{}", each.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_can_be_read_without_colour_and_without_eyes() {
        let chart = Convergence {
            id: "convergence",
            what: "failing checks",
            points: vec![(1, 3, Mark::None), (2, 1, Mark::Rejected), (3, 0, Mark::Accepted)],
        };
        insta::assert_snapshot!(convergence(&chart).into_string().replace('>', ">\n"), @r#"
        <svg class="chart" viewBox="0 0 640 226" role="img" aria-labelledby="chart-convergence-title chart-convergence-desc">
        <title id="chart-convergence-title">
        Convergence: failing checks by iteration</title>
        <desc id="chart-convergence-desc">
        iteration 1: 3; iteration 2: 1, claim rejected; iteration 3: 0, claim accepted</desc>
        <line class="grid" x1="66" y1="168" x2="626" y2="168">
        </line>
        <text class="tick" x="58" y="174">
        0</text>
        <line class="grid" x1="66" y1="120.7" x2="626" y2="120.7">
        </line>
        <text class="tick" x="58" y="126.7">
        1</text>
        <line class="grid" x1="66" y1="73.3" x2="626" y2="73.3">
        </line>
        <text class="tick" x="58" y="79.3">
        2</text>
        <line class="grid" x1="66" y1="26" x2="626" y2="26">
        </line>
        <text class="tick" x="58" y="32">
        3</text>
        <polygon class="area" points="159.3,168 159.3,26 346,120.7 532.7,168 532.7,168">
        </polygon>
        <polyline class="line" points="159.3,26 346,120.7 532.7,168">
        </polyline>
        <circle class="dot" cx="159.3" cy="26" r="3.5">
        </circle>
        <text class="value" x="159.3" y="16">
        3</text>
        <text class="label" x="159.3" y="195">
        1</text>
        <circle class="dot" cx="346" cy="120.7" r="3.5">
        </circle>
        <text class="value" x="346" y="110.7">
        1</text>
        <text class="label" x="346" y="195">
        2</text>
        <text class="mark bad" x="346" y="220">
        ✗</text>
        <circle class="dot" cx="532.7" cy="168" r="3.5">
        </circle>
        <text class="value" x="532.7" y="158">
        0</text>
        <text class="label" x="532.7" y="195">
        3</text>
        <text class="mark good" x="532.7" y="220">
        ✓</text>
        </svg>
        "#);
    }

    #[test]
    fn a_thousand_iterations_make_a_small_picture() {
        let points = (1..=1000).map(|n| (n, u64::from(1000 - n), Mark::Rejected)).collect();
        let svg = convergence(&Convergence { id: "c", what: "findings", points }).into_string();
        assert!(svg.len() < 12_000, "{}", svg.len());
        assert!(svg.contains("960 earlier ones"));
    }

    #[test]
    fn no_points_and_one_point_are_pictures_too() {
        for points in [vec![], vec![(1, 0, Mark::None)]] {
            let svg = convergence(&Convergence { id: "c", what: "findings", points });
            assert!(!svg.into_string().contains("NaN"));
        }
    }
}
