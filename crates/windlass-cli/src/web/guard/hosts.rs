//! The names that this server answers to, as whole strings. There is no prefix, pattern or parser
//! that could be talked into more.

use std::net::{IpAddr, SocketAddr};

/// The values of `Host` and `Origin` that are ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hosts {
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Hosts {
    /// The names of a server that listens on `bound`; `more` are those that its user gave.
    pub(crate) fn new(bound: SocketAddr, more: &[String]) -> Self {
        let port = bound.port();
        let mut names = ["127.0.0.1", "localhost", "[::1]"].map(str::to_owned).to_vec();
        if !bound.ip().is_unspecified() {
            names.push(match bound.ip() {
                IpAddr::V4(ip) => ip.to_string(),
                IpAddr::V6(ip) => format!("[{ip}]"),
            });
        }
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        if port == 80 {
            hosts.extend(names);
        }
        let mut origins: Vec<String> = hosts.iter().map(|host| format!("http://{host}")).collect();
        for name in more {
            // Whoever gives a name may have put a server with TLS in front.
            for host in [name.clone(), format!("{name}:{port}")] {
                origins.extend([format!("http://{host}"), format!("https://{host}")]);
                hosts.push(host);
            }
        }
        Self { hosts, origins }
    }

    /// Whether `Host: host` names this server.
    pub(crate) fn is_host(&self, host: &str) -> bool {
        self.hosts.iter().any(|ours| ours == host)
    }

    /// Whether a page with this origin is ours.
    pub(crate) fn is_origin(&self, origin: &str) -> bool {
        self.origins.iter().any(|ours| ours == origin)
    }
}
