//! What templates are tried on before a loop starts: with everything there, and with as little as
//! there can be.

use serde_json::{Value, json};

use super::PromptName;

/// The contexts that a prompt must be able to cope with.
pub(super) fn samples(name: PromptName) -> [Value; 2] {
    [sample(name, full), sample(name, least)]
}

/// The value of each variable that the prompt gets.
fn sample(name: PromptName, value: impl Fn(&str) -> Value) -> Value {
    let variables = name.variables().iter();
    Value::Object(variables.map(|&variable| (variable.to_owned(), value(variable))).collect())
}

/// A value with everything that there can be.
fn full(variable: &str) -> Value {
    let pr = json!({
        "number": 7, "title": "Mend it", "author": "somebody", "state": "open", "base": "main",
        "head": "mend",
    });
    let finding = json!({
        "severity": "HIGH", "file": "src/a.rs", "line": 12, "end_line": 14, "title": "It is wrong",
        "description": "It is wrong when empty.", "suggestion": "Look for it.",
        "fate": "a fix was made", "sources": ["correctness", "security"],
    });
    match variable {
        "iteration" | "number" | "attempt" => json!(2),
        "max_iterations" | "max_attempts" | "total" => json!(5),
        "scope" => json!("branch"),
        "reasons" | "checks" | "left_out" | "binary" | "paths" => json!(["one", "two"]),
        "failed" => json!([{"command": "make test", "output": "it failed"}]),
        "files" => json!([{"path": "src/a.rs", "change": "added"}]),
        "pr" => pr,
        "finding" => finding,
        "earlier" => json!([finding]),
        "groups" => json!([
            {"file": "src/a.rs", "findings": [finding]},
            {"file": null, "findings": [finding]},
        ]),
        words => json!(format!("the {words}")),
    }
}

/// A value with as little as there can be.
fn least(variable: &str) -> Value {
    let finding = json!({"severity": "LOW", "title": "t", "description": "", "fate": "open"});
    match variable {
        "iteration" | "number" | "attempt" | "total" | "max_attempts" => json!(1),
        "max_iterations" => json!(0),
        "scope" => json!("all"),
        "reasons" | "checks" | "left_out" | "binary" | "paths" | "failed" | "files" | "earlier" => {
            json!([])
        }
        "pr" => json!({"base": "main", "head": "mend"}),
        "finding" => finding,
        "groups" => json!([{"file": null, "findings": [finding]}]),
        "task" | "review" | "command" | "status" | "output" | "auditor" | "brief" => json!(""),
        _ => Value::Null,
    }
}
