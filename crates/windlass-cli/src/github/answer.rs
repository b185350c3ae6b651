//! An answer of GitHub, whole, and what it means where it is a no.

use reqwest::header::HeaderMap;
use serde::de::DeserializeOwned;
use windlass_core::{forge::ForgeError, secrets::Secrets, text::sanitise};

use super::{Token, http::Deed, wire::Refusal};

/// The most that an error repeats of what GitHub says.
const LONGEST_MESSAGE: usize = 500;

/// An answer that came whole.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// What it says.
    pub(super) fn json<T: DeserializeOwned>(&self) -> Result<T, ForgeError> {
        serde_json::from_slice(&self.body).map_err(|error| ForgeError::Other {
            // Where it went wrong, and not what stood there.
            why: format!(
                "GitHub's answer is not understood: at line {}, column {}",
                error.line(),
                error.column()
            ),
        })
    }

    /// All that GitHub says of why it does not do it, in a line.
    pub(super) fn message(&self, token: &Token) -> String {
        let refusal: Refusal = serde_json::from_slice(&self.body).unwrap_or_default();
        let mut said = vec![refusal.message.clone()];
        said.extend(refusal.errors.iter().map(one));
        said.retain(|part| !part.is_empty());
        let said =
            if said.is_empty() { format!("it answers {}", self.status) } else { said.join("; ") };
        let said = Secrets::of_value(token.reveal()).redact(&said).into_owned();
        let said: String = said.chars().take(LONGEST_MESSAGE).collect();
        sanitise::line(&said).into_owned()
    }

    /// Whether it is trouble of the server, after which nobody knows what was done.
    pub(super) fn is_trouble(&self) -> bool {
        self.status >= 500
    }

    /// What a no means.
    pub(super) fn refusal(&self, deed: &Deed<'_>, host: &str, token: &Token) -> ForgeError {
        let (host, what) = (host.to_owned(), deed.to_do.clone());
        let message = self.message(token);
        match self.status {
            401 => ForgeError::Unauthorised { host, message },
            403 => ForgeError::Forbidden { what, message },
            404 | 410 => ForgeError::NotFound { what: deed.with.to_owned() },
            422 => ForgeError::Refused { what, message },
            status if status >= 500 => ForgeError::Trouble { host, status },
            status => ForgeError::Other {
                why: format!("{}: {host} answers {status}: {message}", deed.with),
            },
        }
    }
}

/// One of several errors: a sentence, or a field and what is wrong with it.
fn one(error: &serde_json::Value) -> String {
    let text = |name: &str| error[name].as_str().unwrap_or_default();
    match error {
        serde_json::Value::String(text) => text.clone(),
        _ if !text("message").is_empty() => text("message").to_owned(),
        _ => [text("field"), text("code")].join(" ").trim().to_owned(),
    }
}
