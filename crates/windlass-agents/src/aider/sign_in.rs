//! How it is found out whether Aider has a key: it has no status command, so it is asked one thing, in
//! the mode in which it changes no file. Which model is cheapest depends on the provider of the key.

use crate::sign_in::{Billing, Question, SignIn};

/// Its sign-in.
pub(super) const SIGN_IN: SignIn = SignIn {
    // Without a key it offers to sign in to OpenRouter.
    login: "aider",
    question: Question::Prompt {
        model: None,
        args: &[
            "--chat-mode",
            "ask",
            "--no-git",
            "--map-tokens",
            "0",
            "--no-suggest-shell-commands",
        ],
    },
    key_variables: &[
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "OPENROUTER_API_KEY",
        "DEEPSEEK_API_KEY",
        "GEMINI_API_KEY",
        "AIDER_OPENAI_API_KEY",
        "AIDER_ANTHROPIC_API_KEY",
    ],
    billing: Billing::ApiKey,
};
