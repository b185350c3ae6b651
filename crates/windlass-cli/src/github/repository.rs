//! Which repository: read from the address of a remote, or from `OWNER/NAME`. Passwords in an
//! address are left behind here.

use std::fmt;

use reqwest::Url;

/// A repository, `OWNER/NAME`, and where it is said to live.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repository {
    /// The host of the address; `None` where only a name was given.
    pub(crate) host: Option<String>,
    /// Whose it is.
    pub(crate) owner: String,
    /// Its name.
    pub(crate) name: String,
}

impl Repository {
    /// The repository of a remote's address: `https://…`, `ssh://…`, or `git@host:owner/name`.
    pub(crate) fn of_remote(address: &str) -> Option<Self> {
        let address = address.trim();
        if address.contains("://") {
            let url = Url::parse(address).ok()?;
            let is_remote = ["https", "http", "ssh", "git", "git+ssh", "ssh+git", "git+https"];
            is_remote.contains(&url.scheme()).then_some(())?;
            return Self::at(url.host_str()?, url.path());
        }
        // A path may have a colon too, but not before its first slash.
        let (host, path) = address.split_once(':').filter(|(host, _)| !host.contains('/'))?;
        Self::at(host.rsplit('@').next()?, path)
    }

    /// The repository that a user names: `OWNER/NAME`, or an address.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let plain = name.split_once('/').filter(|(_, name)| !name.contains('/'));
        match plain {
            Some((owner, name)) if !owner.contains(':') => Self::named(None, owner, name),
            _ => Self::of_remote(name),
        }
    }

    /// Whether it has the name of another one, at the same host.
    pub(crate) fn has_name_of(&self, other: &Self) -> bool {
        let is_host = other.host.is_none() || self.host == other.host;
        let same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
        is_host && same(&self.owner, &other.owner) && same(&self.name, &other.name)
    }

    fn at(host: &str, path: &str) -> Option<Self> {
        let host = host.to_ascii_lowercase();
        // SSH over the port of HTTPS has a host of its own.
        let host = match host.as_str() {
            "ssh.github.com" | "www.github.com" => "github.com".to_owned(),
            _ => host,
        };
        let (owner, name) = path.trim_matches('/').split_once('/')?;
        Self::named(Some(host), owner, name)
    }

    fn named(host: Option<String>, owner: &str, name: &str) -> Option<Self> {
        let name = name.strip_suffix(".git").unwrap_or(name);
        let is_part = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let is_name = |text: &str| {
            !text.is_empty()
                && text.len() <= 100
                && text.chars().all(is_part)
                && text != ".."
                && text != "."
        };
        let is_host = host.as_deref().is_none_or(|host| !host.is_empty());
        let is_whole = is_name(owner) && is_name(name) && is_host;
        is_whole.then(|| Self { host, owner: owner.to_owned(), name: name.to_owned() })
    }
}

impl fmt::Display for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(repository: Option<Repository>) -> String {
        let host = |r: &Repository| r.host.clone().unwrap_or_else(|| "?".to_owned());
        repository.map_or_else(|| "none".to_owned(), |r| format!("{} {r}", host(&r)))
    }

    #[test]
    fn a_repository_is_known_by_the_address_of_its_remote() {
        for (address, expected) in [
            ("https://github.com/ada/engine", "github.com ada/engine"),
            ("https://github.com/ada/engine.git/", "github.com ada/engine"),
            ("https://ada:hunter2@github.com/ada/engine.git", "github.com ada/engine"),
            ("https://GHE.example.org:8443/ada/engine.rs.git", "ghe.example.org ada/engine.rs"),
            ("git@github.com:ada/engine.git", "github.com ada/engine"),
            ("github.com:ada/engine", "github.com ada/engine"),
            ("ssh://git@ssh.github.com:443/ada/engine.git", "github.com ada/engine"),
            ("ssh://git@ghe.example.org:2222/ada/engine", "ghe.example.org ada/engine"),
            ("git://github.com/ada/engine", "github.com ada/engine"),
        ] {
            assert_eq!(shown(Repository::of_remote(address)), expected, "{address}");
        }
    }

    #[test]
    fn what_is_no_repository_at_a_forge_is_none() {
        for address in [
            "",
            "/srv/git/engine.git",
            "../engine",
            "./a:b/c",
            "file:///srv/ada/engine",
            "https://github.com/ada",
            "https://github.com/a/b/c",
            "https://github.com/ada/..",
            "git@github.com:ada/eng ine",
            "git@github.com:ada/engine?x",
            "ext::sh -c evil",
        ] {
            assert_eq!(shown(Repository::of_remote(address)), "none", "{address}");
        }
    }

    #[test]
    fn a_user_names_it_shortly() {
        assert_eq!(shown(Repository::of_name("ada/engine")), "? ada/engine");
        assert_eq!(shown(Repository::of_name("https://github.com/a/b")), "github.com a/b");
        for name in ["engine", "ada/", "/engine", "a/b/c", "../etc", "a/b#1"] {
            assert_eq!(shown(Repository::of_name(name)), "none", "{name}");
        }
    }
}
