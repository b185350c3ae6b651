//! Which agents can be signed in to a plan, and which variable makes them bill an API key instead:
//! data, an entry per agent. Pure.

/// An agent that a plan pays for, and the key that is billed in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The agent's name.
    agent: &'static str,
    /// The variable with the API key.
    pub key: &'static str,
    /// The variable that says where the agent keeps its files, if there is one.
    pub directory_variable: Option<&'static str>,
    /// Where it keeps them otherwise, below the user's home.
    pub directory: &'static str,
    /// The file with the credentials, in that directory.
    pub file: &'static str,
    /// The words in that file that show a plan.
    words: &'static str,
}

const PLANS: &[Plan] = &[
    Plan {
        agent: "claude",
        key: "ANTHROPIC_API_KEY",
        directory_variable: Some("CLAUDE_CONFIG_DIR"),
        directory: ".claude",
        file: ".credentials.json",
        words: "\"claudeAiOauth\"",
    },
    Plan {
        agent: "codex",
        key: "CODEX_API_KEY",
        directory_variable: Some("CODEX_HOME"),
        directory: ".codex",
        file: "auth.json",
        words: "\"refresh_token\"",
    },
    Plan {
        agent: "gemini",
        key: "GEMINI_API_KEY",
        directory_variable: None,
        directory: ".gemini",
        file: "oauth_creds.json",
        words: "\"refresh_token\"",
    },
];

impl Plan {
    /// The plan of an agent, by the name that it goes by itself.
    pub fn of(agent: &str) -> Option<&'static Self> {
        PLANS.iter().find(|plan| plan.agent == agent)
    }

    /// Whether credentials with this text are those of a plan.
    pub fn is_signed_in(&self, credentials: &str) -> bool {
        credentials.contains(self.words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_of_a_plan_are_told_from_those_of_a_key() {
        let claude = Plan::of("claude").unwrap();
        assert!(claude.is_signed_in(r#"{"claudeAiOauth": {"accessToken": "x"}}"#));
        assert!(!claude.is_signed_in("{}"));
        let codex = Plan::of("codex").unwrap();
        assert!(!codex.is_signed_in(r#"{"OPENAI_API_KEY": "sk", "tokens": null}"#));
        assert!(Plan::of("aider").is_none());
    }
}
