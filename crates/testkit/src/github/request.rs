//! What was asked of the stand-in, for tests to look at.

use serde_json::Value;

/// One request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// `GET`, `POST` or `PATCH`.
    pub method: String,
    /// The path, without what stands before `/repos`, and without the query.
    pub path: String,
    /// The query, taken apart.
    pub query: Vec<(String, String)>,
    /// The headers; names are in lower case.
    pub headers: Vec<(String, String)>,
    /// The body; null where there is none.
    pub body: Value,
    /// All of it but the headers, as it came: to look for what must not be there.
    pub raw: String,
}

impl Request {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The value of a part of the query.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The method and the path below the pull requests: `POST 7/reviews`.
    pub fn line(&self) -> String {
        let below = self.path.split_once("/pulls").map_or(self.path.as_str(), |(_, below)| below);
        format!("{} {}", self.method, below.trim_start_matches('/')).trim_end().to_owned()
    }

    /// Takes a target apart: `/api/v3/repos/a/b/pulls?head=a%3Ab`.
    pub(super) fn new(
        method: &str,
        target: &str,
        headers: Vec<(String, String)>,
        body: &[u8],
    ) -> Self {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let path = path.find("/repos/").map_or(path, |at| &path[at..]);
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let query = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(name), decoded(value))
        });
        Self {
            method: method.to_owned(),
            path: decoded(path),
            query: query.collect(),
            headers,
            body: serde_json::from_slice(body).unwrap_or_default(),
            raw: format!("{method} {target}\n{}", String::from_utf8_lossy(body)),
        }
    }
}

/// The text without its percent signs.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let escaped = (byte == b'%').then(|| after.get(..2)).flatten();
        let escaped = escaped.and_then(|digits| str::from_utf8(digits).ok());
        let escaped = escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match escaped {
            Some(escaped) => {
                bytes.push(escaped);
                rest = &after[2..];
            }
            None => {
                bytes.push(if byte == b'+' { b' ' } else { byte });
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
