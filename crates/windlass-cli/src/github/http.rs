//! One request and its answer: time limits, a cap on what is read, and another try where that is
//! safe. A limit on requests is told, and the caller waits for it. What could not be known is told apart from
//! what is known to have failed.

use reqwest::{
    Method, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION},
    redirect,
};
use serde::Serialize;
use windlass_core::{forge::ForgeError, secrets::Secrets};

use super::{Endpoint, Patience, Token, answer::Answer, limit};

/// The most that is read of one answer: a hundred files with their patches are far below.
const LONGEST_ANSWER: usize = 64 << 20;

/// How often an answer may send one elsewhere.
const MOST_REDIRECTS: usize = 3;

/// Why something came to nothing.
#[derive(Debug)]
pub(super) enum Failed {
    /// Nothing was even sent.
    Unsent(ForgeError),
    /// It is known that nothing was done.
    Surely(ForgeError),
    /// The answer was lost: nobody knows whether it was done.
    Lost(ForgeError),
}

impl Failed {
    /// The error, whatever is known.
    pub(super) fn into_error(self) -> ForgeError {
        match self {
            Self::Unsent(error) | Self::Surely(error) | Self::Lost(error) => error,
        }
    }
}

/// What is asked for, as errors say it.
#[derive(Clone, Debug)]
pub(super) struct Deed<'a> {
    /// What is to be done: `read pull request 7 of ada/engine`.
    pub(super) to_do: String,
    /// The thing that it is done with: `pull request 7 of ada/engine`.
    pub(super) with: &'a str,
}

/// Talks to one API.
#[derive(Debug)]
pub(super) struct Http {
    client: reqwest::Client,
    endpoint: Endpoint,
    token: Token,
    secrets: Secrets,
    patience: Patience,
}

impl Http {
    pub(super) fn new(
        endpoint: Endpoint,
        token: Token,
        patience: Patience,
    ) -> Result<Self, ForgeError> {
        // It is set once a program; where it is set already, it is the same.
        drop(rustls::crypto::ring::default_provider().install_default());
        let mut builder = reqwest::Client::builder()
            .default_headers(headers(&token))
            .user_agent(concat!("windlass/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(patience.connect)
            .timeout(patience.answer)
            .redirect(redirect::Policy::none())
            .referer(false);
        if endpoint.is_loopback() {
            // No proxy knows this machine, and nothing is trusted that is not needed.
            builder = builder.no_proxy().tls_certs_only([]);
        }
        let client = builder.build().map_err(|error| ForgeError::Unreachable {
            host: endpoint.host().to_owned(),
            why: because(&error),
        })?;
        let secrets = Secrets::of_value(token.reveal());
        Ok(Self { client, endpoint, token, secrets, patience })
    }

    pub(super) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    pub(super) fn patience(&self) -> Patience {
        self.patience
    }

    /// The text without the token, and without whatever looks like one.
    pub(super) fn clean(&self, text: &str) -> String {
        self.secrets.redact(text).into_owned()
    }

    /// An error that has no name.
    pub(super) fn other(&self, what: &str, why: &str) -> ForgeError {
        ForgeError::Other { why: self.clean(&format!("{what}: {why}")) }
    }

    /// Reads; what is lost on the way is asked for again.
    pub(super) async fn get(&self, what: &str, url: Url) -> Result<Answer, ForgeError> {
        let deed = Deed { to_do: format!("read {what}"), with: what };
        let mut tried = 1;
        loop {
            match self.ask(&Method::GET, &deed, url.clone(), None).await {
                Err(Failed::Lost(_)) if tried < self.patience.tries => self.pause(tried).await,
                answer => return answer.map_err(Failed::into_error),
            }
            tried += 1;
        }
    }

    /// Writes, once.
    pub(super) async fn write(
        &self,
        method: Method,
        deed: &Deed<'_>,
        url: Url,
        body: &impl Serialize,
    ) -> Result<Answer, Failed> {
        let body = serde_json::to_vec(body).expect("what is posted is plain JSON");
        self.ask(&method, deed, url, Some(&body)).await
    }

    /// The pause after so many tries.
    pub(super) async fn pause(&self, tried: u32) {
        tokio::time::sleep(self.patience.pause * (1 << tried.saturating_sub(1).min(5))).await;
    }

    /// Asks once, but for connections that do not come about: that is before anything is done.
    async fn ask(
        &self,
        method: &Method,
        deed: &Deed<'_>,
        mut url: Url,
        body: Option<&[u8]>,
    ) -> Result<Answer, Failed> {
        let (mut redirects, mut tried) = (0, 1);
        loop {
            let answer = match self.exchange(method, &url, body).await {
                Err(Failed::Unsent(_)) if tried < self.patience.tries => {
                    self.pause(tried).await;
                    tried += 1;
                    continue;
                }
                answer => answer?,
            };
            match answer.status {
                200..=299 => return Ok(answer),
                301 | 302 | 307 | 308 => {
                    redirects += 1;
                    url = self.redirected(deed, method, &url, &answer, redirects)?;
                }
                _ => return Err(self.no(deed, &answer)),
            }
        }
    }

    /// What an answer means that is a no, and no way to elsewhere.
    fn no(&self, deed: &Deed<'_>, answer: &Answer) -> Failed {
        let said = answer.message(&self.token);
        if let Some(limit) = limit::of(answer.status, &answer.headers, &said, windlass::now()) {
            return Failed::Surely(ForgeError::RateLimited { until: Some(limit.until) });
        }
        let error = answer.refusal(deed, self.endpoint.host(), &self.token);
        if answer.is_trouble() { Failed::Lost(error) } else { Failed::Surely(error) }
    }

    /// Where an answer sends one. The token goes along, so only to the same server; and what writes
    /// is not turned into something that reads.
    fn redirected(
        &self,
        deed: &Deed<'_>,
        method: &Method,
        from: &Url,
        answer: &Answer,
        redirects: usize,
    ) -> Result<Url, Failed> {
        let to = answer.headers.get(LOCATION).and_then(|to| to.to_str().ok());
        let to = to.and_then(|to| from.join(to).ok());
        let stays = *method == Method::GET || matches!(answer.status, 307 | 308);
        match to {
            Some(to) if !self.endpoint.is_home_of(&to) => {
                Err(Failed::Surely(self.other(deed.with, "it is said to be at another host")))
            }
            Some(to) if stays && redirects <= MOST_REDIRECTS => Ok(to),
            _ => Err(Failed::Surely(
                self.other(deed.with, "it has moved: name the new place by --repo"),
            )),
        }
    }

    /// One request, and the whole of its answer.
    async fn exchange(
        &self,
        method: &Method,
        url: &Url,
        body: Option<&[u8]>,
    ) -> Result<Answer, Failed> {
        let mut request = self.client.request(method.clone(), url.clone());
        if let Some(body) = body {
            request = request.header(CONTENT_TYPE, "application/json").body(body.to_vec());
        }
        let lost = |error: reqwest::Error| {
            let host = self.endpoint.host().to_owned();
            let unreachable = ForgeError::Unreachable { host, why: self.clean(&because(&error)) };
            // Where there was no connection, nothing was sent.
            if error.is_connect() || error.is_builder() {
                Failed::Unsent(unreachable)
            } else {
                Failed::Lost(unreachable)
            }
        };
        let mut response = request.send().await.map_err(lost)?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(lost)? {
            if body.len() + chunk.len() > LONGEST_ANSWER {
                let why = format!("the answer is longer than {} MiB", LONGEST_ANSWER >> 20);
                return Err(Failed::Lost(ForgeError::Other { why }));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Answer { status: response.status().as_u16(), headers: response.headers().clone(), body })
    }
}

fn headers(token: &Token) -> HeaderMap {
    let bearer = format!("Bearer {}", token.reveal());
    let mut bearer = HeaderValue::from_str(&bearer).expect("a token is plain");
    bearer.set_sensitive(true);
    HeaderMap::from_iter([
        (AUTHORIZATION, bearer),
        (ACCEPT, HeaderValue::from_static("application/vnd.github+json")),
        (HeaderName::from_static("x-github-api-version"), HeaderValue::from_static("2022-11-28")),
    ])
}

/// Why a request failed: the last of its causes says it best. No address is in it.
fn because(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "it does not answer in time".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    if error.is_connect() { format!("no connection: {cause}") } else { cause.to_string() }
}
