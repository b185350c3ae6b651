//! What Gemini CLI loads of a repository, as 0.61.0 was seen to in a folder that its user trusts.
//! Where `--skip-trust` is all that it has, it loads the variables only.

use windlass_core::event::ConfigKind::{Address, Command, McpServer, Permission, Variable};

use crate::repo_config::{
    Format, HOOKS, Key, MCP_SERVERS, RepoConfig,
    Shows::{self, Names, Value},
    VARIABLES, below, file, key,
};

const SETTINGS: &[Key] = &[
    HOOKS,
    MCP_SERVERS,
    key("mcpServers.*.trust", Permission, Value),
    key("mcpServers.*.env", Variable, Names),
    key("mcp.serverCommand", McpServer, Shows::Command),
    key("tools.discoveryCommand", Command, Shows::Command),
    key("tools.callCommand", Command, Shows::Command),
    key("tools.sandbox", Permission, Value),
    key("tools.sandboxAllowedPaths", Permission, Value),
    key("tools.sandboxNetworkAccess", Permission, Value),
    key("tools.allowed", Permission, Value),
    key("tools.core", Permission, Value),
    key("general.defaultApprovalMode", Permission, Value),
    key("tools.approvalMode", Permission, Value),
    key("policyPaths", Permission, Value),
    key("security.folderTrust.enabled", Permission, Value),
    key("telemetry.otlpEndpoint", Address, Shows::Address),
    key("telemetry.outfile", Address, Value),
    key("context.loadMemoryFromIncludeDirectories", Permission, Value),
    key("context.includeDirectories", Permission, Value),
];

const TEXTS: &[Key] =
    &[key("tools", Permission, Value), key("mcp_servers.*", McpServer, Shows::Command)];

/// What Gemini CLI loads of a repository.
pub(super) const CONFIG: RepoConfig = RepoConfig {
    agent: "gemini",
    files: &[
        file(".gemini/settings.json", Format::Json, SETTINGS),
        file(".gemini/.env", Format::Env, VARIABLES),
        file(".env", Format::Env, VARIABLES),
        below(".gemini/commands", &[".toml"], Format::Whole(Command), &[]),
        below(".gemini/agents", &[".md"], Format::FrontMatter, TEXTS),
        file(".gemini/sandbox.Dockerfile", Format::Whole(Command), &[]),
        file(".gemini/sandbox.bashrc", Format::Whole(Command), &[]),
    ],
    nested: &[],
};
