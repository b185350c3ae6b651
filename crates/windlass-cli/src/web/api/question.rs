//! What is asked for after the `?` of an address, in plain words where it cannot be used.

use axum::{
    extract::{FromRequestParts, Query},
    http::request::Parts,
};
use serde::{Deserialize, de::DeserializeOwned};

use crate::web::{Problem, State};

/// The question of an address, read into a `T`.
pub(super) struct Question<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<State> for Question<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &State) -> Result<Self, Problem> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(asked)) => Ok(Self(asked)),
            Err(error) => {
                Err(Problem::unusable(format!("the question cannot be understood: {error}")))
            }
        }
    }
}

/// A page of iterations.
#[derive(Debug, Deserialize)]
pub(super) struct Iterations {
    /// Only those after this one.
    #[serde(default)]
    pub(super) after: u32,
    /// How many at the most.
    limit: Option<usize>,
}

impl Iterations {
    /// How many iterations a page has at the most.
    pub(super) fn limit(&self) -> usize {
        self.limit.unwrap_or(100).clamp(1, 500)
    }
}

/// A page of events, counted from the newest.
#[derive(Debug, Deserialize)]
pub(super) struct Messages {
    /// Only those before this one.
    pub(super) before: Option<u64>,
    /// How many at the most.
    limit: Option<usize>,
}

impl Messages {
    /// How many events a page has at the most.
    pub(super) fn limit(&self) -> usize {
        self.limit.unwrap_or(200).clamp(1, 1000)
    }
}
