//! Answers requests for fragments: reads the store, and hands what it read to the pages.

use axum::{
    Extension, Json, Router,
    extract::{Path, Query, State as Of},
    http::StatusCode,
    response::Html,
    routing::get,
};
use maud::Markup;
use serde::Deserialize;
use windlass_core::{
    event::{Event, EventKind},
    text::sanitise,
    view::LoopView,
};
use windlass_store::store::{LoopRecord, Store};

use super::{
    agents, diff, findings,
    head::{self, Head},
    lines::Lines,
    list, loop_page, resume, start, timeline,
    watched::Watched,
};
use crate::{
    commands::{show::proving, why},
    host::failure::Failure,
    report::ending::{Standing, State as Stands},
    web::{
        Problem, State,
        api::{self, find::find_in},
    },
};

/// How many events of the output are sent at once.
const EVENTS: usize = 300;

type Answer = Result<Html<String>, Problem>;

/// The fragments, below `/ui/`. The token was checked before.
pub(crate) fn routes() -> Router<State> {
    Router::new()
        .route("/ui/loops", get(all))
        .route("/ui/loops/{id}", get(one))
        .route("/ui/loops/{id}/head", get(moving))
        .route("/ui/loops/{id}/lines", get(output))
        .route("/ui/loops/{id}/iterations", get(iterations))
        .route("/ui/loops/{id}/findings", get(ledger))
        .route("/ui/loops/{id}/diff/{n}", get(changes))
        .route("/ui/loops/{id}/continue", get(resuming))
        .route("/ui/start", get(form))
        .layer(Extension(Watched::default()))
}

fn html(markup: Markup) -> Html<String> {
    Html(markup.into_string())
}

async fn all(Of(state): Of<State>) -> Answer {
    state
        .read(|store| {
            let (loops, all) = store.newest_loops(list::MOST)?;
            let loops: Vec<_> = loops
                .into_iter()
                .map(|record| {
                    let standing = Standing::of_record(&record);
                    (record, standing)
                })
                .collect();
            Ok(html(list::list(&loops, all, windlass::now())))
        })
        .await
}

async fn one(
    Of(state): Of<State>,
    Extension(watched): Extension<Watched>,
    Path(id): Path<String>,
) -> Answer {
    state
        .read(move |store| {
            let record = find_in(store, &id)?;
            let iterations = store.iterations_before(&record.id, u32::MAX, timeline::PAGE)?;
            let prompt = prompt(store, &record)?;
            with_head(store, &watched, &record, |head| {
                html(loop_page::loop_page(head, &iterations, &prompt))
            })
        })
        .await
}

async fn moving(
    Of(state): Of<State>,
    Extension(watched): Extension<Watched>,
    Path(id): Path<String>,
) -> Answer {
    state
        .read(move |store| {
            let record = find_in(store, &id)?;
            with_head(store, &watched, &record, |head| html(head::head(head)))
        })
        .await
}

/// Gathers what the head of a loop shows.
fn with_head<T>(
    store: &Store,
    watched: &Watched,
    record: &LoopRecord,
    make: impl FnOnce(&Head<'_>) -> T,
) -> Result<T, Failure> {
    let mut standing = Standing::of_record(record);
    let checks = proving(&store.iterations_before(&record.id, u32::MAX, 1)?);
    let can_accept =
        standing.state != Stands::Running && windlass::acceptable(store, record).is_ok();
    let made = watched.look(store, &record.id, |seen| {
        standing.prove(checks, seen.followed.view.proof.as_ref());
        let advice = why::advice(&standing, record);
        make(&Head {
            record,
            standing: &standing,
            view: &seen.followed.view,
            trail: &seen.followed.trail,
            rules: &seen.rules,
            advice: &advice,
            can_accept,
            now: windlass::now(),
        })
    })?;
    Ok(made)
}

/// What the loop was asked to do: the prompt of the user, else that of its last session.
fn prompt(store: &Store, record: &LoopRecord) -> Result<String, Failure> {
    let text = |name: &str| record.options[name].as_str().map(str::trim).unwrap_or_default();
    let asked = [text("prompt"), text("task")].into_iter().find(|text| !text.is_empty());
    match asked {
        Some(asked) => Ok(asked.to_owned()),
        None => Ok(store.last_session(&record.id)?.map(|last| last.prompt).unwrap_or_default()),
    }
}

/// Which part of the output is asked for: the newest where neither is given.
#[derive(Deserialize)]
struct Part {
    after: Option<u64>,
    before: Option<u64>,
}

async fn output(
    Of(state): Of<State>,
    Path(id): Path<String>,
    Query(part): Query<Part>,
) -> Result<Json<Lines>, Problem> {
    state
        .read(move |store| {
            let record = find_in(store, &id)?;
            let events = match part.after {
                Some(after) => store.events(&record.id, after, EVENTS)?,
                None => store.events_before(&record.id, part.before.unwrap_or(u64::MAX), EVENTS)?,
            };
            let mut view = view_before(store, &record, &events)?;
            let mut lines = Lines::default();
            for event in &events {
                view.apply(event);
                if !lines.push(event, &view) {
                    break;
                }
            }
            lines.last = lines.last.max(part.after.unwrap_or(0));
            lines.more = lines.last < record.last_seq;
            Ok(Json(lines))
        })
        .await
}

/// The loop as it was before these events, as far as their words ask for it: the whole history of a
/// long night is read only where one of them does.
fn view_before(store: &Store, record: &LoopRecord, events: &[Event]) -> Result<LoopView, Failure> {
    let first = events.first().map_or(0, |event| event.seq);
    let asks = |event: &Event| {
        matches!(
            event.kind,
            EventKind::Phase(_) | EventKind::FixTried(_) | EventKind::LoopFinished { .. }
        )
    };
    let mut view = LoopView {
        name: sanitise::line(&record.name).into_owned(),
        max_iterations: record.max_iterations,
        ..LoopView::default()
    };
    if events.iter().any(asks) {
        let history = store.history(&record.id)?;
        history.iter().take_while(|event| event.seq < first).for_each(|event| view.apply(event));
    }
    Ok(view)
}

#[derive(Deserialize)]
struct Before {
    before: Option<u32>,
}

async fn iterations(
    Of(state): Of<State>,
    Extension(watched): Extension<Watched>,
    Path(id): Path<String>,
    Query(asked): Query<Before>,
) -> Answer {
    state
        .read(move |store| {
            let record = find_in(store, &id)?;
            let before = asked.before.unwrap_or(u32::MAX);
            let iterations = store.iterations_before(&record.id, before, timeline::PAGE)?;
            let made = watched.look(store, &record.id, |seen| {
                let points = seen.followed.trail.points();
                match asked.before {
                    Some(_) => timeline::entries(record.id.as_str(), &iterations, points),
                    None => timeline::timeline(&record, &iterations, points),
                }
            })?;
            Ok(html(made))
        })
        .await
}

async fn ledger(
    Of(state): Of<State>,
    Extension(watched): Extension<Watched>,
    Path(id): Path<String>,
) -> Answer {
    state
        .read(move |store| {
            let record = find_in(store, &id)?;
            let made = watched
                .look(store, &record.id, |seen| findings::findings(&seen.followed.view.ledger))?;
            Ok(html(made))
        })
        .await
}

async fn changes(Of(state): Of<State>, Path((id, n)): Path<(String, String)>) -> Answer {
    let n = match n.as_str() {
        "all" => None,
        n => Some(n.parse().map_err(|_| Problem::unusable(format!("`{n}` is not an iteration")))?),
    };
    // Read before the diff is made, so that it is never newer than its title says.
    let asked = id.clone();
    let read = state.read(move |store| {
        let record = find_in(store, &asked)?;
        let of = covered(store, &record, n)?;
        Ok((record, of))
    });
    let (record, of) = read.await?;
    let (diff, _) = api::diff::diff(&state, id, n).await?;
    let name = shell_words::quote(&record.name);
    let command = match n {
        Some(n) => format!("windlass diff {name} {n}"),
        None => format!("windlass diff {name}"),
    };
    Ok(html(diff::diff(record.id.as_str(), of, &command, &diff)))
}

/// What a diff is of: while a loop runs, the whole of it ends with the last iteration that left a snapshot.
fn covered(store: &Store, record: &LoopRecord, n: Option<u32>) -> Result<diff::Of, Failure> {
    if let Some(n) = n {
        return Ok(diff::Of::Iteration(n));
    }
    if Standing::of_record(record).state != Stands::Running {
        return Ok(diff::Of::Loop);
    }
    let last = store.iterations_before(&record.id, u32::MAX, timeline::PAGE)?;
    let last = last.iter().rev().find(|one| one.tree.is_some());
    Ok(diff::Of::UpTo(last.map_or(0, |last| last.number)))
}

async fn resuming(Of(state): Of<State>, Path(id): Path<String>) -> Answer {
    let app = state.app().clone();
    let shown = state.act(move |store| {
        let record = find_in(store, &id)?;
        let standing = Standing::of_record(&record);
        if !resume::can_continue(&standing) {
            let what = format!("{} cannot be continued: {}", standing.name, standing.sentence());
            return Ok(Err(Problem::new(StatusCode::CONFLICT, what)));
        }
        Ok(Ok(html(resume::form(&record, &standing, &agents::others(&app, &record)))))
    });
    shown.await?
}

async fn form(Of(state): Of<State>) -> Answer {
    let agents: Vec<String> =
        windlass::agent::BUILT_IN.iter().map(|agent| agent.name.to_owned()).collect();
    let app = state.app().clone();
    let kinds = state.read(move |_| Ok(start::kinds(app.layers().ok().as_ref()))).await?;
    Ok(html(start::start(state.allowed(), &kinds, &agents)))
}
