//! Every address that there is.

use axum::{Router, extract::DefaultBodyLimit, routing::get};

use super::{api, assets, page, state::State};

/// The longest body of a request.
const LONGEST_BODY: usize = 1024 * 1024;

/// The routes, behind the guard.
pub(super) fn router(state: State) -> Router {
    Router::new()
        .route("/", get(assets::shell))
        .route("/loops/{id}", get(assets::shell))
        .route("/assets/{name}", get(assets::asset))
        .merge(api::routes())
        .merge(page::routes())
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .with_state(state)
}
