//! The errors of Gemini CLI, and the outcomes that they speak for: by the words of a `result`
//! first, by the exit code second.

use std::time::Duration;

use serde_json::Value;
use windlass_core::{outcome::Outcome, process::Exit, time::Timestamp};

use crate::outcome_of_exit;

/// The outcome that a `result` with an error speaks for.
pub(super) fn outcome_of_error(
    kind: &str,
    message: &str,
    at: Option<Timestamp>,
    code: Option<i32>,
) -> Outcome {
    if kind.contains("TurnLimited") || code == Some(53) {
        return Outcome::CutShort { reason: "turns".to_owned() };
    }
    if kind.contains("Authentication") || message.contains("API_KEY_INVALID") || code == Some(41) {
        return Outcome::Auth;
    }
    let status = status_in(message).or_else(|| status_of_code(code));
    match status {
        Some(429) => Outcome::Limited { until: reset(message, at) },
        None if message.contains("exhausted your daily quota") => Outcome::Limited { until: None },
        None if message.contains("is not found for API version") => {
            Outcome::ModelError { status: Some(404) }
        }
        _ => outcome_of_status(status),
    }
}

/// The outcome that the exit code alone speaks for.
pub(super) fn outcome_of_code(exit: &Exit) -> Outcome {
    match exit.code {
        Some(41) => Outcome::Auth,
        Some(53) => Outcome::CutShort { reason: "turns".to_owned() },
        // The folder is not trusted, so it did not begin.
        Some(55) => Outcome::PermissionDenied,
        code => match status_of_code(code) {
            None => outcome_of_exit(exit),
            status => outcome_of_status(status),
        },
    }
}

fn outcome_of_status(status: Option<u16>) -> Outcome {
    match status {
        Some(401 | 403) => Outcome::Auth,
        Some(429) => Outcome::Limited { until: None },
        status => Outcome::ModelError { status },
    }
}

/// The status that an exit code stands for: what is left of it after eight bits.
fn status_of_code(code: Option<i32>) -> Option<u16> {
    let status = u16::try_from(code?).ok()?.checked_add(256)?;
    (400..512).contains(&status).then_some(status)
}

/// The error that the API answered with, as it stands in a message.
fn answer_in(message: &str) -> Option<Value> {
    let json = message.get(message.find('{')?..=message.rfind('}')?)?;
    serde_json::from_str(json).ok()
}

fn status_in(message: &str) -> Option<u16> {
    u16::try_from(answer_in(message)?["error"]["code"].as_u64()?).ok()
}

/// The words for people in a message: `[API Error: WORDS]`, or JSON in their place.
pub(super) fn for_people(message: &str) -> String {
    let answer = answer_in(message).unwrap_or(Value::Null);
    match answer["error"]["message"].as_str() {
        Some(inner) => inner.to_owned(),
        None => match message.strip_prefix("[API Error: ") {
            Some(inner) => inner.replacen(']', "", 1),
            None => message.to_owned(),
        },
    }
}

/// When a limit is over: "Suggested retry after 17s." The time is the event's, for decoders have
/// no clock.
fn reset(message: &str, at: Option<Timestamp>) -> Option<Timestamp> {
    let (_, rest) = message.split_once("retry after ")?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    let (number, unit) = rest.split_at(end);
    let seconds: f64 = number.trim_end_matches('.').parse().ok()?;
    let seconds = if unit.starts_with("ms") { seconds / 1000.0 } else { seconds };
    Some(at?.plus(Duration::try_from_secs_f64(seconds).ok()?))
}
