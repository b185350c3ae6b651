//! What OpenCode loads of a repository, as 1.18.33 was seen to.

use windlass_core::event::ConfigKind::{
    Address, Check, Command, McpServer, Permission, Plugin, Variable,
};

use crate::repo_config::{
    Format, Key, RepoConfig,
    Shows::{self, Names, Presence, Value},
    below, file, key,
};

const SETTINGS: &[Key] = &[
    key("mcp.*", McpServer, Shows::Command),
    key("mcp.*.environment", Variable, Names),
    key("plugin", Plugin, Value),
    key("provider.*.npm", Plugin, Value),
    key("provider.*.options.baseURL", Address, Shows::Address),
    key("provider.*.api", Address, Shows::Address),
    key("enterprise.url", Address, Shows::Address),
    key("formatter.*.command", Check, Shows::Command),
    key("formatter.*.environment", Variable, Names),
    key("lsp.*.command", Command, Shows::Command),
    key("lsp.*.env", Variable, Names),
    key("command.*.template", Command, Presence),
    key("shell", Command, Shows::Command),
    key("permission", Permission, Value),
    key("permission.*", Permission, Value),
    key("permission.*.*", Permission, Value),
    key("agent.*.permission", Permission, Presence),
    key("mode.*.permission", Permission, Presence),
    key("share", Permission, Value),
    key("instructions", Address, Value),
];

const TEXTS: &[Key] = &[
    key("permission", Permission, Presence),
    key("tools", Permission, Presence),
    key("$text.*", Command, Shows::Command),
];

const CODE: &[&str] = &[".ts", ".js"];
const LOADED: Format = Format::Whole(Plugin);

/// What OpenCode loads of a repository.
pub(super) const CONFIG: RepoConfig = RepoConfig {
    agent: "opencode",
    files: &[
        file("opencode.json", Format::Json, SETTINGS),
        file("opencode.jsonc", Format::Json, SETTINGS),
        file(".opencode/opencode.json", Format::Json, SETTINGS),
        file(".opencode/opencode.jsonc", Format::Json, SETTINGS),
        // What it names is installed at the start.
        file(".opencode/package.json", LOADED, &[]),
        below(".opencode/plugin", CODE, LOADED, &[]),
        below(".opencode/plugins", CODE, LOADED, &[]),
        below(".opencode/tool", CODE, LOADED, &[]),
        below(".opencode/tools", CODE, LOADED, &[]),
        below(".opencode/command", &[".md"], Format::FrontMatter, TEXTS),
        below(".opencode/commands", &[".md"], Format::FrontMatter, TEXTS),
        below(".opencode/agent", &[".md"], Format::FrontMatter, TEXTS),
        below(".opencode/agents", &[".md"], Format::FrontMatter, TEXTS),
        below(".opencode/mode", &[".md"], Format::FrontMatter, TEXTS),
        below(".opencode/modes", &[".md"], Format::FrontMatter, TEXTS),
    ],
    nested: &[],
};
