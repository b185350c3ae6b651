//! What Aider loads of a repository. Names of settings may be abbreviated there as on its command
//! line, which is what `~` is for.

use windlass_core::event::ConfigKind::{Address, Check, Command, Permission, Variable};

use crate::repo_config::{
    Format, Key, RepoConfig,
    Shows::{self, Names, Presence, Value},
    VARIABLES, file, key,
};

const SETTINGS: &[Key] = &[
    key("lint-cmd~", Check, Value),
    key("test-cmd~", Check, Value),
    key("auto-test~", Check, Value),
    key("test~", Check, Value),
    key("load~", Command, Value),
    key("notifications-command~", Command, Value),
    key("editor~", Command, Value),
    key("message~", Command, Presence),
    key("message-file~", Command, Value),
    key("apply~", Command, Value),
    key("openai-api-base~", Address, Shows::Address),
    key("openai-api-type~", Address, Value),
    key("set-env~", Variable, Names),
    key("api-key~", Variable, Names),
    key("env-file~", Variable, Value),
    key("model-settings-file~", Address, Value),
    key("read~", Permission, Value),
    key("file~", Permission, Value),
    key("yes-always~", Permission, Value),
    key("suggest-shell-commands~", Permission, Value),
    key("verify-ssl~", Permission, Value),
];

const MODELS: &[Key] = &[
    key("*.extra_params.api_base", Address, Shows::Address),
    key("*.extra_params.base_url", Address, Shows::Address),
];

/// What Aider loads of a repository.
pub(super) const CONFIG: RepoConfig = RepoConfig {
    agent: "aider",
    files: &[
        file(".aider.conf.yml", Format::Yaml, SETTINGS),
        file(".aider.model.settings.yml", Format::Yaml, MODELS),
        file(".env", Format::Env, VARIABLES),
    ],
    nested: &[],
};
