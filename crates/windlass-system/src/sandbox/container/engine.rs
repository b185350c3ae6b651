//! The engine that runs containers: where its socket is, whether it answers, and what its errors
//! mean. Only Unix sockets: a container elsewhere would not see the work tree.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    io,
    os::unix::{ffi::OsStrExt, net::UnixStream},
    path::{Path, PathBuf},
    time::Duration,
};

use bollard::{API_DEFAULT_VERSION, ClientVersion, Docker, errors::Error};
use tokio::time::timeout;
use windlass_core::options::SandboxName;

use super::super::{SandboxError, machine::Missing};
use crate::process;

/// How long the engine may take for an answer, in seconds.
const PATIENCE: u64 = 30;

/// How long it may take to say that it is there.
const TO_GREET: Duration = Duration::from_secs(10);

/// An engine that answers.
#[derive(Debug)]
pub(super) struct Engine {
    pub(super) name: SandboxName,
    pub(super) socket: PathBuf,
    pub(super) api: Docker,
}

impl Engine {
    /// The engine of that name, as the environment and the usual places have it.
    pub(super) async fn find(
        name: SandboxName,
        host: &BTreeMap<OsString, OsString>,
    ) -> Result<Self, Missing> {
        let place = place(name, host)?;
        Self::connect(name, &place).await
    }

    /// The engine at a socket, once it has answered.
    pub(super) async fn connect(name: SandboxName, socket: &Path) -> Result<Self, Missing> {
        // Asked by itself first: it has the plainest words for what is wrong.
        UnixStream::connect(socket).map_err(|error| no_way(name, socket, &error))?;
        let api = api(socket, API_DEFAULT_VERSION).map_err(|error| silent(name, socket, &error))?;
        match timeout(TO_GREET, api.negotiate_version()).await {
            Ok(Ok(api)) => Ok(Self { name, socket: socket.to_owned(), api }),
            Ok(Err(error)) => Err(silent(name, socket, &error)),
            Err(_) => Err(silent(name, socket, &"it takes too long")),
        }
    }

    /// The version of its language, which one who comes after need not ask for.
    pub(super) fn version(&self) -> (usize, usize) {
        let version = self.api.client_version();
        (version.major_version, version.minor_version)
    }

    /// What went wrong while something was done, in its words.
    pub(super) fn failed(&self, what: &str, error: &Error) -> SandboxError {
        SandboxError::Unavailable {
            name: self.name,
            why: format!("{what}: {}", words(error)),
            hint: format!("look whether `{} ps` works, and try again", self.name),
        }
    }
}

/// The way to an engine whose version is known.
pub(super) fn api(socket: &Path, version: &ClientVersion) -> Result<Docker, Error> {
    let socket = socket.to_string_lossy();
    Docker::connect_with_unix(&socket, PATIENCE, version)
}

/// What an engine says, without the words of those in between.
pub(super) fn words(error: &Error) -> String {
    match error {
        Error::DockerResponseServerError { message, .. } => message.trim().to_owned(),
        Error::RequestTimeoutError => "the engine takes too long to answer".to_owned(),
        error => {
            let mut text = error.to_string();
            let mut cause = std::error::Error::source(error);
            while let Some(inner) = cause {
                text = format!("{text}: {inner}");
                cause = inner.source();
            }
            text
        }
    }
}

/// The status of an answer that is an error.
pub(super) fn status(error: &Error) -> Option<u16> {
    match error {
        Error::DockerResponseServerError { status_code, .. } => Some(*status_code),
        _ => None,
    }
}

/// Where the engine's socket is.
fn place(name: SandboxName, host: &BTreeMap<OsString, OsString>) -> Result<PathBuf, Missing> {
    let get = |name: &str| host.get(OsStr::new(name)).filter(|value| !value.is_empty());
    let (variable, hint) = match name {
        SandboxName::Podman => ("CONTAINER_HOST", START_PODMAN),
        _ => ("DOCKER_HOST", START_DOCKER),
    };
    if let Some(address) = get(variable) {
        let path = address.as_bytes().strip_prefix(b"unix://");
        return path.map(|path| PathBuf::from(OsStr::from_bytes(path))).ok_or_else(|| Missing {
            why: format!(
                "`{variable}` is `{}`, and only a Unix socket of this machine will do",
                address.to_string_lossy()
            ),
            hint: "unset it, or set it to `unix://` and the path of a socket",
            is_absent: false,
        });
    }
    let runtime = get("XDG_RUNTIME_DIR").map(PathBuf::from);
    let home = get("HOME").map(PathBuf::from);
    let in_runtime = |path: &str| runtime.as_ref().map(|runtime| runtime.join(path));
    let places = match name {
        SandboxName::Podman => {
            let of_user = in_runtime("podman/podman.sock").filter(|_| !process::is_root());
            [of_user, Some("/run/podman/podman.sock".into()), None]
        }
        _ => [
            Some("/var/run/docker.sock".into()),
            in_runtime("docker.sock"),
            home.map(|home| home.join(".docker/run/docker.sock")),
        ],
    };
    let places: Vec<PathBuf> = places.into_iter().flatten().collect();
    places.iter().find(|place| place.exists()).cloned().ok_or_else(|| {
        let places: Vec<_> = places.iter().map(|place| format!("`{}`", place.display())).collect();
        let why = format!("there is no socket of {name}: {} is not there", places.join(" or "));
        Missing { why, hint, is_absent: true }
    })
}

const START_DOCKER: &str = "install and start Docker: `sudo systemctl start docker`; or set \
                            DOCKER_HOST to `unix://` and the path of its socket";

const START_PODMAN: &str = "install Podman and start its service: `systemctl --user start \
                            podman.socket`, as root `systemctl start podman.socket`; or set \
                            CONTAINER_HOST to `unix://` and the path of its socket";

const MAY_NOT: &str = "let yourself use it: for Docker `sudo usermod -aG docker $USER`, then sign in \
                       again; for Podman start the service of your own user";

fn no_way(name: SandboxName, socket: &Path, error: &io::Error) -> Missing {
    let socket = socket.display();
    let start = if name == SandboxName::Podman { START_PODMAN } else { START_DOCKER };
    let (why, hint) = match error.kind() {
        io::ErrorKind::NotFound => (format!("there is no socket `{socket}`"), start),
        io::ErrorKind::PermissionDenied => (format!("you may not use `{socket}`"), MAY_NOT),
        io::ErrorKind::ConnectionRefused => {
            (format!("nobody answers at `{socket}`: {name} does not run"), start)
        }
        _ => (format!("`{socket}` cannot be reached: {error}"), start),
    };
    Missing { why, hint, is_absent: error.kind() == io::ErrorKind::NotFound }
}

fn silent(name: SandboxName, socket: &Path, error: &dyn ToString) -> Missing {
    let why = format!("{name} does not answer at `{}`: {}", socket.display(), error.to_string());
    Missing { why, hint: "restart it, and try again", is_absent: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(variables: &[(&str, &str)]) -> BTreeMap<OsString, OsString> {
        variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
    }

    #[test]
    fn a_variable_says_where_the_engine_is_and_each_engine_has_its_own() {
        let host = host(&[("DOCKER_HOST", "unix:///a.sock"), ("CONTAINER_HOST", "unix:///b.sock")]);
        assert_eq!(place(SandboxName::Docker, &host), Ok("/a.sock".into()));
        assert_eq!(place(SandboxName::Podman, &host), Ok("/b.sock".into()));
    }

    #[test]
    fn an_engine_on_another_machine_will_not_do() {
        let missing = place(SandboxName::Docker, &host(&[("DOCKER_HOST", "tcp://10.0.0.1:2375")]));
        insta::assert_snapshot!(
            missing.unwrap_err().why,
            @"`DOCKER_HOST` is `tcp://10.0.0.1:2375`, and only a Unix socket of this machine will do"
        );
    }
}
