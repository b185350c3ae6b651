//! What an agent says and does while it works, in the same words for every agent.

use serde::{Deserialize, Serialize};

use crate::{text::count::count, time::Timestamp};

/// One thing that an agent said or did. Decoders make these; they are kept as messages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Said {
    /// Words of the agent itself.
    Text {
        /// The words.
        text: String,
    },
    /// The agent uses a tool.
    ToolUse {
        /// The tool's name.
        name: String,
        /// One line for people: "edits src/a.rs".
        summary: String,
    },
    /// What a tool answered.
    ToolResult {
        /// One line for people, cut.
        summary: String,
        /// Whether the tool failed.
        failed: bool,
    },
    /// What came of a hook of the agent.
    Hook {
        /// One line for people, cut: "Stop: there is no status block".
        summary: String,
        /// Whether the hook failed.
        failed: bool,
    },
    /// Tokens and money, as the agent reports them.
    Usage(Usage),
    /// The provider's limit was met.
    Limit {
        /// When it is over, where that was told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Timestamp>,
    },
    /// Something went wrong, in the agent's words.
    Problem {
        /// The words.
        text: String,
    },
    /// A line that the decoder does not know.
    Raw {
        /// The line.
        text: String,
    },
    /// What the program wrote to its standard error.
    Stderr {
        /// The text.
        text: String,
    },
}

impl Said {
    /// The word that it is serialised with; the `type` column of the table `messages`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Text { .. } => "text",
            Self::ToolUse { .. } => "tool_use",
            Self::ToolResult { .. } => "tool_result",
            Self::Hook { .. } => "hook",
            Self::Usage(_) => "usage",
            Self::Limit { .. } => "limit",
            Self::Problem { .. } => "problem",
            Self::Raw { .. } => "raw",
            Self::Stderr { .. } => "stderr",
        }
    }

    /// The text that a person would read; the `content` column of the table `messages`.
    pub fn content(&self) -> String {
        match self {
            Self::Text { text }
            | Self::Problem { text }
            | Self::Raw { text }
            | Self::Stderr { text } => text.clone(),
            Self::ToolUse { summary, .. }
            | Self::ToolResult { summary, .. }
            | Self::Hook { summary, .. } => summary.clone(),
            Self::Usage(usage) => {
                format!("{} in, {} out", count(usage.input_tokens, "token"), usage.output_tokens)
            }
            Self::Limit { until: Some(until) } => format!("limited until {until}"),
            Self::Limit { until: None } => "limited".to_owned(),
        }
    }

    /// How much memory the words take, for the caps.
    pub fn size(&self) -> usize {
        match self {
            Self::Text { text }
            | Self::Problem { text }
            | Self::Raw { text }
            | Self::Stderr { text } => text.len(),
            Self::ToolUse { name, summary } => name.len() + summary.len(),
            Self::ToolResult { summary, .. } | Self::Hook { summary, .. } => summary.len(),
            Self::Usage(_) | Self::Limit { .. } => 32,
        }
    }
}

/// Tokens and money that a session, an iteration or a loop used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens that went in.
    pub input_tokens: u64,
    /// Tokens that came out.
    pub output_tokens: u64,
    /// Money, only where the agent reports it: never a made-up figure.
    pub cost_usd: Option<f64>,
}

impl Usage {
    /// The sum of both.
    #[must_use]
    pub fn plus(self, other: Usage) -> Usage {
        Usage {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cost_usd: match (self.cost_usd, other.cost_usd) {
                (None, None) => None,
                (a, b) => Some(a.unwrap_or(0.0) + b.unwrap_or(0.0)),
            },
        }
    }
}
