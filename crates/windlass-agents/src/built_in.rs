//! The agents that are built in: how each is called, what it can be asked for, and what it tells.
//! A new one is a file beside this one, and an entry here.

use std::sync::Arc;

use serde::Serialize;

use super::{Agent, Aider, Claude, Codex, Gemini, OpenCode};

/// The agent that is run when none is named and it is installed.
pub const DEFAULT: &str = "claude";

/// An agent that is built in.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// The name that people type.
    pub name: &'static str,
    /// How it is called, in a line.
    pub call: &'static str,
    /// How its program is installed; `None` where the user brings one.
    pub install: Option<&'static str>,
    /// What it can be asked for, and what it tells.
    pub abilities: Abilities,
    make: Option<fn() -> Arc<dyn Agent>>,
}

/// What an agent can be asked for beyond the prompt, and what it tells beyond its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Abilities {
    /// Takes `--model`.
    pub model: bool,
    /// Takes `--append-system-prompt`.
    pub append_system_prompt: bool,
    /// Takes `--skip-permissions`.
    pub skip_permissions: bool,
    /// Takes `--hooks-file`.
    pub hooks: bool,
    /// Tells how many tokens a session took.
    pub tokens: bool,
    /// Tells what a session cost.
    pub cost: bool,
    /// Tells when a limit is over.
    pub reset_time: bool,
}

impl Abilities {
    const OF_REAL_AGENTS: Self = Self {
        model: true,
        append_system_prompt: true,
        skip_permissions: true,
        hooks: false,
        tokens: true,
        cost: false,
        reset_time: true,
    };
    const NONE: Self = Self {
        model: false,
        append_system_prompt: false,
        skip_permissions: false,
        hooks: false,
        tokens: false,
        cost: false,
        reset_time: false,
    };
}

/// The agents that are built in.
pub const BUILT_IN: &[BuiltIn] = &[
    BuiltIn {
        name: "claude",
        call: "claude -p --output-format stream-json --verbose < PROMPT",
        install: Some("npm install -g @anthropic-ai/claude-code"),
        abilities: Abilities { cost: true, hooks: true, ..Abilities::OF_REAL_AGENTS },
        make: Some(|| Arc::new(Claude)),
    },
    BuiltIn {
        name: "codex",
        call: "codex exec --json - < PROMPT",
        install: Some("npm install -g @openai/codex"),
        abilities: Abilities::OF_REAL_AGENTS,
        make: Some(|| Arc::new(Codex)),
    },
    BuiltIn {
        name: "opencode",
        call: "opencode run --format json < PROMPT",
        install: Some("npm install -g opencode-ai"),
        abilities: Abilities { cost: true, ..Abilities::OF_REAL_AGENTS },
        make: Some(|| Arc::new(OpenCode)),
    },
    BuiltIn {
        name: "gemini",
        call: "gemini -o stream-json < PROMPT",
        install: Some("npm install -g @google/gemini-cli"),
        abilities: Abilities::OF_REAL_AGENTS,
        make: Some(|| Arc::new(Gemini)),
    },
    BuiltIn {
        name: "aider",
        call: "aider --message-file PROMPT_FILE",
        install: Some("python -m pip install aider-chat"),
        abilities: Abilities { cost: true, reset_time: false, ..Abilities::OF_REAL_AGENTS },
        make: Some(|| Arc::new(Aider)),
    },
    BuiltIn {
        name: "command",
        call: "any program, given with `--command`",
        install: None,
        abilities: Abilities::NONE,
        make: None,
    },
    BuiltIn {
        name: "scripted",
        call: "plays a script, given with `--script`; for demos and tests",
        install: None,
        abilities: Abilities::NONE,
        make: None,
    },
];

impl BuiltIn {
    /// The one of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        BUILT_IN.iter().find(|built_in| built_in.name == name)
    }

    /// The agent itself; `None` for those that need to be told what to run.
    pub fn agent(&self) -> Option<Arc<dyn Agent>> {
        self.make.map(|make| make())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_goes_by_its_own_name_and_says_how_it_is_installed() {
        for built_in in BUILT_IN {
            let Some(agent) = built_in.agent() else { continue };
            assert_eq!(agent.name(), built_in.name);
            assert_eq!(agent.program(), Some(built_in.name.into()));
            assert_eq!(agent.hooks().is_some(), built_in.abilities.hooks);
            assert!(built_in.call.starts_with(built_in.name) && built_in.install.is_some());
        }
    }
}
