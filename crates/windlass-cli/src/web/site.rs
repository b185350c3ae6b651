//! Answers one request: the guard looks first, then it is routed, and every answer gets the same
//! headers. Errors are JSON, wherever they come from.

use std::time::Duration;

use axum::{
    Router,
    body::Body,
    http::{Request, StatusCode, header},
    response::{IntoResponse, Response},
};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use tokio::time::timeout;

use super::{
    Problem,
    guard::{Guard, Visitor},
    headers,
};

/// How long an answer may be in the making. What is followed is answered at once.
const LIMIT: Duration = Duration::from_secs(40);

/// Answers requests.
pub(super) struct Site {
    guard: Guard,
    routes: TowerToHyperService<Router>,
}

impl Site {
    /// A site behind a guard.
    pub(super) fn new(guard: Guard, routes: Router) -> Self {
        Self { guard, routes: TowerToHyperService::new(routes) }
    }

    /// The answer, and who asked.
    pub(super) async fn answer(&self, request: Request<Body>) -> (Response, Visitor) {
        let admitted = self.guard.admit(request.method(), request.uri(), request.headers());
        let (mut answer, visitor) = match admitted {
            Ok(visitor) => (self.routed(request).await, visitor),
            Err(problem) => (problem.into_response(), Visitor::Anybody),
        };
        headers::put(&mut answer);
        (answer, visitor)
    }

    async fn routed(&self, request: Request<Body>) -> Response {
        match timeout(LIMIT, self.routes.call(request)).await {
            Ok(Ok(answer)) => in_words(answer),
            Ok(Err(never)) => match never {},
            Err(_) => {
                Problem::new(StatusCode::GATEWAY_TIMEOUT, "that took too long").into_response()
            }
        }
    }
}

/// An error that the router made by itself, in our words.
fn in_words(answer: Response) -> Response {
    let status = answer.status();
    let is_ours = answer
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if is_ours || !(status.is_client_error() || status.is_server_error()) {
        return answer;
    }
    let problem = match status {
        StatusCode::NOT_FOUND => Problem::new(status, "there is nothing at this address"),
        StatusCode::METHOD_NOT_ALLOWED => {
            Problem::new(status, "this cannot be done with what is at this address")
        }
        StatusCode::PAYLOAD_TOO_LARGE => {
            Problem::new(status, "what was sent is too long: 1 MiB is the most")
        }
        _ => Problem::new(status, "this request cannot be understood"),
    };
    let mut told = problem.into_response();
    if let Some(allow) = answer.headers().get(header::ALLOW) {
        told.headers_mut().insert(header::ALLOW, allow.clone());
    }
    told
}
