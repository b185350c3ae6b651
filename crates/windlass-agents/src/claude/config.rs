//! What Claude Code loads of a repository, as 2.1.197 was seen to. Left out is what only its screen
//! for people runs, such as a status line.

use windlass_core::event::ConfigKind::{
    Address, Command, Marketplace, Permission, Plugin, Variable,
};

use crate::repo_config::{
    ConfigFile, Format, HOOKS, Key, MCP_SERVERS, RepoConfig,
    Shows::{self, Names, Presence, Value},
    below, file, key,
};

const SETTINGS: &[Key] = &[
    HOOKS,
    key("apiKeyHelper", Command, Shows::Command),
    key("awsAuthRefresh", Command, Shows::Command),
    key("awsCredentialExport", Command, Shows::Command),
    key("gcpAuthRefresh", Command, Shows::Command),
    key("otelHeadersHelper", Command, Shows::Command),
    key("proxyAuthHelper", Command, Shows::Command),
    key("enableAllProjectMcpServers", Permission, Value),
    key("enabledMcpjsonServers", Permission, Value),
    key("enabledPlugins.*", Plugin, Presence),
    key("extraKnownMarketplaces.*.source", Marketplace, Shows::Command),
    key("env", Variable, Names),
    key("permissions.defaultMode", Permission, Value),
    key("permissions.allow", Permission, Value),
    key("permissions.additionalDirectories", Permission, Value),
    key("permissions.skipDangerousModePermissionPrompt", Permission, Value),
    key("skipDangerousModePermissionPrompt", Permission, Value),
    key("sandbox.enabled", Permission, Value),
    key("sandbox.allowUnsandboxedCommands", Permission, Value),
    key("sandbox.excludedCommands", Permission, Value),
    key("sandbox.network.allowedDomains", Address, Value),
    key("sandbox.network.httpProxyPort", Address, Value),
];

const SERVERS: &[Key] = &[
    MCP_SERVERS,
    key("mcpServers.*.headersHelper", Command, Shows::Command),
    key("mcpServers.*.env", Variable, Names),
];

/// What agents, commands and skills say at their top, and what they run when they are read.
const TEXTS: &[Key] = &[
    HOOKS,
    MCP_SERVERS,
    key("allowed-tools", Permission, Value),
    key("permissionMode", Permission, Value),
    key("$text.*", Command, Shows::Command),
];

const SKILLS: ConfigFile = below(".claude/skills", &["SKILL.md"], Format::FrontMatter, TEXTS);

/// What Claude Code loads of a repository.
pub(super) const CONFIG: RepoConfig = RepoConfig {
    agent: "claude",
    files: &[
        file(".claude/settings.json", Format::Json, SETTINGS),
        file(".claude/settings.local.json", Format::Json, SETTINGS),
        file(".mcp.json", Format::Json, SERVERS),
        below(".claude/agents", &[".md"], Format::FrontMatter, TEXTS),
        below(".claude/commands", &[".md"], Format::FrontMatter, TEXTS),
        SKILLS,
    ],
    nested: &[SKILLS],
};
