//! The JSON API below `/api/v1`: a file a topic. What a loop is like is said in the same words as by
//! `list --json`, `show --json` and `log --json`.

mod answer;
mod events;
mod find;
mod loops;

use axum::{Router, routing::get};

use super::State;

/// The routes of the API.
pub(super) fn routes() -> Router<State> {
    Router::new()
        .route("/api/v1/loops", get(loops::list))
        .route("/api/v1/loops/{id}/events", get(events::follow))
}
