//! The first lines of what a client asks a proxy for. Does no I/O.

use super::hosts::{self, Target};

/// What a client asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// Where it wants to go.
    pub(super) target: Target,
    /// What is sent there first; empty for a tunnel.
    pub(super) head: Vec<u8>,
}

impl Request {
    /// Whether the client gets a tunnel, and speaks for itself in it.
    pub(super) fn is_tunnel(&self) -> bool {
        self.head.is_empty()
    }

    /// Reads the head of a request, with the empty line at its end.
    pub(super) fn parse(head: &[u8]) -> Option<Self> {
        let text = str::from_utf8(head).ok()?;
        let mut lines = text.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        if words.next().is_some() || !version.starts_with("HTTP/1.") {
            return None;
        }
        if method == "CONNECT" {
            return Some(Self { target: Target::parse(target)?, head: Vec::new() });
        }
        // In a tunnel everything else may be hidden, but plain words are for one host.
        let rest = target.get(..7).filter(|scheme| scheme.eq_ignore_ascii_case("http://"));
        let rest = rest.and(target.get(7..))?;
        let path = rest.find(['/', '?']).map_or("/", |at| &rest[at..]);
        let slash = if path.starts_with('/') { "" } else { "/" };
        let target = hosts::of_url(target)?;
        let host = if target.port == 80 { target.host.clone() } else { target.to_string() };
        // The server closes after its answer: what comes next is judged anew.
        let mut out =
            format!("{method} {slash}{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        for line in lines.filter(|line| !line.is_empty()) {
            let name = line.split(':').next().unwrap_or_default().trim().to_ascii_lowercase();
            let is_ours = matches!(name.as_str(), "host" | "connection" | "keep-alive" | "upgrade");
            if !is_ours && !name.starts_with("proxy-") {
                out.push_str(line);
                out.push_str("\r\n");
            }
        }
        out.push_str("\r\n");
        Some(Self { target, head: out.into_bytes() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(head: &str) -> Option<(String, String)> {
        let request = Request::parse(head.as_bytes())?;
        Some((request.target.to_string(), String::from_utf8(request.head).unwrap()))
    }

    #[test]
    fn a_tunnel_is_asked_for_by_host_and_port() {
        let asked = parse("CONNECT api.example.com:443 HTTP/1.1\r\nHost: elsewhere\r\n\r\n");
        assert_eq!(asked, Some(("api.example.com:443".to_owned(), String::new())));
    }

    #[test]
    fn a_plain_request_goes_to_the_host_of_its_url_and_no_other() {
        let asked = parse(
            "GET http://a.example:8080/x?y=1 HTTP/1.1\r\nHost: evil.example\r\n\
             Proxy-Authorization: secret\r\nConnection: keep-alive\r\nAccept: */*\r\n\r\n",
        );
        let (target, head) = asked.unwrap();
        assert_eq!(target, "a.example:8080");
        assert_eq!(
            head,
            "GET /x?y=1 HTTP/1.1\r\nHost: a.example:8080\r\nConnection: close\r\n\
             Accept: */*\r\n\r\n"
        );
    }

    #[test]
    fn what_is_no_request_to_a_proxy_is_none() {
        for head in [
            "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n",
            "GET https://a.example/ HTTP/2\r\n\r\n",
            "GET ftp://a.example/ HTTP/1.1\r\n\r\n",
            "CONNECT a.example HTTP/1.1\r\n\r\n",
            "CONNECT a.example:443 x HTTP/1.1\r\n\r\n",
            "\r\n\r\n",
            "",
        ] {
            assert_eq!(parse(head), None, "{head:?}");
        }
    }
}
