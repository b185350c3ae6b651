//! What was asked of the model, for tests to look at.

use serde_json::{Value, json};

use super::Wire;

/// One request.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The method and the path.
    pub line: String,
    /// The protocol, where it asked for an answer.
    pub wire: Option<Wire>,
    /// The turn of the script that answered, from 0; `None` for requests on the side, such as the
    /// one for a title.
    pub turn: Option<usize>,
    /// The body.
    pub body: Value,
}

impl Record {
    /// Whether these words stand anywhere in the body.
    pub fn says(&self, words: &str) -> bool {
        contains(&self.body, words)
    }

    /// The request as one line of JSON.
    pub fn json(&self) -> Value {
        json!({"line": self.line, "turn": self.turn, "body": self.body})
    }
}

/// Whether a string of this value has the words in it.
fn contains(value: &Value, words: &str) -> bool {
    match value {
        Value::String(text) => text.contains(words),
        Value::Array(items) => items.iter().any(|item| contains(item, words)),
        Value::Object(fields) => fields.values().any(|field| contains(field, words)),
        _ => false,
    }
}
