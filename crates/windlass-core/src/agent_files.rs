//! Files and hosts that an agent needs, for sandboxes.

mod credentials;

use std::path::PathBuf;

pub use self::credentials::{CredentialFields, Renewed};

/// What of the user's files is an agent's own, and where its model is.
///
/// An agent that can write all of its own state can plant what later runs outside: a hook in its
/// settings, a server in its list. So a sandbox gives it less where it can.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentFiles {
    /// Everything that it keeps, for sandboxes that cannot take it apart.
    pub state: Vec<PathBuf>,
    /// Of these, its credentials: it gets a copy, of which renewed tokens come back.
    pub kept: Vec<PathBuf>,
    /// Which of their fields come back; `None` where nothing does.
    pub credentials: Option<CredentialFields>,
    /// What it reads only: settings, instructions, extensions.
    pub shown: Vec<PathBuf>,
    /// Small files that it reads and writes, of which it gets a copy that is thrown away.
    pub copied: Vec<PathBuf>,
    /// The hosts of its model and of its sign-in.
    pub hosts: Vec<String>,
}

impl AgentFiles {
    /// The hosts by their names.
    #[must_use]
    pub fn with_hosts(mut self, hosts: &[&str]) -> Self {
        self.hosts = hosts.iter().map(|&host| host.to_owned()).collect();
        self
    }
}
