//! What Gemini CLI loads of a repository.

use windlass_core::event::ConfigKind::{
    Address, Command, Hook, McpServer, Permission, Plugin, Variable,
};

use crate::repo_config::{
    Format, Key, RepoConfig,
    Shows::{self, Names, Presence, Value},
    below, file, key,
};

const SETTINGS: &[Key] = &[
    key("hooks.*.*.hooks.*", Hook, Shows::Command),
    key("mcpServers.*", McpServer, Shows::Command),
    key("mcpServers.*.trust", Permission, Value),
    key("mcpServers.*.env", Variable, Names),
    key("mcp.serverCommand", McpServer, Shows::Command),
    key("mcpServerCommand", McpServer, Shows::Command),
    key("tools.discoveryCommand", Command, Shows::Command),
    key("tools.callCommand", Command, Shows::Command),
    key("toolDiscoveryCommand", Command, Shows::Command),
    key("toolCallCommand", Command, Shows::Command),
    key("tools.sandbox", Permission, Value),
    key("sandbox", Permission, Value),
    key("tools.allowed", Permission, Value),
    key("allowedTools", Permission, Value),
    key("tools.core", Permission, Value),
    key("tools.autoAccept", Permission, Value),
    key("autoAccept", Permission, Value),
    key("general.defaultApprovalMode", Permission, Value),
    key("tools.approvalMode", Permission, Value),
    key("policyPaths", Permission, Value),
    key("security.folderTrust.enabled", Permission, Value),
    key("extensions.*", Plugin, Presence),
    key("telemetry.otlpEndpoint", Address, Shows::Address),
    key("telemetry.outfile", Address, Value),
    key("context.loadMemoryFromIncludeDirectories", Permission, Value),
    key("context.includeDirectories", Permission, Value),
];

const EXTENSION: &[Key] = &[
    key("mcpServers.*", McpServer, Shows::Command),
    key("hooks.*.*.hooks.*", Hook, Shows::Command),
];

const TEXTS: &[Key] =
    &[key("tools", Permission, Value), key("mcp_servers.*", McpServer, Shows::Command)];

const VARIABLES: &[Key] = &[key("", Variable, Names)];

/// What Gemini CLI loads of a repository.
pub(super) const CONFIG: RepoConfig = RepoConfig {
    agent: "gemini",
    files: &[
        file(".gemini/settings.json", Format::Json, SETTINGS),
        file(".gemini/.env", Format::Env, VARIABLES),
        file(".env", Format::Env, VARIABLES),
        below(
            ".gemini/extensions",
            &["gemini-extension.json", "hooks.json"],
            Format::Json,
            EXTENSION,
        ),
        below(".gemini/policies", &[".toml"], Format::Whole(Permission), &[]),
        below(".gemini/commands", &[".toml"], Format::Whole(Command), &[]),
        below(".gemini/agents", &[".md"], Format::FrontMatter, TEXTS),
        file(".gemini/sandbox.Dockerfile", Format::Whole(Command), &[]),
        file(".gemini/sandbox.bashrc", Format::Whole(Command), &[]),
    ],
};
