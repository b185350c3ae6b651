//! The events of a loop, as they happen.

use axum::{
    extract::{Path, State as Extracted},
    http::{HeaderMap, HeaderName},
    response::{IntoResponse, Response},
};

use super::{find::find, schema};
use crate::web::{Problem, State, follow::listen};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Follow a loop: every event after `Last-Event-ID`, from the first on where there is none
#[utoipa::path(get, path = "/api/v1/loops/{id}/events", params(("id" = String, Path, description = "A name, an id or the beginning of one"), ("Last-Event-ID" = Option<u64>, Header, description = "The last event that was seen")), responses((status = 200, description = "Server-sent events: `id` is the number, `event` the type, `data` the event", body = schema::Event, content_type = "text/event-stream"), (status = "default", description = "Why not", body = schema::Problem)))]
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
