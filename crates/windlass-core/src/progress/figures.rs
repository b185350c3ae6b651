//! Which numbers in the output of a check get better.

use std::collections::BTreeMap;

use super::Move;
use crate::evidence::Figure;

/// A figure that went back this often is noise.
const NOISE: u32 = 2;

/// Words that tell that less is better.
const LESS: &[&str] = &[
    "bad",
    "error",
    "fail",
    "finding",
    "issue",
    "left",
    "loss",
    "miss",
    "open",
    "problem",
    "remain",
    "todo",
    "unresolved",
    "violation",
    "warning",
    "wrong",
];

/// Words that tell that more is better.
const MORE: &[&str] =
    &["accuracy", "complete", "cover", "done", "finished", "ok", "pass", "score", "success"];

/// The figures of one check, by the lines that they stand in.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Figures(BTreeMap<String, Track>);

/// How one figure went.
#[derive(Clone, Debug, PartialEq)]
struct Track {
    best: f64,
    last: f64,
    way: Option<Way>,
    backwards: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Down,
    Up,
}

impl Figures {
    /// Takes in the figures of one more run; gives the first that is better than ever.
    pub(super) fn observe(&mut self, figures: &[Figure]) -> Option<Move> {
        let mut better = None;
        for figure in figures.iter().filter(|figure| figure.value.is_finite()) {
            let track = self.0.entry(figure.of.clone()).or_insert_with(|| Track::new(figure));
            if let Some(from) = track.better(figure.value) {
                let (of, to) = (figure.of.clone(), figure.value);
                better.get_or_insert(Move::Figure { of, from, to });
            }
        }
        better
    }
}

impl Track {
    fn new(figure: &Figure) -> Self {
        Self { best: figure.value, last: figure.value, way: Way::told_by(&figure.of), backwards: 0 }
    }

    /// The best before, if the number is better now. Where no word tells which way is better, it is the way
    /// that the figure went first.
    fn better(&mut self, now: f64) -> Option<f64> {
        let went = match now.partial_cmp(&self.last)? {
            std::cmp::Ordering::Less => Way::Down,
            std::cmp::Ordering::Greater => Way::Up,
            std::cmp::Ordering::Equal => return None,
        };
        self.last = now;
        let way = *self.way.get_or_insert(went);
        if went != way {
            self.backwards += 1;
        }
        let is_best = if way == Way::Down { now < self.best } else { now > self.best };
        let is_better = is_best && self.backwards < NOISE;
        is_better.then(|| std::mem::replace(&mut self.best, now))
    }
}

impl Way {
    fn told_by(line: &str) -> Option<Self> {
        let line = line.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
        match (has(LESS), has(MORE)) {
            (true, false) => Some(Self::Down),
            (false, true) => Some(Self::Up),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn better(of: &str, values: &[f64]) -> Vec<f64> {
        let mut figures = Figures::default();
        let seen = values
            .iter()
            .filter(|&&value| figures.observe(&[Figure { of: of.to_owned(), value }]).is_some());
        seen.copied().collect()
    }

    #[test]
    fn a_figure_that_goes_one_way_gets_better() {
        assert_eq!(better("# tests left", &[10.0, 9.0, 9.0, 8.0]), [9.0, 8.0]);
        assert_eq!(better("distance #", &[0.8, 0.5, 0.1]), [0.5, 0.1]);
        assert_eq!(better("# of # parts done", &[1.0, 2.0, 3.0]), [2.0, 3.0]);
    }

    #[test]
    fn one_that_gets_worse_by_its_words_does_not() {
        assert!(better("# tests failed", &[3.0, 4.0, 5.0]).is_empty());
        assert!(better("coverage: #", &[80.0, 70.0]).is_empty());
    }

    #[test]
    fn one_step_back_is_allowed_and_noise_is_not_credited() {
        assert_eq!(better("# errors", &[9.0, 7.0, 8.0, 6.0, 5.0]), [7.0, 6.0, 5.0]);
        assert_eq!(better("n #", &[5.0, 3.0, 9.0, 4.0, 7.0, 2.0, 1.0]), [3.0]);
        assert!(better("n #", &[f64::NAN, 1.0, 1.0]).is_empty());
    }
}
