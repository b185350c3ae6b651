//! The lines of Claude Code's JSON stream, as far as windlass reads them. What it does not name is
//! skipped without being kept.

use std::collections::BTreeMap;

use serde::Deserialize;
use windlass_core::said::{Said, Usage};

use crate::summary::{ToolInput, Words, one_line};

#[derive(Debug, Deserialize)]
pub(super) struct Init {
    pub model: Option<String>,
    pub session_id: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Retry {
    #[serde(default)]
    attempt: Words,
    #[serde(default)]
    max_retries: Words,
    error_status: Option<u16>,
    error: Option<String>,
}

impl Retry {
    /// Whether the provider did not take the key or the login.
    pub(super) fn is_refusal(&self) -> bool {
        self.error.as_deref() == Some("authentication_failed")
    }

    /// That Claude Code tries again by itself, which is told and not counted.
    pub(super) fn words(&self) -> String {
        let why = match (self.error_status, &self.error) {
            (Some(status), _) => format!("error {status}"),
            (None, Some(error)) if error != "unknown" => error.replace('_', " "),
            _ => "an error".to_owned(),
        };
        format!("tries again after {why} ({} of {})", self.attempt.0, self.max_retries.0)
    }
}

/// What came of a hook.
#[derive(Debug, Deserialize)]
pub(super) struct HookResponse {
    #[serde(default)]
    hook_name: String,
    #[serde(default)]
    output: String,
    outcome: Option<String>,
}

impl HookResponse {
    /// What people are told of it: that it failed, or what it said. What it says as JSON is for the
    /// program, which then does as it was told.
    pub(super) fn said(&self) -> Option<Said> {
        let failed = self.outcome.as_deref() != Some("success");
        let output = self.output.trim();
        if !failed && (output.is_empty() || output.starts_with('{')) {
            return None;
        }
        let summary = one_line(&format!("{}: {output}", self.hook_name));
        Some(Said::Hook { summary, failed })
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct LimitEvent {
    pub rate_limit_info: LimitInfo,
}

#[derive(Debug, Deserialize)]
pub(super) struct LimitInfo {
    pub status: Option<String>,
    #[serde(rename = "resetsAt")]
    pub resets_at: Option<i64>,
    /// Whether the plan is used up and its overage is paid for.
    #[serde(rename = "isUsingOverage", default)]
    pub is_using_overage: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct Assistant {
    pub message: AssistantMessage,
    /// The kind of an error that the program met, and told as if the model had spoken.
    pub error: Option<String>,
    /// Set for the words of a helper that the agent started.
    pub parent_tool_use_id: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct AssistantMessage {
    pub model: Option<String>,
    #[serde(default)]
    pub content: Vec<Part>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Part {
    #[serde(rename = "type")]
    pub kind: String,
    pub text: Option<String>,
    pub id: Option<String>,
    pub name: Option<String>,
    pub input: Option<ToolInput>,
}

/// The last word of a session.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ResultEvent {
    pub subtype: Option<String>,
    #[serde(default)]
    pub is_error: bool,
    pub api_error_status: Option<u16>,
    pub result: Option<String>,
    pub errors: Option<Vec<Words>>,
    pub stop_reason: Option<String>,
    pub terminal_reason: Option<String>,
    pub total_cost_usd: Option<f64>,
    pub usage: Option<Tokens>,
    #[serde(rename = "modelUsage")]
    pub model_usage: Option<BTreeMap<String, Tokens>>,
    pub permission_denials: Option<Vec<Denial>>,
    pub session_id: Option<String>,
}

/// Tokens, in the spelling of both places that have them.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Tokens {
    #[serde(alias = "inputTokens")]
    input_tokens: u64,
    #[serde(alias = "outputTokens")]
    output_tokens: u64,
    #[serde(alias = "cacheReadInputTokens")]
    cache_read_input_tokens: u64,
    #[serde(alias = "cacheCreationInputTokens")]
    cache_creation_input_tokens: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Denial {
    pub tool_use_id: Option<String>,
    pub tool_name: Option<String>,
}

impl ResultEvent {
    /// Tokens and money of the whole session. The sums by model have every call; `usage` lacks
    /// some. Cached tokens went in like others, as agents that count them together see it.
    pub(super) fn usage(&self) -> Usage {
        let by_model = self.model_usage.iter().flat_map(BTreeMap::values);
        let by_model = by_model.fold(Usage::default(), |sum, tokens| sum.plus(tokens.usage()));
        let tokens = match (&self.usage, by_model == Usage::default()) {
            (Some(tokens), true) => tokens.usage(),
            _ => by_model,
        };
        Usage { cost_usd: self.total_cost_usd, ..tokens }
    }

    /// What it says went wrong.
    pub(super) fn words(&self) -> &str {
        let error = self.errors.iter().flatten().map(|words| words.0.as_str()).next();
        self.result.as_deref().filter(|text| !text.is_empty()).or(error).unwrap_or_default()
    }
}

impl Tokens {
    fn usage(&self) -> Usage {
        let cached = self.cache_read_input_tokens.saturating_add(self.cache_creation_input_tokens);
        Usage {
            input_tokens: self.input_tokens.saturating_add(cached),
            output_tokens: self.output_tokens,
            cost_usd: None,
        }
    }
}
