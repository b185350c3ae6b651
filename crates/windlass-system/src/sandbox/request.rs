//! How the sandboxes of a loop come to be: what each agent asks for, what this machine has, and what
//! is made of it.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use windlass_core::{
    agent_files::AgentFiles,
    ids::LoopId,
    options::{NetworkMode, SandboxName, SandboxOptions},
};

use super::{
    Bubblewrap, Container, Machine, Missing, Sandbox, SandboxError,
    bwrap::Root,
    container::{Wanted, Whose},
    credentials::Credentials,
    notes::Notes,
    policy::{Policy, Surroundings},
    proxy::{Hosts, Named, Proxy},
    settings::Settings,
    wrap::{Bwrap, Landlock, Scratch},
};
use crate::process::{Guardian, GuardianProgram, Programs, find_program};

/// What sandboxes are made of.
pub struct SandboxRequest<'a> {
    /// What starts the programs that make them.
    pub guardian: &'a Guardian,
    /// Where the programs that make them are found.
    pub programs: &'a Programs,
    /// The program that plays windlass's part inside.
    pub program: &'a GuardianProgram,
    /// Who is to be confined, the loop's own agent first.
    pub agents: &'a [Confined],
    /// What the user asked for.
    pub options: &'a SandboxOptions,
    /// The environment that agents get.
    pub env: &'a BTreeMap<OsString, OsString>,
    /// The user's own environment, which says where engines are.
    pub host: &'a BTreeMap<OsString, OsString>,
    /// The loop.
    pub loop_id: &'a LoopId,
    /// Where windlass keeps its own files.
    pub windlass_home: &'a Path,
    /// Where things of the loop stand while it runs.
    pub run_directory: &'a Path,
    /// Where the agent works.
    pub directory: &'a Path,
    /// The repository that this is in.
    pub repository: Option<&'a Repository>,
}

/// An agent that is to be confined.
#[derive(Clone, Debug)]
pub struct Confined {
    /// Its name.
    pub name: String,
    /// By what, as it was asked for.
    pub by: SandboxName,
    /// What of the user's files is its own.
    pub files: AgentFiles,
    /// Its program.
    pub program: Option<OsString>,
}

/// Where a repository is, and who commits to it.
#[derive(Clone, Debug)]
pub struct Repository {
    /// The top of the work tree.
    pub top: PathBuf,
    /// The git directory of the work tree.
    pub git_dir: PathBuf,
    /// The git directory that it shares with other work trees.
    pub common_dir: PathBuf,
    /// The name of who commits.
    pub name: Option<String>,
    /// The address of who commits.
    pub email: Option<String>,
    /// What stands in the place of its git directory; empty where nothing can.
    pub private: Vec<GitMount>,
}

/// A directory that stands somewhere else in a sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GitMount {
    /// Where it stands inside.
    pub at: PathBuf,
    /// Where it is outside.
    pub from: PathBuf,
    /// Whether it can be written.
    pub writable: bool,
}

impl SandboxRequest<'_> {
    /// What confines an agent, made.
    pub(super) async fn open(
        &self,
        machine: Option<&Machine>,
        at: usize,
        agent: &Confined,
        notes: &Notes,
    ) -> Result<(SandboxName, Sandbox), SandboxError> {
        let chosen = self.choose(agent.by, machine)?;
        let sandbox = match machine {
            Some(_) if chosen.is_container() => self.container(chosen, at, agent, notes).await?,
            Some(machine) => self.make(chosen, machine, at, agent, notes)?,
            None => Sandbox::None,
        };
        Ok((chosen, sandbox))
    }

    /// What this machine can do, where anybody wants to know.
    pub(super) async fn machine(&self) -> Result<Option<Machine>, SandboxError> {
        self.options.network_allow.iter().try_for_each(|host| named(host).map(drop))?;
        let mode = self.options.network.unwrap_or_default();
        if self.agents.iter().all(|agent| agent.by == SandboxName::None) {
            return match mode {
                NetworkMode::Full => Ok(None),
                mode => Err(SandboxError::Network { mode, why: "add `--sandbox auto`" }),
            };
        }
        let machine = Machine::look(self.guardian, self.programs).await;
        let has_private_git = self.repository.is_some_and(|found| !found.private.is_empty());
        let mut credentials = self.agents.iter().flat_map(|agent| &agent.files.kept);
        let needs_mounts = has_private_git || credentials.any(|path| path.is_file());
        let by_landlock = |agent: &Confined| {
            let chosen = self.choose(agent.by, Some(&machine));
            matches!(chosen, Ok(SandboxName::Landlock))
        };
        if !needs_mounts || !self.agents.iter().any(by_landlock) {
            return Ok(Some(machine));
        }
        Ok(Some(machine.look_at_mounts(self.guardian, self.program, self.directory).await))
    }

    /// What an agent is confined by, once it is known what there is.
    fn choose(
        &self,
        asked: SandboxName,
        machine: Option<&Machine>,
    ) -> Result<SandboxName, SandboxError> {
        let Some(machine) = machine else { return Ok(SandboxName::None) };
        let mode = self.options.network.unwrap_or_default();
        let unavailable = |missing: Missing| SandboxError::Unavailable {
            name: asked,
            why: missing.why,
            hint: missing.hint.to_owned(),
        };
        let bwrap = || machine.bwrap.clone().map(|_| SandboxName::Bwrap).map_err(unavailable);
        match asked {
            SandboxName::None if mode == NetworkMode::Full => Ok(SandboxName::None),
            SandboxName::None => {
                Err(SandboxError::Network { mode, why: "an agent of this loop has none" })
            }
            SandboxName::Bwrap => bwrap(),
            SandboxName::Landlock if mode == NetworkMode::Model => Err(SandboxError::Network {
                mode,
                why: "Landlock knows no hosts; take `--sandbox bwrap`",
            }),
            SandboxName::Landlock => match self.landlock_suffices(machine, mode) {
                true => Ok(SandboxName::Landlock),
                false => Err(unavailable(machine.landlock_missing())),
            },
            SandboxName::Docker | SandboxName::Podman if mode == NetworkMode::Model => {
                Err(SandboxError::Network {
                    mode,
                    why: "a container is not held to hosts; take `--sandbox bwrap`",
                })
            }
            SandboxName::Docker | SandboxName::Podman => Ok(asked),
            SandboxName::Auto => match bwrap() {
                Ok(bwrap) => Ok(bwrap),
                Err(_) if self.landlock_suffices(machine, mode) => Ok(SandboxName::Landlock),
                Err(error) => Err(error),
            },
        }
    }

    fn landlock_suffices(&self, machine: &Machine, mode: NetworkMode) -> bool {
        match mode {
            NetworkMode::Full => machine.has_landlock(),
            NetworkMode::None => machine.has_landlock_for_tcp(),
            NetworkMode::Model => false,
        }
    }

    fn make(
        &self,
        name: SandboxName,
        machine: &Machine,
        at: usize,
        agent: &Confined,
        notes: &Notes,
    ) -> Result<Sandbox, SandboxError> {
        let Self { directory, env, .. } = *self;
        let can_mount = name != SandboxName::Landlock || machine.mounts;
        let surroundings =
            Surroundings { can_mount, ..self.surroundings(false, name != SandboxName::Landlock) };
        let own = agent.files.clone();
        let hosts = self.hosts(&own.hosts)?;
        let path = env.get(OsStr::new("PATH")).cloned().unwrap_or_default();
        let program = agent.program.as_ref();
        let program = program.and_then(|name| find_program(name, &path, directory).ok());
        let policy = || surroundings.policy(own, program.as_deref(), hosts);
        let copied = |policy: &mut Policy| self.copy_credentials(policy, at, agent, notes);
        match (name, &machine.bwrap) {
            (SandboxName::Bwrap, Ok(found)) => {
                let has_second_layer = machine.has_landlock();
                let mut policy = policy()?;
                let credentials = copied(&mut policy)?;
                let made = self.bwrap(found, policy, credentials, has_second_layer, (at, notes))?;
                Ok(Sandbox::Bwrap(Box::new(made)))
            }
            (SandboxName::Landlock, _) => {
                let (windlass, mut policy) = (self.windlass()?, policy()?);
                let credentials = copied(&mut policy)?;
                if !can_mount {
                    // Nothing can stand in their place here, so the agent has its own files.
                    policy.credentials.clear();
                }
                let scratch = self.run_directory.join(format!("tmp-{at}"));
                let scratch = Scratch::make(scratch, &policy)?;
                let notes = notes.clone();
                Ok(Sandbox::Landlock(Box::new(Landlock {
                    windlass,
                    policy,
                    scratch,
                    credentials,
                    notes,
                })))
            }
            _ => Ok(Sandbox::None),
        }
    }

    fn bwrap(
        &self,
        found: &Bubblewrap,
        policy: Policy,
        credentials: Credentials,
        has_second_layer: bool,
        (at, notes): (usize, &Notes),
    ) -> Result<Bwrap, SandboxError> {
        let failed = |what| move |source| SandboxError::Io { what, source };
        let windlass = self.windlass()?;
        let settings = Settings::gather(self.run_directory.join(format!("etc-{at}")))
            .map_err(failed("put the system's settings together"))?;
        let proxy = match policy.network {
            NetworkMode::Model => {
                let place = self.run_directory.join(format!("proxy-{at}"));
                let proxy = Proxy::start(&place, policy.hosts.clone(), notes.clone());
                Some(proxy.map_err(failed("start the proxy"))?)
            }
            NetworkMode::Full | NetworkMode::None => None,
        };
        let root = Root {
            policy: &policy,
            windlass: &windlass,
            settings: &settings,
            proxy: proxy.as_ref().map(Proxy::directory),
        };
        let root = root.arguments();
        let (program, notes) = (found.path.clone(), notes.clone());
        Ok(Bwrap { program, root, policy, settings, has_second_layer, proxy, credentials, notes })
    }

    /// Makes the agent's copies of its credentials, and has them stand where it looks for them.
    fn copy_credentials(
        &self,
        policy: &mut Policy,
        at: usize,
        agent: &Confined,
        notes: &Notes,
    ) -> Result<Credentials, SandboxError> {
        let directory = self.run_directory.join(format!("credentials-{at}"));
        let credentials = Credentials::copy(&agent.name, &policy.own, &directory, notes)?;
        policy.credentials = credentials.mounts().collect();
        Ok(credentials)
    }

    async fn container(
        &self,
        name: SandboxName,
        at: usize,
        agent: &Confined,
        notes: &Notes,
    ) -> Result<Sandbox, SandboxError> {
        let surroundings = self.surroundings(true, true);
        let mut policy = surroundings.policy(agent.files.clone(), None, Hosts::default())?;
        let credentials = self.copy_credentials(&mut policy, at, agent, notes)?;
        let copied = policy.own.copied.iter().filter(|path| path.is_file());
        policy.readable.extend(copied.cloned());
        let container = Container::open(Wanted {
            name,
            whose: Whose {
                loop_id: self.loop_id,
                windlass_home: self.windlass_home,
                at,
                guardian: self.guardian.pid(),
            },
            options: self.options,
            policy,
            windlass: self.windlass()?,
            run_directory: self.run_directory,
            directory: self.directory,
            host: self.host,
            agent: &agent.name,
            program: agent.program.clone(),
            credentials,
            notes: notes.clone(),
        });
        Ok(Sandbox::Container(Box::new(Box::pin(container).await?)))
    }

    fn windlass(&self) -> Result<PathBuf, SandboxError> {
        let what = "find windlass's own program";
        self.program.file().map_err(|source| SandboxError::Io { what, source })
    }

    fn surroundings(&self, of_image: bool, can_seal: bool) -> Surroundings<'_> {
        let Self { windlass_home, directory, repository, env, host, options, .. } = *self;
        Surroundings {
            windlass_home,
            directory,
            repository,
            env,
            host,
            options,
            can_seal,
            can_mount: true,
            of_image,
        }
    }

    fn hosts(&self, own: &[String]) -> Result<Hosts, SandboxError> {
        let mut hosts = Hosts::default();
        own.iter().for_each(|host| hosts.allow_public(host));
        hosts.allow_endpoints(self.env);
        for host in &self.options.network_allow {
            hosts.allow_named(&named(host)?);
        }
        Ok(hosts)
    }
}

fn named(host: &str) -> Result<Named, SandboxError> {
    host.parse().map_err(|()| SandboxError::BadHost { host: host.to_owned() })
}
