//! What was changed about a loop when it was taken up again, as lines.

use serde_json::Value;
use windlass_core::{event::OptionChanged, text::sanitise};

use crate::{report::paint::Paint, text};

/// How much of a value is shown.
const WIDTH: usize = 60;

/// The line of a change. How many iterations are allowed is told with the loop itself.
pub(crate) fn changed(change: &OptionChanged, paint: Paint) -> Option<String> {
    if change.option == "max_iterations" {
        return None;
    }
    let flag = sanitise::line(&change.flag()).into_owned();
    let (from, to) = (value(change.from.as_ref()), value(change.to.as_ref()));
    Some(format!("{} {flag} from {from} to {to}", paint.warn("changed:")))
}

fn value(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "nothing".to_owned(),
        Some(Value::Array(items)) if items.is_empty() => "nothing".to_owned(),
        Some(Value::Array(items)) => {
            items.iter().map(|item| self::value(Some(item))).collect::<Vec<_>>().join(", ")
        }
        Some(Value::Bool(true)) => "on".to_owned(),
        Some(Value::Bool(false)) => "off".to_owned(),
        Some(Value::String(words)) => {
            let first = words.trim().lines().next().unwrap_or_default();
            let more = if words.trim().lines().nth(1).is_some() { " …" } else { "" };
            format!("`{}{more}`", text::truncate(&sanitise::line(first), WIDTH))
        }
        Some(other) => text::truncate(&sanitise::line(&other.to_string()), WIDTH),
    }
}
