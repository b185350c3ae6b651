//! What could not be done for a request: a status, plain words, and what to do next.

use std::error::Error;

use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use windlass::LoopError;
use windlass_core::{
    event::{ConfigEntry, ConfigKind},
    text::causes::with_causes,
};
use windlass_store::store::FindError;

use crate::host::failure::{Failure, Kind};

/// Why a request was not done. It is answered as `{"error": {"message": …, "hint": …}}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    status: StatusCode,
    message: String,
    hints: Vec<String>,
    exit_code: Option<u8>,
    untrusted: Option<Untrusted>,
}

/// What a repository has agents run or obey, and nobody has trusted. It is answered in a form of its
/// own: `{"error": "untrusted", "entries": […], "command": …}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Untrusted {
    error: &'static str,
    entries: Vec<UntrustedEntry>,
    command: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct UntrustedEntry {
    agent: String,
    file: String,
    kind: ConfigKind,
    command: String,
}

impl Untrusted {
    /// The entries, and the command that trusts them.
    pub(crate) fn new(entries: Vec<ConfigEntry>, command: String) -> Self {
        let shown = |entry: ConfigEntry| {
            let ConfigEntry { agent, file, kind, name, command } = entry;
            // Where nothing is run, the name says what it is.
            let command = if command.is_empty() { name } else { command };
            UntrustedEntry { agent, file, kind, command }
        };
        Self { error: "untrusted", entries: entries.into_iter().map(shown).collect(), command }
    }
}

#[derive(Serialize)]
struct Told<'a> {
    error: Words<'a>,
}

#[derive(Serialize)]
struct Words<'a> {
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<u8>,
}

impl Problem {
    /// A problem of that status, in words.
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            hints: Vec::new(),
            exit_code: None,
            untrusted: None,
        }
    }

    /// What was sent cannot be used.
    pub(crate) fn unusable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// The same with a line on what to do next.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The same with the exit code of the process that could not do it.
    pub(crate) fn exit_code(mut self, code: Option<u8>) -> Self {
        self.exit_code = code;
        self
    }

    /// A loop that was refused for what its repository has agents run or obey.
    pub(crate) fn untrusted(untrusted: Untrusted) -> Self {
        let problem = Self::new(StatusCode::CONFLICT, LoopError::UNTRUSTED);
        Self { untrusted: Some(untrusted), ..problem }
    }

    /// What could not be done.
    #[cfg(test)]
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// The status that it is answered with.
    #[cfg(test)]
    pub(crate) fn code(&self) -> StatusCode {
        self.status
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let message = with_causes(&*failure.error);
        let status = status(&failure);
        Self { hints: failure.hints, ..Self::new(status, message) }
    }
}

/// The status that says what sort of failure it is.
fn status(failure: &Failure) -> StatusCode {
    let error: &(dyn Error + 'static) = failure.error.as_ref();
    if error.is::<FindError>() {
        return StatusCode::NOT_FOUND;
    }
    if let Some(LoopError::NoTree { .. }) = error.downcast_ref::<LoopError>() {
        return StatusCode::NOT_FOUND;
    }
    if error.is::<LoopError>() && matches!(failure.kind, Kind::Usage) {
        return StatusCode::CONFLICT;
    }
    match failure.kind {
        Kind::Unsuccessful | Kind::Usage => StatusCode::UNPROCESSABLE_ENTITY,
        Kind::CircuitOpen | Kind::Setup => StatusCode::CONFLICT,
        Kind::Storage | Kind::ReaderGone => StatusCode::SERVICE_UNAVAILABLE,
        Kind::Survivors | Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let hint = (!self.hints.is_empty()).then(|| self.hints.join("\n"));
        let words = Words { message: &self.message, hint, exit_code: self.exit_code };
        let body = match &self.untrusted {
            Some(untrusted) => serde_json::to_string(untrusted),
            None => serde_json::to_string(&Told { error: words }),
        };
        let body = body.expect("words and a number can be written as JSON");
        (self.status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
    }
}
