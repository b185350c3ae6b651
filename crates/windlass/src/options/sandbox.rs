//! What the agent and the checks can reach.

use std::fmt;

use serde::{Deserialize, Serialize};

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
    /// bwrap if this machine can, else landlock; never nothing
    Auto,
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
