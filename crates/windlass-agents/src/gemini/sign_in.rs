//! How it is found out whether Gemini CLI is signed in: it has no status command, so it is asked one
//! thing, in a mode in which it only reads, without extensions and servers.

use crate::sign_in::{Billing, Question, SignIn};

/// Its sign-in.
pub(super) const SIGN_IN: SignIn = SignIn {
    // It asks for the way to sign in when it is started without one.
    login: "gemini",
    question: Question::Prompt {
        model: Some("gemini-2.5-flash-lite"),
        args: &[
            "--skip-trust",
            "--approval-mode",
            "plan",
            "--extensions",
            "none",
            "--allowed-mcp-server-names",
            "none",
        ],
    },
    key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    billing: Billing::Plan,
};
