//! What a loop, or one of its iterations, changed.

use axum::{
    extract::{Path, State as Extracted},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Serialize;

use super::{
    answer::{answer, json},
    find::find_in,
    schema,
};
use crate::{
    control::changes::Changes,
    web::{Problem, State},
};

/// How much of a diff is given.
const MOST: usize = 4 * 1024 * 1024;

/// A unified diff.
#[derive(Serialize)]
struct Diff {
    /// The iteration; nothing where it is the whole loop.
    iteration: Option<u32>,
    diff: String,
    /// Whether its end is left out, for it is too long.
    truncated: bool,
}

/// What the whole loop changed
#[utoipa::path(get, path = "/api/v1/loops/{id}/diff", params(("id" = String, Path, description = "A name, an id or the beginning of one")), responses((status = 200, description = "A unified diff", body = schema::Diff), (status = "default", description = "Why not", body = schema::Problem)))]
pub(super) async fn whole(Extracted(state): Extracted<State>, Path(id): Path<String>) -> Response {
    shown(&state, id, None).await
}

/// What one iteration changed
#[utoipa::path(get, path = "/api/v1/loops/{id}/diff/{n}", params(("id" = String, Path, description = "A name, an id or the beginning of one"), ("n" = u32, Path, description = "The iteration, from 1")), responses((status = 200, description = "A unified diff", body = schema::Diff), (status = "default", description = "Why not", body = schema::Problem)))]
pub(super) async fn iteration(
    Extracted(state): Extracted<State>,
    Path((id, number)): Path<(String, String)>,
) -> Response {
    match number.parse() {
        Ok(number) if number > 0 => shown(&state, id, Some(number)).await,
        _ => Problem::new(StatusCode::NOT_FOUND, "iterations are counted from 1").into_response(),
    }
}

async fn shown(state: &State, id: String, iteration: Option<u32>) -> Response {
    let diff = diff(state, id, iteration).await;
    let written = diff.and_then(|(diff, truncated)| {
        json(&Diff { iteration, diff, truncated }).map_err(Problem::from)
    });
    answer(StatusCode::OK, written)
}

/// The diff of an iteration, or of the whole loop, and whether its end is left out.
pub(crate) async fn diff(
    state: &State,
    id: String,
    iteration: Option<u32>,
) -> Result<(String, bool), Problem> {
    let app = state.app().clone();
    let made = state.act(move |store| {
        let record = find_in(store, &id)?;
        let mut diff = Changes::of(&app, store, &record, iteration)?.shown();
        let truncated = diff.len() > MOST;
        diff.truncate(diff.floor_char_boundary(MOST));
        Ok((diff, truncated))
    });
    made.await
}
