//! What Codex loads of a repository that it was told to trust.

use windlass_core::event::ConfigKind::{
    Address, Command, Hook, Marketplace, McpServer, Permission, Plugin, Variable,
};

use crate::repo_config::{
    Format, Key, RepoConfig,
    Shows::{self, Names, Presence, Value},
    below, file, key,
};

const SETTINGS: &[Key] = &[
    key("hooks.*.*.hooks.*", Hook, Shows::Command),
    key("notify", Command, Shows::Command),
    key("mcp_servers.*", McpServer, Shows::Command),
    key("mcp_servers.*.env", Variable, Names),
    key("mcp_servers.*.default_tools_approval_mode", Permission, Value),
    key("model_provider", Address, Value),
    key("model_providers.*.base_url", Address, Shows::Address),
    key("model_providers.*.auth", Command, Shows::Command),
    key("openai_base_url", Address, Shows::Address),
    key("chatgpt_base_url", Address, Shows::Address),
    key("otel.exporter.*.endpoint", Address, Shows::Address),
    key("profile", Permission, Value),
    key("profiles.*", Permission, Presence),
    key("approval_policy", Permission, Value),
    key("approvals_reviewer", Permission, Value),
    key("sandbox_mode", Permission, Value),
    key("default_permissions", Permission, Value),
    key("permissions.*", Permission, Presence),
    key("sandbox_workspace_write.network_access", Permission, Value),
    key("sandbox_workspace_write.writable_roots", Permission, Value),
    key("allow_login_shell", Permission, Value),
    key("shell_environment_policy.set", Variable, Names),
    key("plugins.*", Plugin, Presence),
    key("marketplaces.*", Marketplace, Shows::Command),
];

const HOOKS: &[Key] = &[key("hooks.*.*.hooks.*", Hook, Shows::Command)];

/// What Codex loads of a repository.
pub(super) const CONFIG: RepoConfig = RepoConfig {
    agent: "codex",
    files: &[
        file(".codex/config.toml", Format::Toml, SETTINGS),
        file(".codex/hooks.json", Format::Json, HOOKS),
        below(".codex/agents", &[".toml"], Format::Toml, SETTINGS),
        below(".codex/rules", &[".rules"], Format::Whole(Permission), &[]),
    ],
};
