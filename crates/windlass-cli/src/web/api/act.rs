//! What can be done to a loop: cancel, resume, accept its work, reset its rules.

use std::{
    ffi::OsString,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use axum::{
    extract::{Path, State as Extracted},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value};
use tokio::time::timeout;
use windlass::Cancelled;
use windlass_store::store::{LoopRecord, Request, Store};

use super::{
    answer::answer,
    find::find,
    options::{check, typed},
    schema,
    sent::Sent,
    start::{brief, failed, is_untrusted, slow, untrusted},
};
use crate::{
    commands::cancel::{CalledOff, call_off},
    control::launch::{Launch, launch},
    host::{app::App, failure::Failure},
    web::{Problem, State},
};

/// How long a request waits for the end of a loop that it cancels. The end comes all the same.
const PATIENCE: Duration = Duration::from_secs(25);
/// How long it may take until a loop that is resumed says so.
const MOMENT: Duration = Duration::from_secs(3);

/// Cancel a loop; answers when all its processes have exited
#[utoipa::path(post, path = "/api/v1/loops/{id}/cancel", params(("id" = String, Path, description = "A name, an id or the beginning of one")), request_body = Option<schema::Cancel>, responses((status = 200, description = "It has ended", body = schema::Brief), (status = 202, description = "It will end", body = schema::Brief), (status = "default", description = "Why not", body = schema::Problem)))]
pub(super) async fn cancel(
    Extracted(state): Extracted<State>,
    Path(id): Path<String>,
    sent: Sent,
) -> Response {
    let request = match request(sent) {
        Ok(request) => request,
        Err(problem) => return problem.into_response(),
    };
    let record = match find(&state, id).await {
        Ok(record) => record,
        Err(problem) => return problem.into_response(),
    };
    let app = state.app().clone();
    let act = state.act(move |store| {
        // What cannot be settled yet is told by the next command that tries.
        let CalledOff { done, said, .. } = call_off(&app, store, &record, request)?;
        let now = store.get(&record.id)?.unwrap_or(record);
        Ok((said, done, brief(&now)?))
    });
    match timeout(PATIENCE, act).await {
        Err(_) => slow(),
        Ok(Err(problem)) => problem.into_response(),
        Ok(Ok((words, Cancelled::HadEnded, _))) => {
            Problem::new(StatusCode::CONFLICT, words).into_response()
        }
        Ok(Ok((_, Cancelled::AfterIteration, brief))) => answer(StatusCode::ACCEPTED, Ok(brief)),
        Ok(Ok((_, Cancelled::Ended | Cancelled::WasInterrupted, brief))) => {
            answer(StatusCode::OK, Ok(brief))
        }
    }
}

/// Whether the iteration that is under way may come to its end first.
fn request(sent: Sent) -> Result<Request, Problem> {
    let mut request = Request::Cancel;
    for (key, value) in sent.0 {
        match (key.as_str(), value) {
            ("after_iteration" | "after-iteration", Value::Bool(after)) => {
                request = if after { Request::CancelAfterIteration } else { Request::Cancel };
            }
            ("after_iteration" | "after-iteration", _) => {
                return Err(Problem::unusable("`after_iteration` is `true` or `false`"));
            }
            (key, _) => {
                let key = key.to_owned();
                return Err(Problem::unusable(format!("`cancel` has no option `{key}`"))
                    .hint("it has one: `after_iteration`"));
            }
        }
    }
    Ok(request)
}

/// Resume a loop, in its own process
#[utoipa::path(post, path = "/api/v1/loops/{id}/resume", params(("id" = String, Path, description = "A name, an id or the beginning of one")), request_body = Option<schema::Resume>, responses((status = 202, description = "It goes on", body = schema::Brief), (status = 409, description = "It needs trust, or cannot go on", body = schema::Conflict), (status = "default", description = "Why not", body = schema::Problem)))]
pub(super) async fn resume(
    Extracted(state): Extracted<State>,
    Path(id): Path<String>,
    sent: Sent,
) -> Response {
    let options = match sent.options() {
        Ok(options) => options,
        Err(problem) => return problem.into_response(),
    };
    match take_up(&state, id, &options).await {
        Ok(response) => response,
        Err(problem) => problem.into_response(),
    }
}

async fn take_up(
    state: &State,
    id: String,
    options: &Map<String, Value>,
) -> Result<Response, Problem> {
    let record = find(state, id).await?;
    let mut typed = typed("resume", options, &state.app().home)?;
    typed.argv.push(record.id.as_str().into());
    check(&typed.argv)?;
    let (app, directory) = (state.app().clone(), record.directory.clone());
    let launched = state.act(move |store| {
        let launched = launch(&app, &place(&app, &record), typed.argv.clone())?;
        let launch = launched.wait(store, Some(&record.id))?;
        // By now whatever file was handed over has been read.
        drop(typed);
        match launch {
            Launch::Begun(begun) => Ok(Ok(brief(&gone_on(store, *begun, record.last_seq)?)?)),
            other => Ok(Err(other)),
        }
    });
    match launched.await? {
        Ok(brief) => Ok(answer(StatusCode::ACCEPTED, Ok(brief))),
        Err(Launch::Failed { message, .. }) if is_untrusted(&message) => {
            Err(untrusted(state, directory).await)
        }
        Err(Launch::Failed { code, message, hints }) => {
            Err(failed(StatusCode::CONFLICT, code, message, hints))
        }
        Err(Launch::Slow | Launch::Begun(_)) => Ok(slow()),
    }
}

/// The loop, once it says that it goes on: that comes a moment after its process has taken it.
fn gone_on(store: &Store, mut record: LoopRecord, seen: u64) -> Result<LoopRecord, Failure> {
    let began = Instant::now();
    while record.last_seq <= seen && began.elapsed() < MOMENT {
        thread::sleep(Duration::from_millis(10));
        record = store.get(&record.id)?.unwrap_or(record);
    }
    Ok(record)
}

/// Clear a stopped loop so that it can be resumed
#[utoipa::path(post, path = "/api/v1/loops/{id}/reset", params(("id" = String, Path, description = "A name, an id or the beginning of one")), responses((status = 200, description = "It is closed", body = schema::Brief), (status = "default", description = "Why not", body = schema::Problem)))]
pub(super) async fn reset(
    Extracted(state): Extracted<State>,
    Path(id): Path<String>,
    sent: Sent,
) -> Response {
    if let Some(key) = sent.0.keys().next() {
        return Problem::unusable(format!("`reset` has no option `{key}`")).into_response();
    }
    once(&state, id, vec!["reset".into()]).await
}

/// Accept a loop's work that windlass rejected
#[utoipa::path(post, path = "/api/v1/loops/{id}/accept", params(("id" = String, Path, description = "A name, an id or the beginning of one")), request_body = Option<schema::Accept>, responses((status = 200, description = "It is done", body = schema::Brief), (status = "default", description = "Why not", body = schema::Problem)))]
pub(super) async fn accept(
    Extracted(state): Extracted<State>,
    Path(id): Path<String>,
    sent: Sent,
) -> Response {
    let this_tree = match this_tree(sent) {
        Ok(this_tree) => this_tree,
        Err(problem) => return problem.into_response(),
    };
    let flag = this_tree.then(|| OsString::from("--this-tree"));
    once(&state, id, ["accept".into()].into_iter().chain(flag).collect()).await
}

/// Whether the files are accepted as they are now.
fn this_tree(sent: Sent) -> Result<bool, Problem> {
    let mut this_tree = false;
    for (key, value) in sent.0 {
        match (key.as_str(), value) {
            ("this_tree" | "this-tree", Value::Bool(given)) => this_tree = given,
            ("this_tree" | "this-tree", _) => {
                return Err(Problem::unusable("`this_tree` is `true` or `false`"));
            }
            (key, _) => {
                return Err(Problem::unusable(format!("`accept` has no option `{key}`"))
                    .hint("it has one: `this_tree`"));
            }
        }
    }
    Ok(this_tree)
}

/// Has another process run a command that does one thing to a loop: that process owns the loop for a
/// moment, and a server that lives on would look as if it ran it.
async fn once(state: &State, id: String, mut argv: Vec<OsString>) -> Response {
    let record = match find(state, id).await {
        Ok(record) => record,
        Err(problem) => return problem.into_response(),
    };
    let app = state.app().clone();
    let act = state.act(move |store| {
        argv.push(record.id.as_str().into());
        let ended = launch(&app, &place(&app, &record), argv)?.end();
        let now = store.get(&record.id)?.unwrap_or(record);
        Ok((ended, brief(&now)?))
    });
    match act.await {
        Ok((Launch::Failed { code: Some(0), .. }, brief)) => answer(StatusCode::OK, Ok(brief)),
        Ok((Launch::Failed { code, message, hints }, _)) => {
            failed(StatusCode::CONFLICT, code, message, hints).into_response()
        }
        Ok((Launch::Slow | Launch::Begun(_), _)) => slow(),
        Err(problem) => problem.into_response(),
    }
}

/// Where the process of a loop is started: in the loop's directory, if that is still there.
fn place(app: &App, record: &LoopRecord) -> PathBuf {
    if record.directory.is_dir() { record.directory.clone() } else { app.home.clone() }
}
