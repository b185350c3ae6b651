//! What was sent along with a request: one JSON object, or nothing.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::StatusCode,
};
use serde_json::{Map, Value};

use crate::web::{Problem, State};

/// The object that was sent; empty where nothing was.
pub(super) struct Sent(pub(super) Map<String, Value>);

impl FromRequest<State> for Sent {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &State) -> Result<Self, Problem> {
        let bytes = Bytes::from_request(request, state).await.map_err(|rejected| {
            let what = match rejected.status() {
                StatusCode::PAYLOAD_TOO_LARGE => "what was sent is too long: 1 MiB is the most",
                _ => "what was sent did not arrive whole",
            };
            Problem::new(rejected.status(), what)
        })?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(Self(Map::new()));
        }
        match serde_json::from_slice(&bytes) {
            Ok(Value::Object(object)) => Ok(Self(object)),
            Ok(_) => Err(Problem::unusable("what is sent here is a JSON object")),
            Err(error) => Err(Problem::new(
                StatusCode::BAD_REQUEST,
                format!("what was sent is no JSON: {error}"),
            )),
        }
    }
}

impl Sent {
    /// The options that were sent: the object `options`, and what stands beside it.
    pub(super) fn options(mut self) -> Result<Map<String, Value>, Problem> {
        match self.0.remove("options") {
            None | Some(Value::Null) => Ok(self.0),
            Some(Value::Object(options)) => {
                self.0.extend(options);
                Ok(self.0)
            }
            Some(_) => {
                Err(Problem::unusable("`options` is an object: the name of a flag, and its value"))
            }
        }
    }

    /// Takes a text out of the object.
    pub(super) fn take_text(&mut self, key: &str) -> Result<String, Problem> {
        match self.0.remove(key) {
            Some(Value::String(text)) => Ok(text),
            Some(_) => Err(Problem::unusable(format!("`{key}` is a text"))),
            None => Err(Problem::unusable(format!("`{key}` is missing"))),
        }
    }
}
