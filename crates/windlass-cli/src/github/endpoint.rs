//! Where the API is: the public one, or that of `$GITHUB_API_URL`. It is never told by a
//! repository, whose config an agent may have written: the token goes there.

use reqwest::Url;
use windlass_core::forge::ForgeError;

/// The public API.
const PUBLIC: &str = "https://api.github.com";

/// The address that all requests begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Endpoint(Url);

impl Endpoint {
    /// The API at an address, or the public one.
    pub(crate) fn new(address: Option<&str>) -> Result<Self, ForgeError> {
        let bad = |why: &str| ForgeError::Other { why: format!("GITHUB_API_URL {why}") };
        let url = Url::parse(address.unwrap_or(PUBLIC)).map_err(|_| bad("is no address"))?;
        if !matches!(url.scheme(), "https" | "http") || url.host_str().is_none() {
            return Err(bad("is no address of a web server"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(bad("has a name or a password in it: give the token by GITHUB_TOKEN"));
        }
        let endpoint = Self(url);
        if endpoint.0.scheme() == "http" && !endpoint.is_loopback() {
            return Err(bad(
                "begins with `http:`, where anybody could read the token: use `https:`",
            ));
        }
        Ok(endpoint)
    }

    /// The host, as it is named in errors.
    pub(crate) fn host(&self) -> &str {
        match self.0.host_str() {
            Some("api.github.com") => "github.com",
            host => host.expect("an endpoint has a host"),
        }
    }

    /// Whether it tells of the repositories at a host.
    pub(super) fn serves(&self, host: Option<&str>) -> bool {
        let own = self.host();
        // Whatever answers on this machine stands for another host.
        self.is_loopback()
            || host.is_some_and(|host| own == host || own.strip_prefix("api.") == Some(host))
    }

    /// Whether it is this machine.
    pub(super) fn is_loopback(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default().trim_matches(['[', ']']);
        host == "localhost" || host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback())
    }

    /// The address below it that is made of these parts.
    pub(super) fn at<'a>(&self, parts: impl IntoIterator<Item = &'a str>) -> Url {
        let mut url = self.0.clone();
        url.set_query(None);
        url.set_fragment(None);
        let mut path = url.path_segments_mut().expect("an address with a host has a path");
        path.pop_if_empty().extend(parts);
        drop(path);
        url
    }

    /// Whether a token that is for this API may go to this address.
    pub(super) fn is_home_of(&self, url: &Url) -> bool {
        url.origin() == self.0.origin() && url.username().is_empty() && url.password().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_go_below_whatever_the_address_has() {
        for (address, expected) in [
            (None, "https://api.github.com/repos/a%2Fb/pulls"),
            (
                Some("https://ghe.example.org/api/v3"),
                "https://ghe.example.org/api/v3/repos/a%2Fb/pulls",
            ),
            (Some("http://127.0.0.1:80/x/?q#f"), "http://127.0.0.1/x/repos/a%2Fb/pulls"),
        ] {
            let endpoint = Endpoint::new(address).unwrap();
            assert_eq!(endpoint.at(["repos", "a/b", "pulls"]).as_str(), expected);
        }
        assert_eq!(Endpoint::new(None).unwrap().host(), "github.com");
    }

    #[test]
    fn repositories_at_another_host_are_not_told_of() {
        let public = Endpoint::new(None).unwrap();
        assert!(public.serves(Some("github.com")));
        for host in [Some("gitlab.com"), Some("ghe.example.org"), Some("com"), None] {
            assert!(!public.serves(host), "{host:?}");
        }
        for address in ["https://ghe.example.org/api/v3", "https://api.ghe.example.org"] {
            let endpoint = Endpoint::new(Some(address)).unwrap();
            assert!(endpoint.serves(Some("ghe.example.org")), "{address}");
            assert!(!endpoint.serves(Some("github.com")), "{address}");
        }
    }

    #[test]
    fn a_token_goes_nowhere_that_others_could_read_it() {
        for address in
            ["http://ghe.example.org", "ftp://x", "nonsense", "https://ada:hunter2@x", "file:///x"]
        {
            let error = Endpoint::new(Some(address)).unwrap_err().to_string();
            assert!(!error.contains("hunter2"), "{error}");
        }
        for address in ["http://localhost:1", "http://[::1]:1", "http://127.0.0.2:1"] {
            Endpoint::new(Some(address)).unwrap();
        }
        let endpoint = Endpoint::new(Some("https://ghe.example.org/api/v3")).unwrap();
        let is_home = |url| endpoint.is_home_of(&Url::parse(url).unwrap());
        assert!(is_home("https://ghe.example.org/other"));
        for url in [
            "http://ghe.example.org/api/v3",
            "https://ghe.example.org:444/api/v3",
            "https://ghe.example.org.evil.example/api/v3",
            "https://x@ghe.example.org/api/v3",
        ] {
            assert!(!is_home(url), "{url}");
        }
    }
}
