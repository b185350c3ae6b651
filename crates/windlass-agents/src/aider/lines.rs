//! The sentences of aider, and what each stands for. Where one counts is the decoder's affair.

use windlass_core::{outcome::Outcome, said::Usage};

/// The last line of an edit in an answer.
pub(super) const EDIT_ENDS: &str = ">>>>>>> REPLACE";

/// What one line may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Line<'a> {
    /// The first line of the banner.
    Banner,
    /// The tokens of an answer, which close it.
    Tokens(Usage),
    /// Its cost, where that stands on a line of its own.
    Cost(Usage),
    /// A file was edited.
    Applied(&'a str),
    /// A commit was made.
    Commit(&'a str),
    /// An edit could not be applied.
    EditFailed,
    /// It asked the model to mend its edits as often as it may.
    TooManyReflections,
    /// The context or the answer was too long for the model.
    TokenLimit,
    /// An error of the provider, which may stand behind the beginning of an answer.
    Error { kind: &'a str, message: &'a str },
    /// What aider adds to such an error.
    ErrorExplained,
    /// It tries once more.
    Retries,
    /// Somebody pressed Ctrl+C.
    Interrupted,
    /// Anything else.
    Other,
}

/// Reads one line.
pub(super) fn read(line: &str) -> Line<'_> {
    let line = line.trim_end();
    if let Some(file) = line.strip_prefix("Applied edit to ") {
        return Line::Applied(file);
    }
    if let Some(tokens) = tokens(line) {
        return Line::Tokens(tokens);
    }
    if let Some(cost_usd) = cost(line).filter(|_| line.starts_with("Cost: $")) {
        return Line::Cost(Usage { cost_usd: Some(cost_usd), ..Usage::default() });
    }
    if let Some((hash, message)) =
        line.strip_prefix("Commit ").and_then(|rest| rest.split_once(' '))
        && hash.len() >= 7
        && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    {
        return Line::Commit(message);
    }
    if let Some((kind, message)) = error(line) {
        return Line::Error { kind, message };
    }
    match line {
        "^C again to exit" | "^C KeyboardInterrupt" => Line::Interrupted,
        "The LLM did not conform to the edit format." | "Exception while updating files:" => {
            Line::EditFailed
        }
        // It says so before its banner, and asks no model.
        "No LLM model was specified and no API keys were provided." => {
            Line::Error { kind: "AuthenticationError", message: line }
        }
        _ if line.starts_with("Aider v") => Line::Banner,
        _ if line.starts_with("## SearchReplaceNoExactMatch") => Line::EditFailed,
        _ if line.starts_with("Did not apply edit to ") => Line::EditFailed,
        _ if line.starts_with("Skipping edits to ") => Line::EditFailed,
        _ if line.starts_with("Only ") && line.contains(" reflections allowed") => {
            Line::TooManyReflections
        }
        _ if line.starts_with("Model ") && line.ends_with(" has hit a token limit!") => {
            Line::TokenLimit
        }
        _ if line.starts_with("The API provider") => Line::ErrorExplained,
        _ if line.starts_with("Retrying in ") && line.ends_with(" seconds...") => Line::Retries,
        _ => Line::Other,
    }
}

/// The model that a line of the banner names.
pub(super) fn model(line: &str) -> Option<&str> {
    let named = line.strip_prefix("Model: ").or_else(|| line.strip_prefix("Main model: "))?;
    named.split_whitespace().next()
}

/// An answer without the edits in it.
pub(super) fn without_edits(answer: &str) -> String {
    let mut in_edit = false;
    let mut kept = String::new();
    for line in answer.lines() {
        if line.trim_end() == "<<<<<<< SEARCH" {
            in_edit = true;
        }
        if !in_edit {
            kept.push_str(line);
            kept.push('\n');
        }
        if line.trim_end() == EDIT_ENDS {
            in_edit = false;
        }
    }
    kept
}

/// The outcome that an error of the provider speaks for. Its message tells how long a limit
/// lasts, but not from when, so that is not made up.
pub(super) fn outcome_of_error(kind: &str, message: &str) -> Outcome {
    let status = match kind {
        "AuthenticationError" | "PermissionDeniedError" => return Outcome::Auth,
        "RateLimitError" => return Outcome::Limited { until: None },
        "ContextWindowExceededError" => return Outcome::CutShort { reason: "tokens".to_owned() },
        "ContentPolicyViolationError" => return Outcome::CutShort { reason: "refusal".to_owned() },
        "BadRequestError" => Some(400),
        "NotFoundError" => Some(404),
        "UnprocessableEntityError" => Some(422),
        // The same word stands for a server that cannot be reached, which told no status.
        "InternalServerError" if !message.contains("Connection error") => Some(500),
        "BadGatewayError" => Some(502),
        "ServiceUnavailableError" => Some(503),
        _ => None,
    };
    Outcome::ModelError { status }
}

/// `litellm.KIND: MESSAGE`, anywhere in a line: it may follow a broken answer.
fn error(line: &str) -> Option<(&str, &str)> {
    let start = line.find("litellm.")?;
    let message = &line[start..];
    let (kind, _) = message.strip_prefix("litellm.")?.split_once(": ")?;
    let is_kind = kind.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && (kind.ends_with("Error") || kind == "Timeout");
    is_kind.then_some((kind, message))
}

/// `Tokens: 2.5k sent, 1.0k cache hit, 50 received. Cost: $0.0082 message, $0.02 session.`
fn tokens(line: &str) -> Option<Usage> {
    let counts = line.strip_prefix("Tokens: ")?;
    let (counts, _) = counts.split_once(" received.")?;
    let (sent, rest) = counts.split_once(" sent, ")?;
    let received = rest.rsplit(' ').next()?;
    Some(Usage {
        input_tokens: count(sent)?,
        output_tokens: count(received)?,
        cost_usd: cost(line),
    })
}

/// The cost of one message.
fn cost(line: &str) -> Option<f64> {
    let (_, rest) = line.split_once("Cost: $")?;
    rest.split_whitespace().next()?.parse().ok().filter(|cost: &f64| cost.is_finite())
}

/// A number as aider writes it: `769`, `2.5k`, `101k`, `1.2M`.
fn count(text: &str) -> Option<u64> {
    let (digits, factor) = match text.strip_suffix(['k', 'M']) {
        Some(digits) if text.ends_with('k') => (digits, 1e3),
        Some(digits) => (digits, 1e6),
        None => (text, 1.0),
    };
    let number: f64 = digits.replace(',', "").parse().ok()?;
    let whole = (number * factor).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range is checked, and tokens are far below it"
    )]
    (0.0..1e15).contains(&whole).then_some(whole as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_as_they_are_rounded() {
        let usage = |input_tokens, output_tokens, cost_usd| {
            Line::Tokens(Usage { input_tokens, output_tokens, cost_usd })
        };
        let line = "Tokens: 2.5k sent, 52 received. Cost: $0.0082 message, $0.02 session.";
        assert_eq!(read(line), usage(2500, 52, Some(0.0082)));
        assert_eq!(read("Tokens: 101k sent, 13 received."), usage(101_000, 13, None));
        let line = "Tokens: 9 sent, 1.2k cache write, 3.0k cache hit, 1,250 received.";
        assert_eq!(read(line), usage(9, 1250, None));
        assert_eq!(read("Tokens: many sent, 5 received."), Line::Other);
    }

    #[test]
    fn an_error_is_found_behind_a_broken_answer() {
        let line = "cut ilitellm.APIConnectionError: APIConnectionError: timed out";
        let message = "litellm.APIConnectionError: APIConnectionError: timed out";
        assert_eq!(read(line), Line::Error { kind: "APIConnectionError", message });
        assert_eq!(read("litellm.set_verbose: True"), Line::Other);
    }
}
