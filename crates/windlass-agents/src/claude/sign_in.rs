//! How Claude Code says whether it is signed in: `claude auth status` prints JSON.

use serde::Deserialize;

use crate::sign_in::{Answer, Billing, Question, SignIn, SignedIn};

/// Its sign-in.
pub(super) const SIGN_IN: SignIn = SignIn {
    login: "claude auth login",
    question: Question::Status { args: &["auth", "status"], read },
    key_variables: &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    billing: Billing::Plan,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    logged_in: bool,
    auth_method: Option<String>,
    api_provider: Option<String>,
    /// Where a key comes from that is used in place of the plan.
    api_key_source: Option<String>,
}

fn read(answer: &Answer<'_>) -> SignedIn {
    let Ok(status) = serde_json::from_str::<Status>(answer.stdout.trim()) else {
        return SignedIn::Unknown("`claude auth status` did not say".to_owned());
    };
    if !status.logged_in {
        return SignedIn::No;
    }
    let is_own = status.api_provider.is_none_or(|provider| provider == "firstParty");
    let is_plan = status.auth_method.is_some_and(|method| method != "api_key");
    let is_plan = is_own && is_plan && status.api_key_source.is_none();
    SignedIn::Yes(Some(if is_plan { Billing::Plan } else { Billing::ApiKey }))
}
