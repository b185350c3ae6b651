//! Claude Code: how it is called, and what reads its JSON stream. Does no I/O.

mod background;
mod config;
mod decoder;
mod events;
mod hooks;
mod kind;
mod sign_in;
mod user;

use std::ffi::OsString;

use windlass_core::{
    agent_files::{AgentFiles, CredentialFields},
    process::ProcessSpec,
};

use super::{Agent, Ask, Decoder, Hooked, Places, RepoConfig, SignIn, agent::each};

/// What Claude Code takes on its standard input.
const LONGEST_PROMPT: usize = 10_000_000;

/// What it reads in its directory, and what runs with it wherever it is started.
const SETTINGS: [&str; 9] = [
    "settings.json",
    "settings.local.json",
    "CLAUDE.md",
    "agents",
    "commands",
    "hooks",
    "output-styles",
    "plugins",
    "skills",
];

/// Where its model and its sign-in are.
const HOSTS: [&str; 4] =
    ["api.anthropic.com", "console.anthropic.com", "platform.claude.com", "claude.ai"];

/// What it renews of its credentials.
const CREDENTIALS: CredentialFields = CredentialFields {
    of_each_member: false,
    tokens: &["/claudeAiOauth/accessToken", "/claudeAiOauth/refreshToken"],
    expiry: "/claudeAiOauth/expiresAt",
    account: &["/organizationUuid"],
};

/// Claude Code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claude;

impl Agent for Claude {
    fn name(&self) -> &str {
        "claude"
    }

    fn prompt_limit(&self) -> Option<usize> {
        Some(LONGEST_PROMPT)
    }

    fn has_system_prompt(&self) -> bool {
        true
    }

    fn program(&self) -> Option<OsString> {
        Some("claude".into())
    }

    fn own(&self, places: &Places<'_>) -> AgentFiles {
        let directory = places.named("CLAUDE_CONFIG_DIR", ".claude");
        // With a directory of its own, the file stands in there too.
        let file = if directory == places.home(".claude") {
            places.home(".claude.json")
        } else {
            directory.join(".claude.json")
        };
        let own = AgentFiles {
            kept: each(&directory, &[".credentials.json"]),
            credentials: Some(CREDENTIALS),
            shown: each(&directory, &SETTINGS),
            copied: vec![file.clone()],
            state: vec![directory, file],
            hosts: Vec::new(),
        };
        own.with_hosts(&HOSTS)
    }

    fn hooks(&self) -> Option<&dyn Hooked> {
        Some(&hooks::ClaudeHooks)
    }

    fn repo_config(&self) -> Vec<&'static RepoConfig> {
        vec![&config::CONFIG]
    }

    fn sign_in(&self) -> Option<&'static SignIn> {
        Some(&sign_in::SIGN_IN)
    }

    fn command(&self, ask: &Ask<'_>) -> ProcessSpec {
        // Without `--verbose` it refuses to stream.
        let mut args: Vec<OsString> =
            ["-p", "--output-format", "stream-json", "--verbose"].map(OsString::from).into();
        let wishes = ask.wishes;
        if let Some(model) = &wishes.model {
            args.extend(["--model".into(), model.into()]);
        }
        if let Some(words) = &wishes.append_system_prompt {
            args.extend(["--append-system-prompt".into(), words.into()]);
        }
        if wishes.skip_permissions.is_always() {
            args.push("--dangerously-skip-permissions".into());
        }
        match ask.hooks_file {
            Some(file) => {
                args.extend(["--settings".into(), file.into()]);
                args.extend(
                    hooks::without_settings(&wishes.extra_args).into_iter().map(Into::into),
                );
            }
            None => args.extend(wishes.extra_args.iter().map(OsString::from)),
        }
        let mut env = ask.env.clone();
        // A loop wants the same program from its first session to its last.
        env.entry("DISABLE_AUTOUPDATER".into()).or_insert_with(|| "1".into());
        // It refuses to go without asking as root unless it is told that this is meant.
        if ask.is_root && wishes.skip_permissions.is_always() {
            env.entry("IS_SANDBOX".into()).or_insert_with(|| "1".into());
        }
        ProcessSpec {
            program: "claude".into(),
            args,
            env: env.into_iter().collect(),
            directory: ask.directory.to_owned(),
            stdin: ask.prompt.as_bytes().to_vec(),
        }
    }

    fn decoder(&self, ask: &Ask<'_>) -> Box<dyn Decoder + Send> {
        Box::new(decoder::ClaudeDecoder::new(ask))
    }
}

#[cfg(test)]
mod tests;
