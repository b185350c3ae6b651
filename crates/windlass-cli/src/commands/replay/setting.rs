//! What is tried in a replay: rules and their thresholds, as they are typed.

use std::collections::BTreeMap;

use serde_json::Value;
use windlass_core::rules;

use crate::{
    config::{checked, nearest},
    host::failure::Failure,
};

/// Thresholds that are tried together.
#[derive(Debug)]
pub(crate) struct Setting(Vec<Threshold>);

#[derive(Debug)]
struct Threshold {
    rule: &'static str,
    option: &'static str,
    text: String,
    value: Value,
}

impl Setting {
    /// Reads `RULE=VALUE`, or several with commas between them.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        text.split(',').map(Threshold::parse).collect::<Result<_, _>>().map(Self)
    }

    /// A loop's options with these thresholds in them.
    pub(crate) fn over(&self, options: &Value) -> Result<Value, Failure> {
        let Value::Object(frozen) = options else {
            return Err(Failure::usage("the options of this loop cannot be read"));
        };
        let mut frozen = frozen.clone();
        for threshold in &self.0 {
            frozen.insert(threshold.option.to_owned(), threshold.value.clone());
        }
        Ok(Value::Object(frozen))
    }

    /// The thresholds by their rules.
    pub(crate) fn shown(&self) -> BTreeMap<&'static str, String> {
        self.0.iter().map(|threshold| (threshold.rule, threshold.text.clone())).collect()
    }
}

impl Threshold {
    fn parse(text: &str) -> Result<Self, Failure> {
        let Some((name, value)) = text.split_once('=') else {
            return Err(Failure::usage(format!("`--set {text}` has no value"))
                .hint("it is written `--set RULE=VALUE`, such as `--set stagnation=5`"));
        };
        let (rule, option) = rule_of(name.trim())?;
        let text = value.trim().to_owned();
        let value =
            checked(option, &text).map_err(|why| Failure::usage(format!("`--set`: {why}")))?;
        let value = serde_json::to_value(&value)
            .map_err(|error| Failure::usage(format!("`--set {name}` cannot be used: {error}")))?;
        Ok(Self { rule, option, text, value })
    }
}

/// The rule of that name or that flag, and the option that holds its threshold.
fn rule_of(name: &str) -> Result<(&'static str, &'static str), Failure> {
    let plain = name.trim_start_matches("--").replace('_', "-");
    // It shares a threshold, and setting it alone would promise what cannot be held.
    if plain == "missing-status" {
        return Err(Failure::usage("the rule `missing-status` has no threshold of its own")
            .hint("it counts to that of `stagnation`: set that one"));
    }
    for (rule, option) in rules::ALL.iter().filter(|(rule, _)| *rule != "missing-status") {
        let Some(option) = option else {
            if *rule == plain {
                let why = format!("the rule `{rule}` has no threshold: it trips at once");
                return Err(Failure::usage(why));
            }
            continue;
        };
        if *rule == plain || option.replace('_', "-") == plain {
            return Ok((rule, option));
        }
    }
    let failure = Failure::usage(format!("there is no rule `{name}`"));
    let known = rules::ALL.iter().filter(|(_, option)| option.is_some()).map(|(rule, _)| *rule);
    let known: Vec<&str> = known.filter(|rule| *rule != "missing-status").collect();
    Err(match nearest(&plain, known.iter().copied()) {
        Some(near) => failure.hint(format!("did you mean `{near}`?")),
        None => failure.hint(format!("the rules are {}", known.join(", "))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_goes_by_its_name_and_by_its_flag() {
        for text in ["stagnation=5", "--stagnation-threshold=5", "stagnation_threshold = 5"] {
            let setting = Setting::parse(text).expect("it is good");
            assert_eq!(
                setting.over(&serde_json::json!({"x": 1})).unwrap(),
                serde_json::json!({"x": 1, "stagnation_threshold": 5})
            );
        }
        let both = Setting::parse("output-decline=50,max-duration=2h").expect("it is good");
        assert_eq!(both.shown().len(), 2);
    }

    #[test]
    fn what_cannot_be_set_is_told() {
        let told = |text: &str| {
            let failure = Setting::parse(text).expect_err("it is wrong");
            format!("{}\n", [vec![failure.error.to_string()], failure.hints].concat().join("; "))
        };
        let all: String = [
            "stagnatoin=3",
            "weather=3",
            "stagnation",
            "stagnation=many",
            "churn=-1",
            "blocked=1",
            "missing-status=2",
            "max-cost=x",
            "output-decline=120",
        ]
        .map(told)
        .concat();
        insta::assert_snapshot!(all, @r#"
        there is no rule `stagnatoin`; did you mean `stagnation`?
        there is no rule `weather`; the rules are permission, agent-failing, safety-completion, test-only, oscillation, same-error, stagnation, churn, output-decline, max-cost, max-tokens, max-duration, max-iterations
        `--set stagnation` has no value; it is written `--set RULE=VALUE`, such as `--set stagnation=5`
        `--set`: `stagnation_threshold` takes an integer, not `many`
        `--set`: `churn_threshold` cannot be `-1`: it is 0 or more
        the rule `blocked` has no threshold: it trips at once
        the rule `missing-status` has no threshold of its own; it counts to that of `stagnation`: set that one
        `--set`: `max_cost` takes a number, not `x`
        `--set`: `output_decline_threshold` cannot be `"120"`: expected a percentage from `0%` to `100%`, such as `70%`, found `120`
        "#);
    }
}
