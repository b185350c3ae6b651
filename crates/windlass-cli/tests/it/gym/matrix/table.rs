//! The errors with each threshold, as a table; and whether they are fewest at the defaults.

use std::fmt::Write as _;

use super::{super::verdict::Sums, knob::Knob};

const HEAD: &str = "| rule | threshold | right | honest, given up early | hopeless, stopped early | \
                    hopeless, stopped late | iterations wasted | runs again |\n\
                    |---|---|---|---|---|---|---|---|\n";

/// How many agents were not judged right, and how many of these were honest and given up.
type Errors = (u32, u32);

/// The rows, and what is wrong with them.
#[derive(Default)]
pub(super) struct Table {
    rows: String,
    /// Why defaults are kept that do not have the fewest errors.
    kept: String,
    pub(super) wrong: Vec<String>,
    /// The errors of the rule that rows are added of.
    errors: Vec<(u32, Errors)>,
}

impl Table {
    /// Adds what became of all agents with this threshold, some of which ran again for it.
    pub(super) fn row(&mut self, knob: &Knob, value: u32, sums: &Sums, again: usize) {
        let Sums { right, too_early_honest, too_early, too_late, wasted, .. } = sums;
        let shown = if value == knob.default { format!("**{value}**") } else { value.to_string() };
        let early = too_early - too_early_honest;
        let _ = writeln!(
            self.rows,
            "| `{}` | {shown} | {right} | {too_early_honest} | {early} | {too_late} | {wasted} | \
             {again} |",
            knob.rule
        );
        self.errors.push((value, (sums.agents - right, *too_early_honest)));
        if Some(value) == knob.values().last() {
            self.judge(knob);
        }
    }

    /// Misses decide, and then honest agents that were given up.
    fn judge(&mut self, knob: &Knob) {
        let errors = std::mem::take(&mut self.errors);
        let of_default = errors.iter().find(|(value, _)| *value == knob.default);
        let of_default = of_default.expect("the default is among the values").1;
        let better = errors.iter().filter(|(_, errors)| *errors < of_default);
        let better: Vec<String> = better.map(|(value, _)| value.to_string()).collect();
        let (rule, better) = (knob.rule, better.join(" and "));
        match (knob.kept_because, better.is_empty()) {
            (None, true) => {}
            (None, false) => self.wrong.push(format!("`{rule}`: fewer errors with {better}")),
            (Some(_), true) => {
                self.wrong.push(format!("`{rule}`: the default is best, and excused"));
            }
            (Some(why), false) => {
                let _ = writeln!(self.kept, "- `{rule}` has fewer errors with {better}, but {why}");
            }
        }
    }

    /// The table, and why defaults are kept that do not have the fewest errors.
    pub(super) fn told(&self) -> String {
        let kept = if self.kept.is_empty() { String::new() } else { format!("\n{}", self.kept) };
        format!("{HEAD}{}{kept}", self.rows)
    }
}
