//! Where a number stands in a picture: round axis values, and places with one decimal.

/// The box that a chart is drawn in, in the units of its `viewBox`.
pub(super) const WIDTH: f64 = 640.0;
pub(super) const HEIGHT: f64 = 226.0;
pub(super) const LEFT: f64 = 66.0;
pub(super) const RIGHT: f64 = 14.0;
pub(super) const TOP: f64 = 26.0;
pub(super) const BOTTOM: f64 = 58.0;

/// The axis from 0 to a round number that is at least `most`, and the numbers to write beside it.
pub(super) struct Axis {
    pub(super) top: f64,
    pub(super) ticks: Vec<f64>,
}

impl Axis {
    /// An axis for values up to `most`; `whole` where there are no halves of what is counted.
    pub(super) fn up_to(most: f64, whole: bool) -> Self {
        let most = if most.is_finite() && most > 0.0 { most } else { 1.0 };
        let rough = most / 3.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * power).find(|n| *n >= rough);
        let mut step = step.unwrap_or(rough);
        if whole {
            step = step.max(1.0).round();
        }
        let steps = (most / step).ceil().max(1.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a scale has a handful of steps"
        )]
        let last = steps as u32;
        let ticks = (0..=last).map(|n| f64::from(n) * step).collect();
        Self { top: steps * step, ticks }
    }

    /// How high a value stands.
    pub(super) fn y(&self, value: f64) -> f64 {
        let share = (value / self.top).clamp(0.0, 1.0);
        HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)
    }
}

/// Where the n-th of so many columns has its middle.
pub(super) fn column(n: usize, of: usize) -> f64 {
    let room = WIDTH - LEFT - RIGHT;
    LEFT + room * (n as f64 + 0.5) / of.max(1) as f64
}

/// How wide a column is.
pub(super) fn column_width(of: usize) -> f64 {
    (WIDTH - LEFT - RIGHT) / of.max(1) as f64
}

/// A place in a picture, as short as it can be written.
pub(super) fn at(place: f64) -> String {
    let text = format!("{place:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// Which columns have their number written below: all of a few, some of many.
pub(super) fn is_labelled(n: usize, of: usize) -> bool {
    const MOST: usize = 12;
    let every = of.div_ceil(MOST).max(1);
    n.is_multiple_of(every) || n + 1 == of && of <= MOST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_in_round_numbers() {
        let ticks = |most, whole| Axis::up_to(most, whole).ticks;
        assert_eq!(ticks(12.0, true), [0.0, 5.0, 10.0, 15.0]);
        assert_eq!(ticks(2.0, true), [0.0, 1.0, 2.0]);
        assert_eq!(ticks(0.0, true), [0.0, 1.0]);
        assert_eq!(ticks(0.5, false).len(), 4);
        assert_eq!(ticks(f64::NAN, false).last(), Some(&1.0));
    }

    #[test]
    fn places_are_short_and_in_the_box() {
        assert_eq!([at(12.04), at(3.0), at(0.25)], ["12", "3", "0.2"]);
        let axis = Axis::up_to(10.0, true);
        assert!(axis.y(-5.0) <= HEIGHT && axis.y(1e9) >= TOP);
        assert!(column(999, 1000) < WIDTH);
    }
}
