//! The hosts that a sandbox may reach: exact names, exact ports, no patterns. Does no I/O.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

use serde::{Deserialize, Serialize};

/// The ports of a host that is named without one.
const USUAL_PORTS: [u16; 2] = [443, 80];

/// How variables are named that say where a model is.
const ENDPOINTS: [&str; 4] = ["_BASE_URL", "_API_BASE", "_API_URL", "_ENDPOINT"];

/// A host and a port.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(in crate::sandbox) struct Target {
    /// In lower case, without a dot at its end; an address without brackets.
    pub(in crate::sandbox) host: String,
    pub(in crate::sandbox) port: u16,
}

impl Target {
    /// Reads `HOST:PORT`, as `CONNECT` has it.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (host, port) = split(text)?;
        Some(Self { host, port: port? })
    }

    /// Whether it is this machine itself, by what it is called.
    pub(in crate::sandbox) fn is_loopback(&self) -> bool {
        self.host == "localhost"
            || self.host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.host.parse::<Ipv6Addr>() {
            Ok(address) => write!(f, "[{address}]:{}", self.port),
            Err(_) => write!(f, "{}:{}", self.host, self.port),
        }
    }
}

/// A host as a user names it: `HOST` or `HOST:PORT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::sandbox) struct Named {
    host: String,
    port: Option<u16>,
}

impl FromStr for Named {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (host, port) = split(text.trim()).ok_or(())?;
        Ok(Self { host, port })
    }
}

/// The hosts that may be reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::sandbox) struct Hosts {
    /// Whether an address of this machine or of the user's network may be meant.
    allowed: BTreeMap<Target, bool>,
}

impl Hosts {
    /// Allows a host of an agent's model: one that is out on the internet.
    pub(in crate::sandbox) fn allow_public(&mut self, host: &str) {
        for port in USUAL_PORTS {
            self.allowed.entry(Target { host: host.to_owned(), port }).or_insert(false);
        }
    }

    /// Allows a host that the user named. With a port, it may be anywhere.
    pub(in crate::sandbox) fn allow_named(&mut self, named: &Named) {
        let host = named.host.clone();
        match named.port {
            Some(port) => drop(self.allowed.insert(Target { host, port }, true)),
            None => self.allow_public(&host),
        }
    }

    /// Allows the hosts of variables such as `ANTHROPIC_BASE_URL`, which the user passes on.
    pub(in crate::sandbox) fn allow_endpoints(&mut self, env: &BTreeMap<OsString, OsString>) {
        for (name, value) in env {
            let (Some(name), Some(value)) = (name.to_str(), value.to_str()) else { continue };
            if ENDPOINTS.iter().any(|ending| name.ends_with(ending))
                && let Some(target) = of_url(value)
            {
                self.allowed.insert(target, true);
            }
        }
    }

    /// Whether a host may be reached; and if so, also at an address that is not public.
    pub(super) fn permits(&self, target: &Target) -> Option<Anywhere> {
        self.allowed.get(target).copied().map(Anywhere)
    }

    /// What of them is this machine itself.
    pub(in crate::sandbox) fn of_this_machine(&self) -> impl Iterator<Item = &Target> {
        let anywhere = self.allowed.iter().filter(|(_, anywhere)| **anywhere);
        anywhere.map(|(target, _)| target).filter(|target| target.is_loopback())
    }

    /// The names, without the ports.
    pub(in crate::sandbox) fn names(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.allowed.keys().map(|target| target.host.as_str()).collect();
        names.dedup();
        names
    }
}

/// Whether a host may be at an address that is not public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Anywhere(bool);

impl Anywhere {
    /// Whether the host may be reached at this address.
    pub(super) fn permits(self, address: IpAddr) -> bool {
        self.0 || is_public(address)
    }
}

/// The host and port of `http://HOST[:PORT]/…`.
pub(super) fn of_url(url: &str) -> Option<Target> {
    let (scheme, rest) = url.trim().split_once("://")?;
    let usual = match scheme.to_ascii_lowercase().as_str() {
        "https" => 443,
        "http" => 80,
        _ => return None,
    };
    let authority = rest.split(['/', '?', '#']).next()?;
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (host, port) = split(authority)?;
    Some(Target { host, port: port.unwrap_or(usual) })
}

/// Takes a host and its port apart. An address of IPv6 with a port stands in brackets.
fn split(text: &str) -> Option<(String, Option<u16>)> {
    if let Ok(address) = text.parse::<Ipv6Addr>() {
        return Some((address.to_string(), None));
    }
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let (address, after) = rest.split_once(']')?;
            let address: Ipv6Addr = address.parse().ok()?;
            let port = if after.is_empty() { None } else { Some(after.strip_prefix(':')?) };
            (address.to_string(), port)
        }
        None => match text.split_once(':') {
            Some((host, port)) => (host.to_owned(), Some(port)),
            None => (text.to_owned(), None),
        },
    };
    let port = match port {
        // A sign is no digit, though a number may be parsed with one.
        Some(port) if !port.bytes().all(|byte| byte.is_ascii_digit()) => return None,
        Some(port) => Some(port.parse().ok().filter(|port| *port != 0)?),
        None => None,
    };
    let host = host.to_ascii_lowercase();
    let host = host.strip_suffix('.').unwrap_or(&host);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | ':');
    let is_host = !host.is_empty() && host.len() <= 253 && host.chars().all(is_plain);
    is_host.then(|| (host.to_owned(), port))
}

/// Whether an address is out on the internet: not this machine, not the user's network.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let shared = a == 100 && (64..128).contains(&b);
    let special = (a == 192 && b == 0 && c == 0) || (a == 198 && (18..20).contains(&b));
    !(a == 0
        || a >= 224
        || shared
        || special
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = address.to_ipv4_mapped() {
        return is_public_v4(inner);
    }
    let parts = address.segments();
    // Gateways between the two, whose addresses hold one of IPv4.
    let inner = match parts {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => Some([high, low]),
        [0, 0, 0, 0, 0, 0, high, low] => Some([high, low]),
        _ => None,
    };
    if let Some([high, low]) = inner {
        return is_public_v4(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)));
    }
    // Of all there is only this eighth is out on the internet.
    parts[0] & 0xe000 == 0x2000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(public: &[&str], named: &[&str]) -> Hosts {
        let mut hosts = Hosts::default();
        public.iter().for_each(|host| hosts.allow_public(host));
        named.iter().for_each(|host| hosts.allow_named(&host.parse().unwrap()));
        hosts
    }

    #[test]
    fn only_the_exact_host_and_port_may_be_reached() {
        let hosts = hosts(&["api.example.com"], &["files.example.com:8443"]);
        let permits =
            |text: &str| Target::parse(text).is_some_and(|target| hosts.permits(&target).is_some());
        for reached in ["api.example.com:443", "API.Example.com.:443", "files.example.com:8443"] {
            assert!(permits(reached), "{reached}");
        }
        for refused in [
            "api.example.com:22",
            "files.example.com:443",
            "evil-api.example.com:443",
            "api.example.com.evil.org:443",
            "example.com:443",
            "api.example.com",
            "api.example.com:+443",
            "api.example.com:443:443",
            "api.example.com@evil.org:443",
            "api.example.com/:443",
            "93.184.216.34:443",
            "",
            ":443",
        ] {
            assert!(!permits(refused), "{refused}");
        }
    }

    #[test]
    fn an_address_of_this_network_must_be_named_with_its_port() {
        let private = ["127.0.0.1", "10.1.2.3", "192.168.1.1", "169.254.169.254", "100.64.0.1"];
        let odd = ["::1", "fe80::1", "fd00::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "0.0.0.0"];
        let hosts = hosts(&["a.example"], &["b.example:443"]);
        let anywhere =
            |host: &str| hosts.permits(&Target { host: host.to_owned(), port: 443 }).unwrap();
        for address in private.iter().chain(&odd) {
            let address: IpAddr = address.parse().unwrap();
            assert!(!anywhere("a.example").permits(address), "{address}");
            assert!(anywhere("b.example").permits(address), "{address}");
        }
        for address in ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"] {
            assert!(anywhere("a.example").permits(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn the_variables_that_say_where_a_model_is_allow_it() {
        let mut hosts = Hosts::default();
        hosts.allow_endpoints(&BTreeMap::from([
            ("ANTHROPIC_BASE_URL".into(), "http://127.0.0.1:4010/v1".into()),
            ("OPENAI_API_BASE".into(), "https://user@Models.example/v1".into()),
            ("HOMEPAGE".into(), "https://elsewhere.example".into()),
            ("X_BASE_URL".into(), "not a url".into()),
        ]));
        assert_eq!(hosts.names(), ["127.0.0.1", "models.example"]);
        let here: Vec<_> = hosts.of_this_machine().map(ToString::to_string).collect();
        assert_eq!(here, ["127.0.0.1:4010"]);
    }
}
