//! What Codex loads of a repository, as 0.166.0 was seen to. `codex exec` trusts the directory that it
//! may write to, without asking; only hooks wait until their user has trusted each. `notify`, providers
//! and addresses of models had no effect there; versions before 0.129 obey them, so they are listed.

use windlass_core::event::ConfigKind::{
    Address, Command, Marketplace, McpServer, Permission, Plugin, Variable,
};

use crate::repo_config::{
    Format, HOOKS, Key, RepoConfig,
    Shows::{self, Names, Presence, Value},
    below, file, key,
};

const SETTINGS: &[Key] = &[
    HOOKS,
    key("mcp_servers.*", McpServer, Shows::Command),
    key("mcp_servers.*.env", Variable, Names),
    key("mcp_servers.*.default_tools_approval_mode", Permission, Value),
    key("approval_policy", Permission, Value),
    key("approvals_reviewer", Permission, Value),
    key("sandbox_mode", Permission, Value),
    key("default_permissions", Permission, Value),
    key("permissions.*", Permission, Presence),
    key("sandbox_workspace_write.network_access", Permission, Value),
    key("sandbox_workspace_write.writable_roots", Permission, Value),
    key("allow_login_shell", Permission, Value),
    key("shell_environment_policy.set", Variable, Names),
    key("notify", Command, Shows::Command),
    key("model_provider", Address, Value),
    key("model_providers.*.base_url", Address, Shows::Address),
    key("model_providers.*.auth", Command, Shows::Command),
    key("openai_base_url", Address, Shows::Address),
    key("chatgpt_base_url", Address, Shows::Address),
    key("plugins.*", Plugin, Presence),
    key("marketplaces.*", Marketplace, Shows::Command),
];

/// What an agent that Codex hands work to may be set to. None was seen at work, so this leaves out
/// nothing that the main settings ignore.
const ROLE: &[Key] = &[
    key("mcp_servers.*", McpServer, Shows::Command),
    key("mcp_servers.*.env", Variable, Names),
    key("notify", Command, Shows::Command),
    key("model_provider", Address, Value),
    key("model_providers.*.base_url", Address, Shows::Address),
    key("model_providers.*.auth", Command, Shows::Command),
    key("approval_policy", Permission, Value),
    key("sandbox_mode", Permission, Value),
    key("default_permissions", Permission, Value),
];

/// What Codex loads of a repository.
pub(super) const CONFIG: RepoConfig = RepoConfig {
    agent: "codex",
    files: &[
        file(".codex/config.toml", Format::Toml, SETTINGS),
        file(".codex/hooks.json", Format::Json, &[HOOKS]),
        below(".codex/agents", &[".toml"], Format::Toml, ROLE),
        below(".codex/rules", &[".rules"], Format::Whole(Permission), &[]),
    ],
    nested: &[],
};
