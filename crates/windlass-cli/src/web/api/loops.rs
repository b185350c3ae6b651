//! All loops, and what is known of one of them, page by page.

use axum::{
    extract::{Path, State as Extracted},
    http::StatusCode,
    response::Response,
};
use serde::Serialize;
use serde_json::json;
use windlass_core::{
    event::Event,
    findings::{Counts, Entry},
    result::LoopResult,
    view::LoopView,
};
use windlass_store::store::{IterationRecord, LoopRecord, SessionRecord, Store, TaskRecord};

use super::{
    answer::{answer, json},
    find::find_in,
    question::{Iterations, Messages, Question},
    schema,
};
use crate::{
    host::failure::Failure,
    report::{brief::Brief, ending::Standing},
    web::State,
};

/// What `show LOOP --json` has, with as many iterations as were asked for.
#[derive(Serialize)]
struct Shown {
    result: LoopResult,
    iterations: Vec<IterationRecord>,
    sessions: Vec<SessionRecord>,
    tasks: Vec<TaskRecord>,
    /// What to ask for next: `?after=…`; nothing where this is the last page.
    next_after: Option<u32>,
}

#[derive(Serialize)]
struct Iterated {
    iterations: Vec<IterationRecord>,
    sessions: Vec<SessionRecord>,
    next_after: Option<u32>,
}

#[derive(Serialize)]
struct Told {
    /// Events, oldest first.
    messages: Vec<Event>,
    /// What to ask for next: `?before=…`; nothing where these are the first.
    next_before: Option<u64>,
}

#[derive(Serialize)]
struct Found<'a> {
    counts: Counts,
    /// How many findings each review had.
    trajectory: &'a [u32],
    findings: &'a [Entry],
}

/// All loops, newest first
#[utoipa::path(get, path = "/api/v1/loops", responses((status = 200, description = "The loops in short", body = [schema::Brief]), (status = "default", description = "Why not", body = schema::Problem)))]
pub(super) async fn list(Extracted(state): Extracted<State>) -> Response {
    let listed = state.read(|store| {
        let records = store.loops(None)?;
        let standings: Vec<_> = records.iter().map(Standing::of_record).collect();
        let loops = records.iter().zip(&standings);
        json(&loops.map(|(record, standing)| Brief::new(record, standing)).collect::<Vec<_>>())
    });
    answer(StatusCode::OK, listed.await)
}

/// What a loop did
#[utoipa::path(get, path = "/api/v1/loops/{id}", params(("id" = String, Path, description = "A name, an id or the beginning of one"), ("after" = Option<u32>, Query, description = "Only iterations after this one"), ("limit" = Option<usize>, Query, description = "How many at the most; 100 if left out, 500 at the most")), responses((status = 200, description = "As `show LOOP --json` has it, a page at a time", body = schema::Shown), (status = "default", description = "Why not", body = schema::Problem)))]
pub(super) async fn show(
    Extracted(state): Extracted<State>,
    Path(id): Path<String>,
    Question(asked): Question<Iterations>,
) -> Response {
    let shown = state.read(move |store| {
        let record = find_in(store, &id)?;
        let result = store.result(&record)?;
        let Iterated { iterations, sessions, next_after } = page(store, &record, &asked)?;
        let tasks = store.tasks(&record.id)?;
        json(&Shown { result, iterations, sessions, tasks, next_after })
    });
    answer(StatusCode::OK, shown.await)
}

/// The iterations of a loop and their sessions
#[utoipa::path(get, path = "/api/v1/loops/{id}/iterations", params(("id" = String, Path, description = "A name, an id or the beginning of one"), ("after" = Option<u32>, Query, description = "Only iterations after this one"), ("limit" = Option<usize>, Query, description = "How many at the most; 100 if left out, 500 at the most")), responses((status = 200, description = "A page of them", body = schema::Iterations), (status = "default", description = "Why not", body = schema::Problem)))]
pub(super) async fn iterations(
    Extracted(state): Extracted<State>,
    Path(id): Path<String>,
    Question(asked): Question<Iterations>,
) -> Response {
    let read = state.read(move |store| json(&page(store, &find_in(store, &id)?, &asked)?));
    answer(StatusCode::OK, read.await)
}

fn page(store: &Store, record: &LoopRecord, asked: &Iterations) -> Result<Iterated, Failure> {
    let limit = asked.limit();
    let mut iterations = store.iterations_after(&record.id, asked.after, limit + 1)?;
    let more = iterations.len() > limit;
    iterations.truncate(limit);
    let last = iterations.last().map(|iteration| iteration.number);
    let sessions = match (iterations.first(), last) {
        // What came before the first iteration is shown with it; what has just begun is shown too.
        (Some(first), Some(last)) => {
            let first = if first.number == 1 { 0 } else { first.number };
            store.sessions_between(&record.id, first, if more { last } else { u32::MAX })?
        }
        _ if asked.after == 0 => store.sessions_between(&record.id, 0, u32::MAX)?,
        _ => Vec::new(),
    };
    Ok(Iterated { iterations, sessions, next_after: last.filter(|_| more) })
}

/// The newest events of a loop, or those before one: what agents said and what windlass did
#[utoipa::path(get, path = "/api/v1/loops/{id}/messages", params(("id" = String, Path, description = "A name, an id or the beginning of one"), ("before" = Option<u64>, Query, description = "Only events before this number"), ("limit" = Option<usize>, Query, description = "How many at the most; 200 if left out, 1000 at the most")), responses((status = 200, description = "A page of them, oldest first", body = schema::Messages), (status = "default", description = "Why not", body = schema::Problem)))]
pub(super) async fn messages(
    Extracted(state): Extracted<State>,
    Path(id): Path<String>,
    Question(asked): Question<Messages>,
) -> Response {
    let read = state.read(move |store| {
        let record = find_in(store, &id)?;
        let before = asked.before.unwrap_or(u64::MAX);
        let messages = store.events_before(&record.id, before, asked.limit())?;
        let next_before = messages.first().map(|event| event.seq).filter(|seq| *seq > 1);
        json(&Told { messages, next_before })
    });
    answer(StatusCode::OK, read.await)
}

/// What the reviews of a loop found, and what became of it
#[utoipa::path(get, path = "/api/v1/loops/{id}/findings", params(("id" = String, Path, description = "A name, an id or the beginning of one")), responses((status = 200, description = "The ledger", body = schema::Findings), (status = "default", description = "Why not", body = schema::Problem)))]
pub(super) async fn findings(
    Extracted(state): Extracted<State>,
    Path(id): Path<String>,
) -> Response {
    let read = state.read(move |store| {
        let record = find_in(store, &id)?;
        let mut view = LoopView::default();
        store.history(&record.id)?.iter().for_each(|event| view.apply(event));
        let (counts, trajectory) = (view.ledger.counts(), view.ledger.trajectory());
        let findings = view.ledger.entries();
        json(&Found { counts, trajectory: &trajectory, findings })
    });
    answer(StatusCode::OK, read.await)
}

/// The directories that loops may be started in, and the loops that can be started there
#[utoipa::path(get, path = "/api/v1/directories", responses((status = 200, description = "Those that `serve` was started with", body = schema::Directories), (status = "default", description = "Why not", body = schema::Problem)))]
pub(super) async fn allowed(Extracted(state): Extracted<State>) -> Response {
    let directories: Vec<_> =
        state.allowed().iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let listed = json!({"directories": directories, "kinds": super::options::KINDS});
    answer(StatusCode::OK, Ok(listed.to_string()))
}
