//! How the sandboxes of a loop come to be: what each agent asks for, what this machine has, and what
//! is made of it.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use super::{
    Container, Machine, Missing, Sandbox, SandboxError, asked,
    bwrap::Root,
    container::{Wanted, Whose},
    notes::Notes,
    policy::Surroundings,
    proxy::{Hosts, Named, Proxy},
    settings::Settings,
    wrap::{Bwrap, Landlock, Scratch},
};
use crate::{
    agent::{Cast, ConfiguredAgent, Hired, Places},
    process::{Guardian, GuardianProgram, find_program},
    tree::Tree,
};
use windlass_core::{
    ids::LoopId,
    options::{NetworkMode, SandboxName, SandboxOptions},
};

/// What sandboxes are made of.
pub(crate) struct Needs<'a> {
    pub(crate) guardian: &'a Guardian,
    /// The program that plays windlass's part inside.
    pub(crate) program: &'a GuardianProgram,
    pub(crate) cast: &'a Cast,
    /// Agents of the config, which may ask for a sandbox of their own.
    pub(crate) agents: &'a BTreeMap<String, ConfiguredAgent>,
    pub(crate) options: &'a SandboxOptions,
    pub(crate) env: &'a BTreeMap<OsString, OsString>,
    /// The user's own environment, which says where engines are.
    pub(crate) host: &'a BTreeMap<OsString, OsString>,
    pub(crate) loop_id: &'a LoopId,
    pub(crate) windlass_home: &'a Path,
    /// Where things of the loop stand while it runs.
    pub(crate) run_directory: &'a Path,
    /// Where the agent works.
    pub(crate) directory: &'a Path,
    pub(crate) tree: Option<&'a Tree>,
}

impl Needs<'_> {
    fn asked(&self, agent: &str) -> SandboxName {
        asked(self.options, self.agents, agent)
    }

    /// What confines an agent, made.
    pub(super) async fn open(
        &self,
        machine: Option<&Machine>,
        at: usize,
        (name, hired): (&str, &Hired),
        notes: &Notes,
    ) -> Result<(SandboxName, Sandbox), SandboxError> {
        let chosen = self.choose(name, machine)?;
        let sandbox = match machine {
            Some(_) if chosen.is_container() => {
                self.container(chosen, at, (name, hired), notes).await?
            }
            Some(machine) => self.make(chosen, machine, at, hired, notes)?,
            None => Sandbox::None,
        };
        Ok((chosen, sandbox))
    }

    /// What this machine can do, where anybody wants to know.
    pub(super) async fn machine(&self) -> Result<Option<Machine>, SandboxError> {
        self.options.network_allow.iter().try_for_each(|host| named(host).map(drop))?;
        let mode = self.options.network.unwrap_or_default();
        let mut asked = self.cast.iter().map(|(name, _)| self.asked(name));
        if asked.all(|asked| asked == SandboxName::None) {
            return match mode {
                NetworkMode::Full => Ok(None),
                mode => Err(SandboxError::Network { mode, why: "add `--sandbox auto`" }),
            };
        }
        let path = self.env.get(OsStr::new("PATH")).cloned().unwrap_or_default();
        Ok(Some(Machine::look(self.guardian, &path).await))
    }

    /// What an agent is confined by, once it is known what there is.
    fn choose(&self, agent: &str, machine: Option<&Machine>) -> Result<SandboxName, SandboxError> {
        let asked = self.asked(agent);
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
        hired: &Hired,
        notes: &Notes,
    ) -> Result<Sandbox, SandboxError> {
        let failed = |what| move |source| SandboxError::Io { what, source };
        let windlass = self.windlass()?;
        let Self { directory, env, .. } = *self;
        let surroundings = self.surroundings(false);
        let home = surroundings.home();
        let own = hired.agent.own(&Places { home: &home, env });
        let hosts = self.hosts(&own.hosts)?;
        let path = env.get(OsStr::new("PATH")).cloned().unwrap_or_default();
        let program = hired.agent.program();
        let program = program.and_then(|name| find_program(&name, &path, directory).ok());
        let policy = || surroundings.policy(own, program.as_deref(), hosts);
        match (name, &machine.bwrap) {
            (SandboxName::Bwrap, Ok(found)) => {
                let policy = policy()?;
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
                let (program, notes) = (found.path.clone(), notes.clone());
                let has_second_layer = machine.has_landlock();
                let root = Root {
                    policy: &policy,
                    windlass: &windlass,
                    settings: &settings,
                    proxy: proxy.as_ref().map(Proxy::directory),
                };
                let root = root.arguments();
                let made =
                    Bwrap { program, root, policy, settings, has_second_layer, proxy, notes };
                Ok(Sandbox::Bwrap(Box::new(made)))
            }
            (SandboxName::Landlock, _) => {
                let policy = policy()?;
                let scratch = self.run_directory.join(format!("tmp-{at}"));
                let scratch = Scratch::make(scratch, &policy)?;
                let notes = notes.clone();
                Ok(Sandbox::Landlock(Box::new(Landlock { windlass, policy, scratch, notes })))
            }
            _ => Ok(Sandbox::None),
        }
    }

    async fn container(
        &self,
        name: SandboxName,
        at: usize,
        (agent, hired): (&str, &Hired),
        notes: &Notes,
    ) -> Result<Sandbox, SandboxError> {
        let surroundings = self.surroundings(true);
        let home = surroundings.home();
        let mut own = hired.agent.own(&Places { home: &home, env: self.env });
        // What it could write here would act outside.
        own.shown.append(&mut own.kept);
        let mut policy = surroundings.policy(own, None, Hosts::default())?;
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
            agent,
            program: hired.agent.program(),
            notes: notes.clone(),
        });
        Ok(Sandbox::Container(Box::new(Box::pin(container).await?)))
    }

    fn windlass(&self) -> Result<PathBuf, SandboxError> {
        let what = "find windlass's own program";
        self.program.file().map_err(|source| SandboxError::Io { what, source })
    }

    fn surroundings(&self, of_image: bool) -> Surroundings<'_> {
        let Self { windlass_home, directory, tree, env, options, .. } = *self;
        Surroundings { windlass_home, directory, tree, env, options, of_image }
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
