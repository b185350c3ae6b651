//! What a container is made of: the policy as the engine's words. It has no rights, no namespace
//! of the host and nothing of the host's files but what the policy names.

use std::{
    collections::HashMap,
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use bollard::models::{
    ContainerCreateBody, HostConfig, HostConfigLogConfig, Mount as Bind, MountType,
};
use windlass_core::{
    ids::LoopId,
    options::{Bytes, Cpus, NetworkMode, SandboxName, SandboxOptions},
};

use super::{
    super::{SandboxError, guarded::SOCKETS, mounts::Mount, policy::Policy},
    calls,
    engine::Engine,
};

/// The label that says whose loop a container is.
pub(super) const LOOP: &str = "windlass.loop";

/// The label that says which windlass made it.
const HOME: &str = "windlass.home";

/// Where sessions have their homes inside.
pub(super) const INSIDE: &str = "/run/windlass";

/// What the first process does.
const KEEP: &str = include_str!("keep.sh");

/// So many processes are enough for a build, and too few to take a machine down.
const PIDS: u32 = 512;

/// For places that are empty at first and forgotten at the end. Programs run there.
const SCRATCH: &str = "rw,exec,nosuid,nodev,mode=1777";

/// What a container is made of.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) name: String,
    pub(super) image: String,
    /// Whoever owns the work tree, by numbers.
    pub(super) user: String,
    pub(super) policy: Policy,
    /// A directory of windlass's own that is shown: prompts and hooks stand there.
    pub(super) shared: PathBuf,
    pub(super) memory: Option<Bytes>,
    cpus: Option<Cpus>,
    pids: u32,
    labels: HashMap<String, String>,
    security: Vec<String>,
    /// What marks the first process as one of the loop.
    env: Vec<String>,
}

/// Whose container it is.
#[derive(Clone, Copy)]
pub(in super::super) struct Whose<'a> {
    pub(in super::super) loop_id: &'a LoopId,
    pub(in super::super) windlass_home: &'a Path,
    /// Which of the loop's sandboxes it is.
    pub(in super::super) at: usize,
    pub(in super::super) guardian: u32,
}

impl Plan {
    /// A plan for that image and policy; refuses what would give the machine away.
    pub(super) async fn new(
        engine: &Engine,
        whose: Whose<'_>,
        options: &SandboxOptions,
        policy: Policy,
        shared: PathBuf,
        directory: &Path,
    ) -> Result<Self, SandboxError> {
        let Whose { loop_id, windlass_home, at, guardian } = whose;
        refuse_sockets(&policy, &engine.socket)?;
        let failed = |source: io::Error| SandboxError::Io { what: "look at the work tree", source };
        let owner = fs::metadata(directory).map_err(failed)?;
        let user = match is_rootless(engine).await? {
            // There, root inside is the engine's own user outside, and others are nobody.
            true => "0:0".to_owned(),
            false => format!("{}:{}", owner.uid(), owner.gid()),
        };
        let failed = |source| SandboxError::Io { what: "write down what is refused", source };
        let calls = calls::option(engine.name, &shared).map_err(failed)?;
        let labels = [(LOOP, loop_id.to_string()), (HOME, windlass_home.display().to_string())];
        Ok(Self {
            name: format!("windlass-{loop_id}-{at}"),
            image: options.image.clone().unwrap_or_default(),
            user,
            policy,
            shared,
            memory: options.memory,
            cpus: options.cpus,
            pids: options.pids_limit.unwrap_or(PIDS),
            security: ["no-new-privileges".to_owned()].into_iter().chain(calls).collect(),
            labels: labels.map(|(name, value)| (name.to_owned(), value)).into(),
            env: vec![format!("WINDLASS_LOOP={loop_id}"), format!("WINDLASS_SESSION={guardian}.0")],
        })
    }

    /// What the engine is asked for.
    pub(super) fn body(&self) -> ContainerCreateBody {
        ContainerCreateBody {
            image: Some(self.image.clone()),
            entrypoint: Some(vec!["sh".to_owned()]),
            cmd: Some(vec!["-c".to_owned(), KEEP.to_owned()]),
            user: Some(self.user.clone()),
            working_dir: Some("/".to_owned()),
            env: Some(self.env.clone()),
            labels: Some(self.labels.clone()),
            // The first process ends when nobody holds its standard input any more.
            open_stdin: Some(true),
            stdin_once: Some(true),
            attach_stdin: Some(true),
            attach_stdout: Some(true),
            host_config: Some(self.host_config()),
            ..ContainerCreateBody::default()
        }
    }

    fn host_config(&self) -> HostConfig {
        let network = match self.policy.network {
            NetworkMode::Full => "bridge",
            NetworkMode::None | NetworkMode::Model => "none",
        };
        let (binds, tmpfs) = self.places();
        let memory = self.memory.map(|memory| i64::try_from(memory.0).unwrap_or(i64::MAX));
        HostConfig {
            network_mode: Some(network.to_owned()),
            readonly_rootfs: Some(true),
            cap_drop: Some(vec!["ALL".to_owned()]),
            security_opt: Some(self.security.clone()),
            privileged: Some(false),
            pids_limit: Some(i64::from(self.pids)),
            memory,
            // Without more to swap to, the limit is one.
            memory_swap: memory,
            nano_cpus: self.cpus.map(Cpus::nano),
            mounts: Some(binds),
            tmpfs: Some(tmpfs),
            auto_remove: Some(true),
            log_config: Some(HostConfigLogConfig { typ: Some("none".to_owned()), config: None }),
            ..HostConfig::default()
        }
    }

    /// The places of the policy, and those that every container has.
    fn places(&self) -> (Vec<Bind>, HashMap<String, String>) {
        let mut tmpfs: HashMap<String, String> =
            ["/tmp", INSIDE].map(|path| (path.to_owned(), SCRATCH.to_owned())).into();
        let mut binds = Vec::new();
        let shared = (self.shared.clone(), Mount::Read(self.shared.clone()));
        for (path, mount) in self.policy.mounts().into_iter().chain([shared]) {
            let target = path.to_string_lossy().into_owned();
            let (source, read_only) = match mount {
                Mount::Read(source) => (source, true),
                Mount::Write(source) => (source, false),
                Mount::Empty => {
                    tmpfs.insert(target, SCRATCH.to_owned());
                    continue;
                }
            };
            binds.push(Bind {
                typ: Some(MountType::BIND),
                source: Some(source.to_string_lossy().into_owned()),
                target: Some(target),
                read_only: Some(read_only),
                ..Bind::default()
            });
        }
        (binds, tmpfs)
    }

    /// Whether the user inside is root.
    pub(super) fn is_root_inside(&self) -> bool {
        self.user.starts_with("0:")
    }
}

/// Whether the engine runs as an ordinary user.
async fn is_rootless(engine: &Engine) -> Result<bool, SandboxError> {
    let info = engine.api.info().await;
    let info = info.map_err(|error| engine.failed("it does not say how it runs", &error))?;
    let options = info.security_options.unwrap_or_default();
    Ok(options.iter().any(|option| option.contains("rootless")))
}

fn refuse_sockets(policy: &Policy, socket: &Path) -> Result<(), SandboxError> {
    let known = SOCKETS.iter().map(Path::new).chain([socket]);
    let known = known.flat_map(|path| [Some(path.to_owned()), path.canonicalize().ok()]);
    let known: Vec<PathBuf> = known.flatten().collect();
    for (path, mount) in policy.mounts() {
        let shown = match mount {
            Mount::Read(source) | Mount::Write(source) => source,
            Mount::Empty => continue,
        };
        if known.iter().any(|socket| socket.starts_with(&shown)) {
            let why =
                "it holds the socket of an engine, by which the agent would rule this machine";
            return Err(SandboxError::BadPath { path, why });
        }
    }
    Ok(())
}

/// Says why a container that was made is not to be used, where an engine's own settings have made it
/// another than was asked for.
pub(super) fn is_open(made: &HostConfig, name: SandboxName) -> Option<String> {
    let modes = [
        ("network", &made.network_mode),
        ("processes", &made.pid_mode),
        ("shared memory", &made.ipc_mode),
        ("host name", &made.uts_mode),
    ];
    let of_host = modes.iter().find(|(_, mode)| mode.as_deref() == Some("host"));
    if let Some((what, _)) = of_host {
        return Some(format!("the settings of {name} give it the {what} of the host"));
    }
    (made.privileged == Some(true)).then(|| format!("the settings of {name} give it all rights"))
}
