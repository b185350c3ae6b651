//! How OpenCode says whether it is signed in: `opencode auth list` lists providers, each with `api`,
//! `oauth` or the variable that holds its key.

use crate::sign_in::{Answer, Billing, Question, SignIn, SignedIn};

/// Its sign-in.
pub(super) const SIGN_IN: SignIn = SignIn {
    login: "opencode auth login",
    question: Question::Status { args: &["auth", "list"], read },
    key_variables: &[
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "OPENROUTER_API_KEY",
        "GEMINI_API_KEY",
        "OPENCODE_API_KEY",
    ],
    billing: Billing::ApiKey,
};

fn read(answer: &Answer<'_>) -> SignedIn {
    let counts = answer.stdout.lines().any(|line| line.contains(" credentials"));
    if answer.code != Some(0) || !counts {
        return SignedIn::Unknown("`opencode auth list` did not say".to_owned());
    }
    let providers = answer.stdout.lines().filter(|line| line.contains('●'));
    let ways: Vec<&str> = providers.filter_map(|line| line.split_whitespace().last()).collect();
    // Colours stand before the word.
    let is_oauth = |way: &&str| way.ends_with("oauth");
    match ways.as_slice() {
        [] => SignedIn::No,
        ways if ways.iter().all(is_oauth) => SignedIn::Yes(Some(Billing::Plan)),
        _ => SignedIn::Yes(Some(Billing::ApiKey)),
    }
}
