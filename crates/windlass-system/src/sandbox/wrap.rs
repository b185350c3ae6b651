//! One sandbox: it takes a process as it was to be started, and gives it back wrapped. Whoever asks
//! for a process does not know more of it.

use std::{
    ffi::{OsStr, OsString},
    fs, io,
    path::{Path, PathBuf},
};

use windlass_core::{options::NetworkMode, process::ProcessSpec};

use super::{
    INSIDE, SandboxError,
    bwrap::Wrapping,
    container::{Container, Visit},
    credentials::Credentials,
    forward,
    inside::Orders,
    landlock, loader,
    notes::Notes,
    policy::Policy,
    proxy::Proxy,
    seals::Seals,
    settings::Settings,
};
use crate::{
    home,
    process::{Leader, StartError, find_program},
};

/// Variables that lead to what is not there inside.
pub(super) const LEFT_OUT: [&str; 6] = [
    "XDG_RUNTIME_DIR",
    "DOCKER_HOST",
    "CONTAINER_HOST",
    "SSH_AUTH_SOCK",
    "DBUS_SESSION_BUS_ADDRESS",
    "GPG_AGENT_INFO",
];

/// Variables that name a proxy.
const PROXIES: [&str; 6] =
    ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

/// What confines the processes of one agent.
///
/// One that does not start its processes here, but in a container, gives back a process that starts
/// one there, and passes its words, its end and signals on.
#[derive(Debug, Default)]
pub enum Sandbox {
    /// Nothing.
    #[default]
    None,
    /// bubblewrap.
    Bwrap(Box<Bwrap>),
    /// Landlock.
    Landlock(Box<Landlock>),
    /// A container of Docker or Podman.
    Container(Box<Container>),
}

/// A process as it is started, wrapped.
#[derive(Debug)]
pub struct Wrapped {
    /// What is started.
    pub spec: ProcessSpec,
    /// What that is to the program.
    pub leader: Leader,
    /// That it is in a container, which is to be tidied up after it.
    visit: Option<Visit>,
}

/// A sandbox of bubblewrap.
#[derive(Debug)]
pub struct Bwrap {
    pub(super) program: PathBuf,
    /// The arguments for what all sessions have in common.
    pub(super) root: Vec<OsString>,
    pub(super) policy: Policy,
    pub(super) settings: Settings,
    /// Whether the kernel's Landlock is one to be asked: an old one forbids moving files, and then
    /// the first layer must do.
    pub(super) has_second_layer: bool,
    pub(super) proxy: Option<Proxy>,
    pub(super) credentials: Credentials,
    pub(super) notes: Notes,
}

/// A sandbox of Landlock.
#[derive(Debug)]
pub struct Landlock {
    pub(super) windlass: PathBuf,
    pub(super) policy: Policy,
    pub(super) scratch: Scratch,
    pub(super) credentials: Credentials,
    pub(super) notes: Notes,
}

impl Sandbox {
    /// Wraps a process. `files` are those of windlass's own that it may read.
    pub async fn wrap(&self, spec: ProcessSpec, files: &[&Path]) -> Result<Wrapped, StartError> {
        if let Some(credentials) = self.credentials() {
            credentials.refresh();
        }
        let (spec, leader, visit) = match self {
            Self::None => (spec, Leader::Program, None),
            Self::Bwrap(bwrap) => (bwrap.wrap(spec, files)?, Leader::Holder, None),
            Self::Landlock(landlock) => (landlock.wrap(spec, files)?, Leader::Program, None),
            Self::Container(container) => {
                // What an engine's answers take is not for every step to carry along.
                let (spec, visit) = Box::pin(container.wrap(spec, files)).await?;
                (spec, Leader::Envoy, Some(visit))
            }
        };
        Ok(Wrapped { spec, leader, visit })
    }

    /// Whether the agent is root inside, whoever windlass is.
    pub fn is_root_inside(&self) -> bool {
        matches!(self, Self::Container(container) if container.is_root_inside())
    }

    /// Whether something of windlass's own stands in the place of the user's git directory.
    pub fn has_private_git(&self) -> bool {
        self.policy().is_some_and(|(policy, _)| !policy.git.is_empty())
    }

    /// Whether programs are looked for inside, as in the image of a container.
    pub fn has_programs_of_its_own(&self) -> bool {
        matches!(self, Self::Container(_))
    }

    /// Where files of windlass's own stand that are read inside, if not where they always do.
    pub fn files_directory(&self) -> Option<&Path> {
        match self {
            Self::Container(container) => Some(container.files_directory()),
            Self::None | Self::Bwrap(_) | Self::Landlock(_) => None,
        }
    }

    /// Ends what a session left where the guardian does not reach, takes back the credentials that it
    /// renewed, and looks whether something was planted that could not be prevented.
    pub async fn settle(&self, visit: Option<Visit>) -> Result<(), StartError> {
        let settled = match (self, visit) {
            (Self::Container(container), Some(visit)) => Box::pin(container.settle(visit)).await,
            _ => Ok(()),
        };
        if let Some(credentials) = self.credentials() {
            credentials.bring_back();
        }
        self.sweep();
        settled
    }

    /// The copies of the agent's credentials.
    fn credentials(&self) -> Option<&Credentials> {
        match self {
            Self::None => None,
            Self::Bwrap(bwrap) => Some(&bwrap.credentials),
            Self::Landlock(landlock) => Some(&landlock.credentials),
            Self::Container(container) => Some(container.credentials()),
        }
    }

    fn sweep(&self) {
        let Some((policy, notes)) = self.policy() else { return };
        for path in Seals::sweep(&policy.seals.absent) {
            let path = path.display();
            notes.say(format!("the agent made `{path}`, which makes git run commands: removed"));
        }
    }

    /// What it goes by, and where it tells what people should know.
    pub(super) fn policy(&self) -> Option<(&Policy, &Notes)> {
        match self {
            Self::None => None,
            Self::Bwrap(bwrap) => Some((&bwrap.policy, &bwrap.notes)),
            Self::Landlock(landlock) => Some((&landlock.policy, &landlock.notes)),
            Self::Container(container) => Some((container.policy(), container.notes())),
        }
    }
}

impl Wrapped {
    /// What is started, what that is to the program, and what is to be settled after it.
    pub fn into_parts(self) -> (ProcessSpec, Leader, Option<Visit>) {
        (self.spec, self.leader, self.visit)
    }
}

impl Bwrap {
    fn wrap(&self, mut spec: ProcessSpec, files: &[&Path]) -> Result<ProcessSpec, StartError> {
        for trouble in self.settings.refresh() {
            self.notes.say(trouble);
        }
        let wrapping = Wrapping {
            root: &self.root,
            policy: &self.policy,
            has_second_layer: self.has_second_layer,
            has_proxy: self.proxy.is_some(),
            files,
            directory: &spec.directory,
        };
        let mut args = wrapping.arguments();
        args.push(Wrapping::windlass_inside().into());
        let mut orders = wrapping.orders();
        orders.variables = loader::take(&mut spec.env);
        let args = inner_arguments(args, &orders, &spec)?;
        let mut env = spec.env;
        env.retain(|(name, _)| !LEFT_OUT.iter().any(|left_out| name == left_out));
        set(&mut env, "TMPDIR", OsStr::new("/tmp"));
        self.network(&mut env);
        let program = self.program.clone().into();
        Ok(ProcessSpec { program, args, env, directory: spec.directory, stdin: spec.stdin })
    }

    /// Tells programs of the way out, and nothing of one that they cannot take.
    fn network(&self, env: &mut Vec<(OsString, OsString)>) {
        if self.policy.network == NetworkMode::Full {
            return;
        }
        env.retain(|(name, _)| !PROXIES.iter().any(|proxy| name == proxy));
        if self.proxy.is_some() {
            let proxy = OsString::from(format!("http://127.0.0.1:{}", forward::PORT));
            PROXIES.iter().for_each(|name| set(env, name, &proxy));
            for name in ["NO_PROXY", "no_proxy"] {
                set(env, name, OsStr::new("localhost,127.0.0.1,::1"));
            }
            set(env, "NODE_USE_ENV_PROXY", OsStr::new("1"));
        }
    }
}

impl Landlock {
    fn wrap(&self, mut spec: ProcessSpec, files: &[&Path]) -> Result<ProcessSpec, StartError> {
        let also: Vec<&Path> =
            [self.windlass.as_path()].into_iter().chain(files.iter().copied()).collect();
        let mut orders = landlock::orders(&self.policy, &also, self.scratch.path());
        orders.variables = loader::take(&mut spec.env);
        let args = inner_arguments(Vec::new(), &orders, &spec)?;
        let mut env = spec.env;
        env.retain(|(name, _)| !LEFT_OUT.iter().any(|left_out| name == left_out));
        set(&mut env, "TMPDIR", self.scratch.path().as_os_str());
        if self.policy.git_config.is_some() {
            set(&mut env, "GIT_CONFIG_GLOBAL", self.scratch.git_config().as_os_str());
        }
        let program = self.windlass.clone().into();
        Ok(ProcessSpec { program, args, env, directory: spec.directory, stdin: spec.stdin })
    }
}

/// The arguments for windlass inside: what to do, and the program that was meant.
fn inner_arguments(
    mut args: Vec<OsString>,
    orders: &Orders,
    spec: &ProcessSpec,
) -> Result<Vec<OsString>, StartError> {
    let path = spec.env.iter().find(|(name, _)| name == "PATH");
    let path = path.map(|(_, path)| path.clone()).unwrap_or_default();
    let program = find_program(&spec.program, &path, &spec.directory)?;
    let orders = serde_json::to_string(orders).map_err(|error| StartError::Other {
        program: spec.program.to_string_lossy().into_owned(),
        why: format!("the sandbox cannot be told of it: {error}"),
    })?;
    args.extend([INSIDE.into(), orders.into(), program.into(), spec.program.clone()]);
    args.extend(spec.args.iter().cloned());
    Ok(args)
}

fn set(env: &mut Vec<(OsString, OsString)>, name: &str, value: &OsStr) {
    env.retain(|(known, _)| known != name);
    env.push((name.into(), value.to_owned()));
}

/// A directory for what a program writes beside its work, for as long as the loop runs.
#[derive(Debug)]
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Makes it anew.
    pub(super) fn make(path: PathBuf, policy: &Policy) -> Result<Self, SandboxError> {
        let failed = |source: io::Error| SandboxError::Io { what: "make a directory", source };
        match fs::remove_dir_all(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => (),
        }
        home::create_private(&path).map_err(failed)?;
        let scratch = Self(path);
        if let Some(text) = &policy.git_config {
            fs::write(scratch.git_config(), text).map_err(failed)?;
        }
        Ok(scratch)
    }

    fn path(&self) -> &Path {
        &self.0
    }

    fn git_config(&self) -> PathBuf {
        self.0.join("gitconfig")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays is removed when the loop is.
        drop(fs::remove_dir_all(&self.0));
    }
}
