//! Starts a loop as a process of its own, in a directory that the server's user allowed.

use std::path::{Path, PathBuf};

use axum::{
    extract::State as Extracted,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;
use windlass::{AgentConfig, LoopError};
use windlass_store::store::LoopRecord;

use super::{
    answer::{answer, json},
    options::{KINDS, check, typed},
    schema,
    sent::Sent,
};
use crate::{
    commands::agent_config,
    control::launch::{Launch, launch},
    report::{brief::Brief, ending::Standing},
    web::{Problem, State, Untrusted},
};

/// Start a loop, as a process of its own
#[utoipa::path(post, path = "/api/v1/loops", request_body = schema::Start, responses((status = 201, description = "It has begun", body = schema::Brief), (status = 202, description = "It takes longer than usual", body = schema::UnderWay), (status = 409, description = "It needs trust, or cannot be started", body = schema::Conflict), (status = "default", description = "Why not", body = schema::Problem)))]
pub(super) async fn start(Extracted(state): Extracted<State>, sent: Sent) -> Response {
    match begin(&state, sent).await {
        Ok(response) => response,
        Err(problem) => problem.into_response(),
    }
}

async fn begin(state: &State, mut sent: Sent) -> Result<Response, Problem> {
    let kind = sent.take_text("kind")?;
    if !KINDS.contains(&kind.as_str()) {
        return Err(Problem::unusable(format!("there is no loop of the kind `{kind}`"))
            .hint(format!("the kinds are {}", KINDS.join(", "))));
    }
    let directory = sent.take_text("directory")?;
    let directory = allowed(state.allowed(), Path::new(&directory))?;
    // Beside `options` nothing else has a meaning here; an option in the wrong place is told.
    let options = sent.options()?;
    let typed = typed(&kind, &options, &state.app().home)?;
    check(&typed.argv)?;
    let (app, place) = (state.app().clone(), directory.clone());
    let launched = state.act(move |store| {
        let launched = launch(&app, &directory, typed.argv.clone())?;
        let launch = launched.wait(store, None)?;
        // By now whatever file was handed over has been read.
        drop(typed);
        match launch {
            Launch::Begun(record) => Ok(Ok((record.id.to_string(), brief(&record)?))),
            other => Ok(Err(other)),
        }
    });
    match launched.await? {
        Ok((id, brief)) => {
            let place = [(header::LOCATION, format!("/api/v1/loops/{id}"))];
            Ok((place, answer(StatusCode::CREATED, Ok(brief))).into_response())
        }
        Err(Launch::Failed { message, .. }) if is_untrusted(&message) => {
            Err(untrusted(state, place).await)
        }
        Err(Launch::Failed { code, message, hints }) => {
            Err(failed(StatusCode::UNPROCESSABLE_ENTITY, code, message, hints))
        }
        Err(Launch::Slow | Launch::Begun(_)) => Ok(slow()),
    }
}

/// The directory, if it is one of those that are allowed: the very same, not one below it.
fn allowed(directories: &[PathBuf], asked: &Path) -> Result<PathBuf, Problem> {
    let found = asked.is_absolute().then(|| asked.canonicalize().ok()).flatten();
    let is_same = |path: &PathBuf| directories.iter().any(|allowed| allowed == path);
    found.filter(is_same).ok_or_else(|| {
        let shown = asked.display();
        let problem = Problem::new(
            StatusCode::FORBIDDEN,
            format!("loops may not be started in `{shown}` from the web"),
        );
        match directories {
            [] => problem.hint("restart with `windlass serve --allow DIR` to start loops there"),
            _ => problem
                .hint("the server was started with other directories: see `/api/v1/directories`"),
        }
    })
}

/// The loop in short, as JSON.
pub(super) fn brief(record: &LoopRecord) -> Result<String, crate::host::failure::Failure> {
    json(&Brief::new(record, &Standing::of_record(record)))
}

/// Why the process could not do it, in its own words.
pub(super) fn failed(
    status: StatusCode,
    code: Option<u8>,
    message: String,
    hints: Vec<String>,
) -> Problem {
    hints.into_iter().fold(Problem::new(status, message), Problem::hint).exit_code(code)
}

/// Whether a process was refused for what its repository has agents run or obey.
pub(super) fn is_untrusted(message: &str) -> bool {
    message.starts_with(LoopError::UNTRUSTED)
}

/// What that is, and how it is trusted.
pub(super) async fn untrusted(state: &State, directory: PathBuf) -> Problem {
    let command = agent_config::command(&directory, None);
    let refused = state.act(move |store| Ok(AgentConfig::refused(store, &directory)?));
    match refused.await {
        Ok(entries) => Problem::untrusted(Untrusted::new(entries, command)),
        Err(problem) => problem,
    }
}

/// It is under way, and nothing more can be said yet.
pub(super) fn slow() -> Response {
    let told = json!({"message": "it is under way, and takes longer than usual; look at the list of loops"});
    answer(StatusCode::ACCEPTED, Ok(told.to_string()))
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn only_the_very_directories_are_allowed() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        for inner in ["work/sub", "workshop", "other"] {
            fs::create_dir_all(root.join(inner)).unwrap();
        }
        symlink(root.join("other"), root.join("work/link")).unwrap();
        symlink(root.join("work"), root.join("to-work")).unwrap();
        let work = root.join("work");
        let ask = |path: &str| allowed(std::slice::from_ref(&work), &root.join(path)).ok();
        for same in ["work", "work/", "work/.", "work/sub/..", "to-work", "other/../work"] {
            assert_eq!(ask(same), Some(work.clone()), "{same}");
        }
        for not in [
            "work/sub",
            "workshop",
            "wor",
            "WORK",
            "Work",
            "work/link",
            "work/..",
            "work/../other",
            "work/link/../work",
            "other",
            "",
            "nothing",
            "work\u{0}",
            "work/sub/../../other",
            "work ",
        ] {
            // Where a link leads back to the place itself, it is the place.
            let real = root.join(not).canonicalize().ok();
            assert!(ask(not).is_none() || real == Some(work.clone()), "{not}");
        }
        assert!(ask("work/link").is_none() && ask("work/sub").is_none());
        for relative in ["work", ".", "", "~", "./work"] {
            assert!(allowed(std::slice::from_ref(&work), Path::new(relative)).is_err());
        }
        assert!(allowed(&[], &work).is_err(), "nothing is allowed unasked");
    }
}
