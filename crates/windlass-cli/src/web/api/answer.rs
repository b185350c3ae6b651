//! Answers in JSON.

use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;

use crate::{
    host::failure::{Failure, Kind},
    web::Problem,
};

/// A value as JSON, written where the store is read, so that the server need not.
pub(crate) fn json(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| {
        Failure::because(Kind::Internal, "the answer could not be written as JSON", error)
    })
}

/// An answer with JSON that is written already.
pub(crate) fn answer(status: StatusCode, json: Result<String, Problem>) -> Response {
    match json {
        Ok(json) => (status, [(header::CONTENT_TYPE, "application/json")], json).into_response(),
        Err(problem) => problem.into_response(),
    }
}
