//! What the ways over the network have in common: an address, which may be secret itself, and one
//! request with limits.

use std::time::Duration;

use reqwest::{Client, RequestBuilder, Url, redirect};

/// How long a connection may take to come about, and a request altogether.
const CONNECT: Duration = Duration::from_secs(4);
const ANSWER: Duration = Duration::from_secs(9);

/// Where something is posted to.
#[derive(Clone)]
pub(super) struct Address(Url);

/// Only the host: the rest of the address may be what lets one in.
impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.host())
    }
}

impl Address {
    pub(super) fn new(text: &str) -> Result<Self, String> {
        let wrong = || "write an address that begins with `https://` or `http://`".to_owned();
        let url = Url::parse(text).map_err(|_| wrong())?;
        let is_web = matches!(url.scheme(), "https" | "http") && url.has_host();
        if is_web { Ok(Self(url)) } else { Err(wrong()) }
    }

    /// The host, which may be told.
    pub(super) fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Posts once what `fill` makes of the request.
    pub(super) async fn post(
        &self,
        fill: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Result<(), String> {
        // It is set once a program; where it is set already, it is the same.
        drop(rustls::crypto::ring::default_provider().install_default());
        let mut builder = Client::builder()
            .user_agent(concat!("windlass/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .timeout(ANSWER)
            .redirect(redirect::Policy::none())
            .referer(false);
        if matches!(self.host(), "localhost" | "127.0.0.1" | "[::1]") {
            // No proxy knows this machine.
            builder = builder.no_proxy().tls_certs_only([]);
        }
        let client = builder.build().map_err(|error| because(&error))?;
        let answer = fill(client.post(self.0.clone())).send().await;
        let status = answer.map_err(|error| because(&error))?.status();
        if status.is_success() { Ok(()) } else { Err(format!("it answers {}", status.as_u16())) }
    }
}

/// Why it failed, without the address.
fn because(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "it does not answer in time".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    if error.is_connect() { format!("no connection: {cause}") } else { "it hung up".to_owned() }
}
