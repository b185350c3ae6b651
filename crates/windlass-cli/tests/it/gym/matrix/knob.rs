//! The thresholds that are varied, around their defaults.

use windlass_core::options::Rules;

/// A threshold.
pub(super) struct Knob {
    pub(super) rule: &'static str,
    flag: &'static str,
    values: &'static [u32],
    pub(super) default: u32,
}

/// All of them.
pub(super) fn knobs() -> Vec<Knob> {
    let rules = Rules::default();
    let percent = rules.output_decline_threshold.to_string();
    let percent = percent.trim_end_matches('%').parse().expect("a percentage is a number");
    let knob = |rule, flag, values, default| Knob { rule, flag, values, default };
    vec![
        knob("stagnation", "stagnation-threshold", &[2, 3, 4, 5], rules.stagnation_threshold),
        knob("churn", "churn-threshold", &[3, 4, 5, 6, 7], rules.churn_threshold),
        knob("oscillation", "oscillation-threshold", &[1, 2, 3], rules.oscillation_threshold),
        knob("same-error", "same-error-threshold", &[3, 4, 5, 6, 7], rules.same_error_threshold),
        knob("output-decline", "output-decline-threshold", &[60, 70, 80, 90], percent),
        knob("test-only", "max-test-loops", &[2, 3, 4], rules.max_test_loops),
        knob(
            "safety-completion",
            "safety-completion-threshold",
            &[3, 4, 5, 6, 7],
            rules.safety_completion_threshold,
        ),
        knob("permission", "permission-threshold", &[1, 2, 3], rules.permission_threshold),
        knob("agent-failing", "failure-threshold", &[3, 4, 5, 6], rules.failure_threshold),
    ]
}

impl Knob {
    /// The thresholds that are tried, with the default among them, in order.
    pub(super) fn values(&self) -> impl Iterator<Item = u32> + '_ {
        let mut values = self.values.to_vec();
        if !values.contains(&self.default) {
            values.push(self.default);
        }
        values.sort_unstable();
        values.into_iter()
    }

    /// What is replayed to see whether a threshold may change anything: itself, and one short of it and
    /// of the default, where windlass runs the checks to look.
    pub(super) fn replayed(&self, value: u32) -> Vec<String> {
        let short = value.min(self.default) - 1;
        let both = [value, short].into_iter().filter(|&value| value > 0);
        both.map(|value| format!("{}={value}", self.rule)).collect()
    }

    /// What is replayed for all thresholds.
    pub(super) fn all_replayed(&self) -> Vec<String> {
        self.values().flat_map(|value| self.replayed(value)).collect()
    }

    /// The flag that sets it.
    pub(super) fn flag(&self, value: u32) -> [String; 1] {
        [format!("--{}={value}", self.flag)]
    }
}
