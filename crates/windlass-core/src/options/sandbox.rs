//! What the agent and the checks can reach.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Bytes, Cpus};

/// What the agent and the checks can reach.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct SandboxOptions {
    /// Sandbox for the agent and checks [default: none]
    ///
    /// Inside it they can access the work tree, the system's programs and the agent's own
    /// credentials, and none of your other files.
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<SandboxName>,

    /// Network access [default: full]; anything less needs --sandbox
    #[cfg_attr(feature = "clap", arg(long, value_name = "HOW"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkMode>,

    /// Let the sandbox read this file or directory; repeatable
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATH"))]
    pub sandbox_read: Vec<String>,

    /// Let the sandbox write this file or directory, such as a build cache; repeatable
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATH"))]
    pub sandbox_write: Vec<String>,

    /// Allow one more host with `--network model`; repeatable
    ///
    /// Without a port, 443 and 80 are allowed. Addresses of this machine or your network are
    /// allowed only if given with a port.
    #[cfg_attr(feature = "clap", arg(long, value_name = "HOST[:PORT]"))]
    pub network_allow: Vec<String>,

    /// Container image; required for `docker` and `podman`
    ///
    /// It must exist locally and contain the agent's program and `sh`.
    #[cfg_attr(feature = "clap", arg(long, value_name = "IMAGE"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,

    /// Memory limit for the container, such as `2g` [default: none]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Bytes>,

    /// CPU limit for the container, such as `1.5` [default: none]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NUMBER"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpus: Option<Cpus>,

    /// Process and thread limit for the container [default: 512]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NUMBER"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pids_limit: Option<u32>,
}

/// What confines the agent and the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum SandboxName {
    /// No sandbox
    None,
    /// bubblewrap: isolates files, processes and network
    Bwrap,
    /// Landlock: the kernel denies access to other files; needs no extra program
    Landlock,
    /// Docker container, from `--image`
    Docker,
    /// Podman container, from `--image`
    Podman,
    /// bwrap if available, else landlock; fails if neither works
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
    /// Full access
    #[default]
    Full,
    /// Only the hosts of the agent's model and of `--network-allow`
    Model,
    /// No network
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
