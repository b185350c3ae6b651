//! Sandboxes: what an agent and its checks can reach. A sandbox wraps the process that was to be
//! started; loops, agents and checks know nothing of it.
//!
//! A [`SandboxRequest`] says who is confined and by what. It becomes one `policy`: what can be read,
//! written and reached. bubblewrap turns that into arguments, and `inside` copies files, adds Landlock
//! and is the first process there; Landlock alone into rules, and `inside` confines itself and becomes
//! the program; a container into a call of the API of Docker or Podman. With `--network model` the way
//! out is `forward` inside and `proxy` in windlass, over a Unix socket.
//!
//! Reading order: [`Sandboxes`] are those of one loop, `request` makes them, `policy` is what they have in common,
//! `visible` and `seals` say what is in it, `wrap` applies it, and `inside` is windlass's part there.

mod bwrap;
#[cfg(feature = "containers")]
mod container;
mod credentials;
mod error;
mod forward;
mod guarded;
mod inside;
mod landlock;
mod live;
mod loader;
mod machine;
mod managers;
mod mounting;
mod mounts;
#[cfg(not(feature = "containers"))]
mod no_container;
mod notes;
mod policy;
mod proxy;
mod request;
mod seals;
mod settings;
mod visible;
mod wrap;

use std::{collections::BTreeMap, ffi::OsString};

use tokio::sync::{Mutex, mpsc::UnboundedReceiver};
use windlass_core::options::{NetworkMode, SandboxName};

#[cfg(not(feature = "containers"))]
use self::no_container as container;
use self::notes::Notes;
pub use self::{
    container::{Container, remove_left_over},
    error::SandboxError,
    machine::{Bubblewrap, Machine, Missing},
    policy::user_home,
    request::{Confined, GitMount, Repository, SandboxRequest},
    wrap::{Bwrap, Landlock, Sandbox, Wrapped},
};

use crate::{leads, process::Part};

/// The first argument that makes a process windlass's part inside of a sandbox.
const INSIDE: &str = "__windlass-inside";

/// The first argument that makes a process stand for one in a container.
const ENTER: &str = "__windlass-enter";

/// The parts of this module, by the first argument that asks for them.
pub const PARTS: &[(&str, Part)] = &[(INSIDE, inside::play), (ENTER, container::play)];

/// The sandboxes of one loop, by the names of its agents.
#[derive(Debug)]
pub struct Sandboxes {
    lead: String,
    by_agent: BTreeMap<String, (SandboxName, Sandbox)>,
    heard: Mutex<UnboundedReceiver<String>>,
}

impl Sandboxes {
    /// Makes those that the agents are to have. Nothing of them runs yet.
    pub async fn open(request: &SandboxRequest<'_>) -> Result<Self, SandboxError> {
        let (notes, heard) = Notes::new();
        let machine = request.machine().await?;
        let mut by_agent = BTreeMap::new();
        let mut failed = None;
        for (at, agent) in request.agents.iter().enumerate() {
            match request.open(machine.as_ref(), at, agent, &notes).await {
                Ok(opened) => drop(by_agent.insert(agent.name.clone(), opened)),
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        let lead = request.agents.first().expect("a loop has an agent").name.clone();
        let opened = Self { lead, by_agent, heard: Mutex::new(heard) };
        match failed {
            Some(error) => {
                // Those that were made before it must not be left; the first error is told.
                drop(opened.close().await);
                Err(error)
            }
            None => Ok(opened),
        }
    }

    /// The sandbox of an agent.
    pub fn of(&self, agent: &str) -> &Sandbox {
        let found = self.by_agent.get(agent).or_else(|| self.by_agent.get(&self.lead));
        found.map_or(&Sandbox::None, |(_, sandbox)| sandbox)
    }

    /// That of the loop's own agent, which the checks run in too.
    pub fn lead(&self) -> &Sandbox {
        self.of(&self.lead)
    }

    /// What the loop's own agent has come to be confined by.
    pub fn name(&self) -> SandboxName {
        self.by_agent.get(&self.lead).map_or(SandboxName::None, |(name, _)| *name)
    }

    /// What people are told of it when a loop starts.
    pub fn described(&self) -> Option<(String, String)> {
        let (name, sandbox) = self.by_agent.get(&self.lead)?;
        let (policy, _) = sandbox.policy()?;
        let network = match policy.network {
            NetworkMode::Full => "full network".to_owned(),
            NetworkMode::None => "no network".to_owned(),
            NetworkMode::Model => format!("network: {}", policy.hosts.names().join(", ")),
        };
        let sandbox = match sandbox {
            Sandbox::Container(container) => container.told(),
            _ => name.to_string(),
        };
        Some((sandbox, network))
    }

    /// Takes down what the engine of a container would keep; gives what people should know of it.
    pub async fn close(&self) -> Vec<String> {
        let mut troubles = Vec::new();
        for (_, sandbox) in self.by_agent.values() {
            if let Sandbox::Container(container) = sandbox {
                troubles.extend(Box::pin(container.close()).await);
            }
        }
        troubles
    }

    /// The next thing that people should know; never returns when there is none any more.
    pub async fn note(&self) -> String {
        match self.heard.lock().await.recv().await {
            Some(note) => note,
            None => std::future::pending().await,
        }
    }
}

/// Whether Docker or Podman answers here, and what it says of itself, by the user's environment.
pub async fn look_for_engine(
    name: SandboxName,
    host: &BTreeMap<OsString, OsString>,
) -> Result<String, Missing> {
    container::look(name, host).await
}
