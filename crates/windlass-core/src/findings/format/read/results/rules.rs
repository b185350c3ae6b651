//! The rules of a SARIF run, and the messages that they keep for their results.

use std::collections::HashMap;

use serde_json::Value;

/// The rules of a run: those of the tool itself by place and name, those of its extensions by name.
pub(super) struct Rules<'a> {
    listed: &'a [Value],
    named: HashMap<&'a str, &'a Value>,
}

impl<'a> Rules<'a> {
    /// The rules of a run.
    pub(super) fn of(run: &'a Value) -> Self {
        let list =
            |tool: &'a Value| tool["rules"].as_array().map(Vec::as_slice).unwrap_or_default();
        let listed = list(&run["tool"]["driver"]);
        let extensions =
            run["tool"]["extensions"].as_array().map(Vec::as_slice).unwrap_or_default();
        let all = listed.iter().chain(extensions.iter().flat_map(list));
        let named = all.filter_map(|rule| Some((rule["id"].as_str()?, rule))).collect();
        Self { listed, named }
    }

    /// The name of a result's rule, and the rule; `null` where it is not described.
    pub(super) fn of_result<'b>(&'b self, result: &'b Value) -> (Option<&'b str>, &'b Value) {
        let reference = &result["rule"];
        let id = result["ruleId"].as_str().or(reference["id"].as_str());
        // A name may have parts, of which the rule is described by the first: `CA1000/1`.
        let named = id.and_then(|id| {
            let above = || id.rsplit_once('/').and_then(|(above, _)| self.named.get(above));
            self.named.get(id).or_else(above)
        });
        let index = result["ruleIndex"].as_u64().or(reference["index"].as_u64());
        let index = index.filter(|_| reference.get("toolComponent").is_none());
        let index = index.and_then(|index| usize::try_from(index).ok());
        let listed = index.and_then(|index| self.listed.get(index));
        let rule = named.copied().or(listed).unwrap_or(&Value::Null);
        (id.or(rule["id"].as_str()), rule)
    }
}

/// The text of a message, or the one that the rule keeps under the message's name; its arguments
/// are put in their places.
pub(super) fn message(message: &Value, rule: &Value) -> Option<String> {
    let kept = || rule["messageStrings"].get(message["id"].as_str()?)?.get("text")?.as_str();
    let text = message["text"].as_str().or_else(kept).or(message["markdown"].as_str())?;
    let Some(arguments) = message["arguments"].as_array() else {
        return Some(text.to_owned());
    };
    let mut out = text.to_owned();
    for (at, argument) in arguments.iter().enumerate() {
        out = out.replace(&format!("{{{at}}}"), argument.as_str().unwrap_or_default());
    }
    Some(out)
}
