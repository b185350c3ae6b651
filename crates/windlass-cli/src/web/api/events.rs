//! The events of a loop, as they happen.

use axum::{
    extract::{Path, State as Extracted},
    http::{HeaderMap, HeaderName},
    response::{IntoResponse, Response},
};

use super::find::find;
use crate::web::{Problem, State, follow::listen};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Follows a loop: every event after `Last-Event-ID`, from the first on where there is none.
pub(super) async fn follow(
    Extracted(state): Extracted<State>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let seen = match headers.get(LAST_EVENT_ID).map(|value| value.to_str().unwrap_or("?").trim()) {
        None | Some("") => 0,
        Some(text) => match text.parse() {
            Ok(number) => number,
            Err(_) => {
                return Problem::unusable("`Last-Event-ID` is the number of an event")
                    .into_response();
            }
        },
    };
    match find(&state, id).await {
        Ok(record) => listen(&state, record.id, seen),
        Err(problem) => problem.into_response(),
    }
}
