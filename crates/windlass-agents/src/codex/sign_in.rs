//! How Codex says whether it is signed in: `codex login status` prints a sentence, and exits with 1 if
//! it is not. It does not count the variable with a key that `codex exec` uses.

use crate::sign_in::{Answer, Billing, Question, SignIn, SignedIn};

/// Its sign-in.
pub(super) const SIGN_IN: SignIn = SignIn {
    login: "codex login",
    question: Question::Status { args: &["login", "status"], read },
    key_variables: &["CODEX_API_KEY"],
    billing: Billing::Plan,
};

fn read(answer: &Answer<'_>) -> SignedIn {
    let lines = || answer.stdout.lines().chain(answer.stderr.lines()).map(str::trim);
    let says = |words: &str| lines().any(|line| line.contains(words));
    match answer.code {
        Some(1) if says("Not logged in") => SignedIn::No,
        Some(0) if says("ChatGPT") => SignedIn::Yes(Some(Billing::Plan)),
        Some(0) if says("API key") => SignedIn::Yes(Some(Billing::ApiKey)),
        Some(0) if says("Logged in") => SignedIn::Yes(None),
        _ => SignedIn::Unknown("`codex login status` did not say".to_owned()),
    }
}
