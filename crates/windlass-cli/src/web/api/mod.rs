//! The JSON API below `/api/v1`: a file a topic. What a loop is like is said in the same words as by
//! `list --json`, `show --json` and `log --json`.

mod act;
mod answer;
pub(crate) mod diff;
mod events;
pub(crate) mod find;
mod loops;
pub(crate) mod openapi;
pub(crate) mod options;
mod question;
pub(crate) mod schema;
mod sent;
mod start;

use axum::{
    Router,
    routing::{get, post},
};

use super::State;

/// The routes of the API.
pub(super) fn routes() -> Router<State> {
    Router::new()
        .route("/api/v1/loops", get(loops::list).post(start::start))
        .route("/api/v1/loops/{id}", get(loops::show))
        .route("/api/v1/loops/{id}/iterations", get(loops::iterations))
        .route("/api/v1/loops/{id}/messages", get(loops::messages))
        .route("/api/v1/loops/{id}/findings", get(loops::findings))
        .route("/api/v1/loops/{id}/diff", get(diff::whole))
        .route("/api/v1/loops/{id}/diff/{n}", get(diff::iteration))
        .route("/api/v1/loops/{id}/events", get(events::follow))
        .route("/api/v1/loops/{id}/cancel", post(act::cancel))
        .route("/api/v1/loops/{id}/resume", post(act::resume))
        .route("/api/v1/loops/{id}/accept", post(act::accept))
        .route("/api/v1/loops/{id}/reset", post(act::reset))
        .route("/api/v1/directories", get(loops::allowed))
        .route("/api/v1/openapi.json", get(openapi::described))
}
