//! What is different about a loop that is taken up again: its options with the changes in them, what
//! was changed, and whether that changes what a rule tripped on.

use serde_json::{Map, Value};
use windlass_agents::{BuiltIn, DEFAULT};
use windlass_core::{event::OptionChanged, rules, secrets, task_file::without_mark};

use super::named_file;
use crate::kind::Kind;

/// What goes with an agent, and means nothing to another.
const OF_ONE_AGENT: [&str; 4] = ["model", "agent_args", "prompt_mode", "decoder"];

/// What only agents with flags for it take.
const OF_REAL_AGENTS: [&str; 2] = ["append_system_prompt", "skip_permissions"];

/// What only agents with hooks take.
const OF_HOOKED_AGENTS: [&str; 2] = ["hooks_file", "hooks_text"];

/// What a user changes that bears on every rule.
const BEARS_ON_ALL: [&str; 9] = [
    "checks",
    "unguard",
    "test_policy",
    "known_failures",
    "prompt",
    "task_prompt",
    "task",
    "agent",
    "command",
];

/// Globs that are given when a loop goes on, and are added to those that it has.
const ADDED_TO: [&str; 2] = ["guard", "unguard"];

/// What follows from others, and is no change that a user made.
const NOT_TOLD: [&str; 4] = ["hooks_text", "programs", "prompt_file", "branched"];

/// The options as they were frozen, with the changes in them. Where that is another agent, it has
/// nothing of the one that was there.
pub fn changed_options(frozen: &Value, changes: &Map<String, Value>) -> Value {
    let Value::Object(frozen) = frozen else { return frozen.clone() };
    let mut options = frozen.clone();
    options.extend(changes.clone());
    for key in ADDED_TO {
        if let (Some(Value::Array(had)), Some(Value::Array(given))) =
            (frozen.get(key), changes.get(key))
        {
            let more = given.iter().filter(|glob| !had.contains(glob));
            options.insert(key.to_owned(), had.iter().chain(more).cloned().collect());
        }
    }
    match (changes.contains_key("agent"), changes.contains_key("command")) {
        (true, false) => drop(options.remove("command")),
        (false, true) => drop(options.remove("agent")),
        _ => (),
    }
    let (before, after) = (agent_of(frozen), agent_of(&options));
    if before != after {
        let built_in = BuiltIn::named(&after);
        let mut aside = OF_ONE_AGENT.to_vec();
        if built_in.is_none_or(|built_in| built_in.install.is_none()) {
            aside.extend(OF_REAL_AGENTS);
        }
        if !built_in.is_some_and(|built_in| built_in.abilities.hooks) {
            aside.extend(OF_HOOKED_AGENTS);
        }
        for key in aside.into_iter().filter(|key| !changes.contains_key(*key)) {
            options.remove(key);
        }
    }
    Value::Object(options)
}

/// The name of the loop's own agent, without its model.
fn agent_of(options: &Map<String, Value>) -> String {
    let text = |key: &str| options.get(key).and_then(Value::as_str);
    let asked = match (text("agent"), text("command")) {
        (Some(agent), _) => agent,
        (None, Some(_)) => "command",
        (None, None) => DEFAULT,
    };
    asked.split(':').next().unwrap_or_default().to_owned()
}

/// What differs between a loop's options as they were and as they are.
pub(super) fn between(before: &Kind, after: &Kind) -> Vec<OptionChanged> {
    let [before, after] =
        [before, after].map(|kind| serde_json::to_value(kind).unwrap_or_default());
    let changes = OptionChanged::between(&before, &after).into_iter();
    changes.filter(|change| !NOT_TOLD.contains(&change.option.as_str())).collect()
}

/// The change that bears on what a rule tripped on, if one does.
pub(super) fn bearing_on<'c>(
    rule: &str,
    changes: &'c [OptionChanged],
) -> Option<&'c OptionChanged> {
    let threshold = rules::ALL.iter().find(|(name, _)| *name == rule).and_then(|(_, key)| *key);
    let permission = (rule == "permission").then_some("skip_permissions");
    changes.iter().find(|change| {
        let option = change.option.as_str();
        BEARS_ON_ALL.contains(&option) || [threshold, permission].contains(&Some(option))
    })
}

/// Says that the file which the prompt was read from has another text now, if it has.
pub(super) fn stale_prompt(kind: &Kind) -> Option<String> {
    let file = kind.prompt_file()?;
    let directory = file.parent()?;
    let text = named_file::read(directory, file.file_name()?.as_ref()).ok()?;
    let (now, kept) = (without_mark(&text).trim(), kind.prompt().trim());
    // A secret that is in no variable any more is not in what is kept either.
    let is_known = !kept.contains(secrets::BEGINS);
    let shown = file.display();
    (is_known && now != kept).then(|| {
        format!(
            "the prompt file has changed since, and this loop keeps the prompt that it has; \
             `--prompt-file {shown}` takes the new one"
        )
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn changed(frozen: Value, changes: Value) -> Value {
        changed_options(&frozen, changes.as_object().unwrap())
    }

    #[test]
    fn another_agent_has_nothing_of_the_one_before() {
        let claude = json!({"agent": "claude", "model": "opus", "skip_permissions": true, "x": 1});
        assert_eq!(
            changed(claude.clone(), json!({"command": "me"})),
            json!({"command": "me", "x": 1})
        );
        assert_eq!(
            changed(claude.clone(), json!({"agent": "codex", "model": "o3"})),
            json!({"agent": "codex", "model": "o3", "skip_permissions": true, "x": 1})
        );
        let command = json!({"command": "me", "decoder": "claude", "prompt_mode": "stdin"});
        assert_eq!(
            changed(command.clone(), json!({"agent": "claude"})),
            json!({"agent": "claude"})
        );
        assert_eq!(
            changed(command, json!({"command": "you"})),
            json!({"command": "you", "decoder": "claude", "prompt_mode": "stdin"})
        );
        assert_eq!(changed(claude.clone(), json!({})), claude);
    }

    #[test]
    fn globs_are_added_to_those_that_the_loop_has() {
        let frozen = json!({"unguard": ["a/**"], "guard": [], "checks": ["x"]});
        let given = json!({"unguard": ["b/**", "a/**"], "guard": ["data/**"], "checks": ["y"]});
        assert_eq!(
            changed(frozen, given),
            json!({"unguard": ["a/**", "b/**"], "guard": ["data/**"], "checks": ["y"]})
        );
    }

    #[test]
    fn a_threshold_bears_on_its_own_rule_and_a_check_on_all() {
        let change = |option: &str| {
            [OptionChanged { option: option.to_owned(), from: None, to: Some(json!(1)) }]
        };
        let bears = |rule: &str, option: &str| bearing_on(rule, &change(option)).is_some();
        assert!(bears("stagnation", "stagnation_threshold") && bears("churn", "checks"));
        for option in ["unguard", "test_policy", "known_failures"] {
            assert!(bears("safety-completion", option), "{option}");
        }
        assert!(!bears("safety-completion", "guard"));
        assert!(bears("missing-status", "stagnation_threshold"));
        assert!(bears("permission", "skip_permissions") && bears("blocked", "prompt"));
        assert!(!bears("churn", "stagnation_threshold") && !bears("churn", "skip_permissions"));
        assert!(!bears("churn", "timeout"));
    }
}
