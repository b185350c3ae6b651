//! Stands before all routing, for every method: who is addressed, from where, and who asks.
//!
//! A page that a browser loaded from somewhere else can send requests to this machine. It cannot
//! choose the headers `Host` and `Origin`, and it does not know the token.

mod hosts;
mod token;

use axum::http::{
    HeaderMap, HeaderName, Method, StatusCode, Uri,
    header::{AUTHORIZATION, CONTENT_TYPE, HOST, ORIGIN},
};

pub(crate) use self::{hosts::Hosts, token::Token};
use super::Problem;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Lets requests in, or says why not.
#[derive(Debug)]
pub(crate) struct Guard {
    hosts: Hosts,
    token: Token,
}

/// Who asks, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visitor {
    /// Somebody with the token.
    Known,
    /// Somebody without it, who asks for what everybody may see.
    Anybody,
}

impl Guard {
    /// A guard for a server that is addressed so, and whose users have that token.
    pub(crate) fn new(hosts: Hosts, token: Token) -> Self {
        Self { hosts, token }
    }

    /// Who asks; or why they are not answered.
    pub(crate) fn admit(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<Visitor, Problem> {
        self.check_host(uri, headers)?;
        self.check_origin(headers)?;
        let visitor = match self.is_known(headers) {
            true => Visitor::Known,
            false if is_for_everybody(method, uri.path()) => Visitor::Anybody,
            false => return Err(unknown(headers)),
        };
        check_body(method, headers)?;
        Ok(visitor)
    }

    /// The header `Host` names this server, whole and exactly. A name that an attacker made point
    /// here does not.
    fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
        let host = only(headers, &HOST).and_then(|value| value.to_str().ok());
        let is_ours = host.is_some_and(|host| self.hosts.is_host(host));
        let target_is_ours =
            uri.authority().is_none_or(|target| self.hosts.is_host(target.as_str()));
        if is_ours && target_is_ours {
            return Ok(());
        }
        Err(forbidden("this server is not known under that name")
            .hint("open the address that `windlass serve` printed")
            .hint("for another name, start it with `--allow-remote --host NAME`"))
    }

    /// What a browser says of the page that asks: it must be one of ours.
    fn check_origin(&self, headers: &HeaderMap) -> Result<(), Problem> {
        if headers.contains_key(ORIGIN) {
            let origin = only(headers, &ORIGIN).and_then(|value| value.to_str().ok());
            if !origin.is_some_and(|origin| self.hosts.is_origin(origin)) {
                return Err(forbidden("pages from elsewhere are not answered"));
            }
        }
        // Another port of this machine is another site's page too, though browsers call it the
        // same site.
        let sites = headers.get_all(SEC_FETCH_SITE);
        if sites.iter().any(|site| site != "same-origin" && site != "none") {
            return Err(forbidden("pages from elsewhere are not answered")
                .hint("open the address that `windlass serve` printed in a new tab"));
        }
        Ok(())
    }

    fn is_known(&self, headers: &HeaderMap) -> bool {
        let shown = only(headers, &AUTHORIZATION).and_then(|value| value.to_str().ok());
        let shown = shown.and_then(|value| value.split_once(' '));
        shown.is_some_and(|(scheme, token)| {
            scheme.eq_ignore_ascii_case("bearer") && self.token.is(token.trim())
        })
    }
}

/// The shell and its assets hold no data, and a browser cannot send the token for them.
fn is_for_everybody(method: &Method, path: &str) -> bool {
    let is_look = method == Method::GET || method == Method::HEAD;
    let one_below = |prefix| {
        path.strip_prefix(prefix).is_some_and(|rest: &str| !rest.is_empty() && !rest.contains('/'))
    };
    is_look && (path == "/" || one_below("/loops/") || one_below("/assets/"))
}

/// Whoever changes something sends JSON: a form of a page from elsewhere cannot.
fn check_body(method: &Method, headers: &HeaderMap) -> Result<(), Problem> {
    if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS | Method::DELETE) {
        return Ok(());
    }
    let sent = only(headers, &CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = sent.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "what is sent here must be JSON")
        .hint("send it with `Content-Type: application/json`"))
}

/// The value of a header that is there once; one that is there twice is none.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a axum::http::HeaderValue> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|_| values.next().is_none())
}

fn unknown(headers: &HeaderMap) -> Problem {
    let message = match headers.contains_key(AUTHORIZATION) {
        true => "that is not the token of this server",
        false => "this needs the token of the server",
    };
    Problem::new(StatusCode::UNAUTHORIZED, message)
        .hint("send `Authorization: Bearer TOKEN`; it is in the address that `windlass serve` printed")
        .hint("it is a new one each time the server is started")
}

fn forbidden(message: &str) -> Problem {
    Problem::new(StatusCode::FORBIDDEN, message)
}

#[cfg(test)]
mod tests;
