//! The protocols, told apart by the path of a request.

use serde_json::{Value, json};

/// A protocol between an agent and its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Anthropic Messages.
    Messages,
    /// OpenAI Responses.
    Responses,
    /// OpenAI Chat Completions.
    Chat,
    /// Gemini `generateContent`.
    Gemini,
}

/// What a request wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// An answer of the model.
    Answer(Wire),
    /// How many tokens something has.
    Count(Wire),
    /// The list of models.
    Models,
    /// A sign of life.
    Nothing,
    /// Something that this model does not know.
    Unknown,
}

impl Wanted {
    /// What a request to this path wants.
    pub(super) fn of(method: &str, path: &str) -> Self {
        let path = path.split('?').next().unwrap_or(path);
        match method {
            "HEAD" => Self::Nothing,
            "GET" if path.ends_with("/models") => Self::Models,
            "POST" if path.ends_with("/messages/count_tokens") => Self::Count(Wire::Messages),
            "POST" if path.ends_with(":countTokens") => Self::Count(Wire::Gemini),
            "POST" if path.ends_with("/messages") => Self::Answer(Wire::Messages),
            "POST" if path.ends_with("/responses") => Self::Answer(Wire::Responses),
            "POST" if path.ends_with("/chat/completions") => Self::Answer(Wire::Chat),
            "POST" if path.ends_with(":streamGenerateContent") => Self::Answer(Wire::Gemini),
            "POST" if path.ends_with(":generateContent") => Self::Answer(Wire::Gemini),
            _ => Self::Unknown,
        }
    }
}

impl Wire {
    /// Whether the answer is to come in pieces.
    pub(super) fn is_streamed(self, path: &str, body: &Value) -> bool {
        match self {
            Self::Gemini => path.contains(":streamGenerateContent"),
            _ => body["stream"] == true,
        }
    }

    /// The model that is asked for.
    pub(super) fn model(self, path: &str, body: &Value) -> String {
        let named = match self {
            Self::Gemini => path.split("/models/").nth(1).and_then(|rest| rest.split(':').next()),
            _ => body["model"].as_str(),
        };
        named.unwrap_or("scripted-model").to_owned()
    }

    /// The names of the tools that a request offers.
    pub(super) fn tools(self, body: &Value) -> Vec<String> {
        let tools = body["tools"].as_array().into_iter().flatten();
        let names = tools.flat_map(|tool| match self {
            Self::Gemini => names(&tool["functionDeclarations"]),
            Self::Chat => tool["function"]["name"].as_str().into_iter().collect(),
            Self::Messages | Self::Responses => tool["name"].as_str().into_iter().collect(),
        });
        names.map(str::to_owned).collect()
    }

    /// An error as this protocol has it.
    pub(super) fn error(self, status: u16, message: &str) -> Value {
        let kind = match status {
            400 => "invalid_request_error",
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            429 => "rate_limit_error",
            529 => "overloaded_error",
            _ => "api_error",
        };
        match self {
            Self::Messages => {
                json!({"type": "error", "error": {"type": kind, "message": message}})
            }
            Self::Responses | Self::Chat => {
                let code = if status == 401 { "invalid_api_key" } else { kind };
                json!({"error": {"message": message, "type": kind, "param": null, "code": code}})
            }
            Self::Gemini => {
                let kind = match status {
                    400 => "INVALID_ARGUMENT",
                    401 => "UNAUTHENTICATED",
                    403 => "PERMISSION_DENIED",
                    404 => "NOT_FOUND",
                    429 => "RESOURCE_EXHAUSTED",
                    503 => "UNAVAILABLE",
                    _ => "INTERNAL",
                };
                json!({"error": {"code": status, "message": message, "status": kind}})
            }
        }
    }
}

fn names(declarations: &Value) -> Vec<&str> {
    let declarations = declarations.as_array().into_iter().flatten();
    declarations.filter_map(|declaration| declaration["name"].as_str()).collect()
}
