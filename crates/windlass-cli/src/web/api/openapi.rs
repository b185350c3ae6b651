//! The description of the API, in OpenAPI. Tests hold it to the routes and to real answers.

use axum::{http::StatusCode, response::Response};
use utoipa::{
    Modify, OpenApi,
    openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
};

use super::{act, answer::answer, diff, events, loops, start};

/// What the whole API has in common.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "windlass",
        description = "Watch and steer the loops of a user. Every request carries the token that \
                       `windlass serve` printed. `{id}` is a loop's name, its id or the beginning \
                       of one.",
    ),
    paths(
        loops::list, start::start, loops::show, loops::iterations, loops::messages,
        loops::findings, diff::whole, diff::iteration, events::follow, act::cancel, act::resume,
        act::accept, act::reset, loops::allowed, described,
    ),
    security(("token" = [])),
    modifiers(&Token),
)]
struct Api;

struct Token;

impl Modify for Token {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        let components = api.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(scheme));
    }
}

/// The description as JSON.
pub(crate) fn document() -> String {
    Api::openapi().to_pretty_json().expect("a description is plain data")
}

/// This description
#[utoipa::path(get, path = "/api/v1/openapi.json", responses((status = 200, description = "In OpenAPI 3.1", body = Object)))]
pub(super) async fn described() -> Response {
    answer(StatusCode::OK, Ok(document()))
}
