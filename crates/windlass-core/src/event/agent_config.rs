//! What the work tree's own files have agents run or obey: hooks, servers, commands, permissions.

use serde::{Deserialize, Serialize};

/// What the work tree brings for the loop's agents, and was not listed before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentConfigFound {
    /// What was found, in the order of agents and files.
    pub entries: Vec<ConfigEntry>,
    /// How many more there are than a list should hold.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u32,
}

/// One thing that a file of the work tree has an agent run or obey.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ConfigEntry {
    /// Which agent loads the file.
    pub agent: String,
    /// The file, from the root of the work tree.
    pub file: String,
    /// What it is.
    pub kind: ConfigKind,
    /// The event of a hook, the name of a server or variable, or else the setting.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The command or address, or why a file cannot be read. Never the value of a variable.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
}

/// What a file has an agent run or obey.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfigKind {
    /// A command that runs at a moment of a session.
    Hook,
    /// A server of tools, local or remote.
    McpServer,
    /// Any other command: a helper for keys, a status line, a notifier.
    Command,
    /// A plugin, or a file of code that the agent loads.
    Plugin,
    /// A lint or test command.
    Check,
    /// Where a model or another service is.
    Address,
    /// A variable that is set.
    Variable,
    /// A permission mode, or a rule that allows something.
    Permission,
    /// Where plugins come from.
    Marketplace,
    /// A file that cannot be read or understood, so nobody knows what it has the agent do.
    Unreadable,
    /// A kind of a newer windlass.
    #[serde(other)]
    Unknown,
}

impl ConfigKind {
    /// What people call it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Hook => "hook",
            Self::McpServer => "MCP server",
            Self::Command => "command",
            Self::Plugin => "plugin",
            Self::Check => "check",
            Self::Address => "address",
            Self::Variable => "variable",
            Self::Permission => "permission",
            Self::Marketplace => "marketplace",
            Self::Unreadable => "cannot be read",
            Self::Unknown => "setting",
        }
    }
}

impl ConfigEntry {
    /// The entry in one line: `claude: .claude/settings.json: hook Stop: ./notify.sh`.
    pub fn line(&self) -> String {
        let Self { agent, file, kind, name, command } = self;
        let mut line = format!("{agent}: {file}: {}", kind.words());
        if !name.is_empty() {
            line.push(' ');
            line.push_str(name);
        }
        if !command.is_empty() {
            line.push_str(": ");
            line.push_str(command);
        }
        line
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}
