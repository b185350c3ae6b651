//! All loops, and one of them.

use axum::{extract::State as Extracted, http::StatusCode, response::Response};

use super::answer::{answer, json};
use crate::{commands::brief::Brief, report::ending::Standing, web::State};

/// All loops, newest first.
pub(super) async fn list(Extracted(state): Extracted<State>) -> Response {
    let listed = state.read(|store| {
        let records = store.loops(None)?;
        let standings: Vec<_> = records.iter().map(Standing::of_record).collect();
        let briefs: Vec<_> = records
            .iter()
            .zip(&standings)
            .map(|(one, standing)| Brief::new(one, standing))
            .collect();
        json(&briefs)
    });
    answer(StatusCode::OK, listed.await)
}
