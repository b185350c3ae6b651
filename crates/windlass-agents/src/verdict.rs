//! What a failed session's evidence comes to: an HTTP status first, then the agent's words. Pure.

use jiff::Zoned;
use windlass_core::{
    claim::{self, ClaimReading},
    options::Claiming,
    outcome::Outcome,
};

use super::reset;

/// What a session that met its context window is cut short by.
pub(super) const CONTEXT: &str = "context";

/// The outcome of a session that a provider's answer ended.
pub(super) fn of_status(status: u16, text: &str, now: Option<&Zoned>) -> Outcome {
    match status {
        401 | 403 => Outcome::Auth,
        429 => Outcome::Limited { until: reset::reset_at(text, now) },
        status => Outcome::ModelError { status: Some(status) },
    }
}

/// The outcome that the words of a failed session speak for; only for sessions that failed.
pub(super) fn of_words(text: &str, now: Option<&Zoned>) -> Option<Outcome> {
    if let Some(status) = status_in(text) {
        return Some(of_status(status, text, now));
    }
    let lower = text.to_lowercase().replace('’', "'");
    let has = |words: &[&str]| words.iter().any(|words| lower.contains(words));
    if has(&[
        "usage limit",
        "session limit",
        "weekly limit",
        "rate limit",
        "limit reached",
        "quota exceeded",
    ]) {
        return Some(Outcome::Limited { until: reset::reset_at(text, now) });
    }
    if has(&[
        "invalid api key",
        "not logged in",
        "please run /login",
        "missing environment variable",
        "incorrect api key",
        "unauthorized",
    ]) {
        return Some(Outcome::Auth);
    }
    if has(&["context window", "prompt is too long"]) {
        return Some(Outcome::CutShort { reason: CONTEXT.to_owned() });
    }
    if has(&["max turns"]) {
        return Some(Outcome::CutShort { reason: "turns".to_owned() });
    }
    // The name of a model that is not there cannot come right by itself, as other errors may.
    if lower.contains("model") && has(&["does not exist", "not found", "may not exist"]) {
        return Some(Outcome::ModelError { status: Some(404) });
    }
    if lower.contains("invalid_request_error") {
        return Some(Outcome::ModelError { status: Some(400) });
    }
    has(&[
        "overloaded",
        "high demand",
        "at capacity",
        "stream disconnected",
        "api error",
        "unable to connect",
    ])
    .then_some(Outcome::ModelError { status: None })
}

/// The HTTP status in `API Error: 500 …`, `last status: 429 …`, `unexpected status 401 …`.
fn status_in(text: &str) -> Option<u16> {
    ["status: ", "status ", "API Error: ", "Request rejected ("].iter().find_map(|mark| {
        let (_, after) = text.split_once(mark)?;
        let digits = after.get(..3)?;
        let ends = !after[3..].starts_with(|c: char| c.is_alphanumeric());
        let status: u16 = digits.parse().ok().filter(|_| ends)?;
        (400..600).contains(&status).then_some(status)
    })
}

/// What a session claims: only one that finished does, and only with its final message.
pub(super) fn claim(outcome: &Outcome, claiming: &Claiming, message: &str) -> ClaimReading {
    claim::of_session(claiming, outcome, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_failure_are_understood() {
        for (text, word) in [
            ("exceeded retry limit, last status: 429 Too Many Requests", "limited"),
            ("unexpected status 401 Unauthorized: no", "auth"),
            ("API Error: 529 Overloaded", "model_error"),
            ("You’ve hit your usage limit.", "limited"),
            ("Not logged in · Please run /login", "auth"),
            ("Prompt is too long", "cut_short"),
        ] {
            assert_eq!(of_words(text, None).map(|outcome| outcome.word()), Some(word), "{text}");
        }
        assert_eq!(of_words("status 4290 and status: 12", None), None);
        assert_eq!(of_words("it broke", None), None);
    }
}
