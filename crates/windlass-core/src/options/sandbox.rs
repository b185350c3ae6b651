//! What the agent and the checks can reach.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Bytes, Cpus};

/// What the agent and the checks can reach.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct SandboxOptions {
    /// What confines the agent and the checks; nothing if left out
    ///
    /// In a sandbox they reach the work tree, the programs of the system and the agent's own
    /// credentials, and nothing else of yours.
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<SandboxName>,

    /// What they reach of the network: all of it if left out; less needs a sandbox
    #[cfg_attr(feature = "clap", arg(long, value_name = "HOW"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkMode>,

    /// A file or directory that they may read in a sandbox; repeat it for several
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATH"))]
    pub sandbox_read: Vec<String>,

    /// A file or directory that they may write in a sandbox, such as a toolchain's cache
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATH"))]
    pub sandbox_write: Vec<String>,

    /// A host that `--network model` lets them reach besides the agent's own
    ///
    /// Without a port it is 443 and 80. An address of this machine or of your network is reached
    /// only when it is named together with its port.
    #[cfg_attr(feature = "clap", arg(long, value_name = "HOST[:PORT]"))]
    pub network_allow: Vec<String>,

    /// The image that a container is made of; `docker` and `podman` need one
    ///
    /// It must be there already, and have the agent's program and `sh` in it.
    #[cfg_attr(feature = "clap", arg(long, value_name = "IMAGE"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,

    /// How much memory a container may take, such as `2g`; no limit if left out
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Bytes>,

    /// How many processors a container may keep busy, such as `1.5`; no limit if left out
    #[cfg_attr(feature = "clap", arg(long, value_name = "NUMBER"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpus: Option<Cpus>,

    /// How many processes and threads a container may have; 512 if left out
    #[cfg_attr(feature = "clap", arg(long, value_name = "NUMBER"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pids_limit: Option<u32>,
}

/// What confines the agent and the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum SandboxName {
    /// Nothing
    None,
    /// bubblewrap: files, processes and network of their own
    Bwrap,
    /// Landlock: the kernel refuses other files; needs no other program
    Landlock,
    /// A container of Docker, from `--image`
    Docker,
    /// A container of Podman, from `--image`
    Podman,
    /// bwrap if this machine can, else landlock; never nothing
    Auto,
}

impl SandboxName {
    /// Whether it is a container.
    pub fn is_container(self) -> bool {
        matches!(self, Self::Docker | Self::Podman)
    }
}

/// What is reached of the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum NetworkMode {
    /// All of it
    #[default]
    Full,
    /// The hosts of the agent's model, and those of `--network-allow`
    Model,
    /// Nothing
    None,
}

impl fmt::Display for SandboxName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Bwrap => "bwrap",
            Self::Landlock => "landlock",
            Self::Docker => "docker",
            Self::Podman => "podman",
            Self::Auto => "auto",
        })
    }
}

impl fmt::Display for NetworkMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "full",
            Self::Model => "model",
            Self::None => "none",
        })
    }
}
