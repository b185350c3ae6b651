//! The thresholds that are varied, around their defaults.

use windlass_core::options::Rules;

/// A threshold.
pub(super) struct Knob {
    pub(super) rule: &'static str,
    flag: &'static str,
    values: &'static [u32],
    pub(super) default: u32,
    /// Why the default is kept where another threshold has fewer errors.
    pub(super) kept_because: Option<&'static str>,
}

/// No agent of the gym has a provider that is away for some minutes.
const OUTAGES: &str = "a provider may be away for longer than three sessions, and the pauses between them \
                       grow; no agent of the gym shows that.";

/// All of them.
pub(super) fn knobs() -> Vec<Knob> {
    let rules = Rules::default();
    let percent = rules.output_decline_threshold.to_string();
    let percent = percent.trim_end_matches('%').parse().expect("a percentage is a number");
    let knob =
        |rule, flag, values, default| Knob { rule, flag, values, default, kept_because: None };
    let failing =
        knob("agent-failing", "failure-threshold", &[3, 4, 5, 6], rules.failure_threshold);
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
        Knob { kept_because: Some(OUTAGES), ..failing },
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

    /// What is replayed to see whether a threshold may change anything. A lower one does where it stops the
    /// loop. A higher one does where the default stopped it, or where windlass ran the checks before it would
    /// have, and went on: its count came within one of the default.
    pub(super) fn replayed(&self, value: u32) -> String {
        let short = self.default.saturating_sub(1);
        let replayed = if value > self.default && short > 0 { short } else { value };
        format!("{}={replayed}", self.rule)
    }

    /// What is replayed for all thresholds.
    pub(super) fn all_replayed(&self) -> Vec<String> {
        self.values().map(|value| self.replayed(value)).collect()
    }

    /// The flag that sets it.
    pub(super) fn flag(&self, value: u32) -> [String; 1] {
        [format!("--{}={value}", self.flag)]
    }
}
