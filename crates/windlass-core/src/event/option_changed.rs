//! An option of a loop that was changed when the loop was taken up again.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An option that has another value from here on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptionChanged {
    /// Its name, as the frozen options have it.
    pub option: String,
    /// The value that it had; none where it had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Value>,
    /// The value that it has now; none where it has none any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Value>,
}

impl OptionChanged {
    /// What differs between options as they were and as they are, in the order of their names.
    pub fn between(before: &Value, after: &Value) -> Vec<Self> {
        let (Some(before), Some(after)) = (before.as_object(), after.as_object()) else {
            return Vec::new();
        };
        let mut options: Vec<&String> = before.keys().chain(after.keys()).collect();
        options.sort_unstable();
        options.dedup();
        let value = |of: Option<&Value>| of.filter(|value| !value.is_null()).cloned();
        let changes = options.into_iter().map(|option| Self {
            option: option.clone(),
            from: value(before.get(option)),
            to: value(after.get(option)),
        });
        changes.filter(|change| change.from != change.to).collect()
    }

    /// The name of the loop's agent, where this makes it another.
    pub fn agent(&self) -> Option<&str> {
        let to = self.to.as_ref().and_then(Value::as_str)?;
        match self.option.as_str() {
            "agent" => Some(to),
            "command" => Some("command"),
            _ => None,
        }
    }

    /// The flag that changes the option.
    pub fn flag(&self) -> String {
        match self.option.as_str() {
            "checks" => "--check".to_owned(),
            "task" | "task_prompt" => "--prompt".to_owned(),
            option => format!("--{}", option.replace('_', "-")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_differs_is_a_change_each() {
        let before = json!({"agent": "claude", "checks": [], "grace": "5s", "model": null});
        let after = json!({"command": "x", "checks": ["make"], "grace": "5s"});
        let changes = OptionChanged::between(&before, &after);
        let told: Vec<_> = changes
            .iter()
            .map(|change| format!("{} {:?} {:?}", change.flag(), change.from, change.agent()))
            .collect();
        assert_eq!(
            told,
            [
                "--agent Some(String(\"claude\")) None",
                "--check Some(Array []) None",
                "--command None Some(\"command\")",
            ]
        );
    }
}
