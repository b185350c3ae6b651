//! `prd.json`: a list `userStories`, each with `passes`. Fields that are not known are passed over.

use serde_json::Value;

use super::{Task, TaskFileError};

/// The stories of a text, in their order.
pub(super) fn tasks(text: &str) -> Result<Vec<Task>, TaskFileError> {
    let value: Value = serde_json::from_str(text).map_err(|error| TaskFileError::BrokenJson {
        line: error.line(),
        column: error.column(),
        why: why(&error),
    })?;
    let stories = value.get("userStories").and_then(Value::as_array);
    let stories = stories.ok_or(TaskFileError::NoStories)?;
    Ok((1..).zip(stories).map(|(number, story)| task(number, story)).collect())
}

/// What is wrong, without the place, which is told apart.
fn why(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

fn task(number: usize, story: &Value) -> Task {
    let field = |name: &str| match story.get(name) {
        Some(Value::String(text)) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let id = field("id");
    let title = field("title").or_else(|| field("name")).or_else(|| field("description"));
    let name = match (&id, title) {
        (Some(id), Some(title)) => format!("{id}: {title}"),
        (Some(only), None) => only.clone(),
        (None, Some(only)) => only,
        (None, None) => format!("story {number}"),
    };
    // Only `true` passes: a word about it does not.
    let done = story.get("passes") == Some(&Value::Bool(true));
    let mut task = Task::new(&name, done, false);
    task.text = serde_json::to_string_pretty(story).unwrap_or_default();
    if let Some(id) = id {
        // A story keeps its id when its title is changed.
        task.key = super::key(&id);
    }
    task
}
