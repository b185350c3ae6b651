//! Codex: how it is called, and what reads its JSON lines. Does no I/O.

mod config;
mod decoder;
mod events;
mod sign_in;
mod tool;

use std::ffi::OsString;

use windlass_core::{
    agent_files::{AgentFiles, CredentialFields},
    process::ProcessSpec,
};

use super::{Agent, Ask, Decoder, Places, RepoConfig, SignIn, agent::each};

/// What Codex takes as a prompt, in characters; bytes are never fewer.
const LONGEST_PROMPT: usize = 1_048_576;

/// What it reads in its directory, and what runs with it wherever it is started.
const SETTINGS: [&str; 6] =
    ["config.toml", "AGENTS.md", "hooks.json", "prompts", "rules", "skills"];

/// Where its model and its sign-in are.
const HOSTS: [&str; 3] = ["api.openai.com", "auth.openai.com", "chatgpt.com"];

/// What it renews of its credentials.
const CREDENTIALS: CredentialFields = CredentialFields {
    of_each_member: false,
    tokens: &["/tokens/id_token", "/tokens/access_token", "/tokens/refresh_token"],
    expiry: "/last_refresh",
    account: &["/tokens/account_id"],
};

/// Codex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Codex;

impl Agent for Codex {
    fn name(&self) -> &str {
        "codex"
    }

    fn prompt_limit(&self) -> Option<usize> {
        Some(LONGEST_PROMPT)
    }

    fn has_system_prompt(&self) -> bool {
        true
    }

    fn program(&self) -> Option<OsString> {
        Some("codex".into())
    }

    fn own(&self, places: &Places<'_>) -> AgentFiles {
        let directory = places.named("CODEX_HOME", ".codex");
        let own = AgentFiles {
            kept: each(&directory, &["auth.json"]),
            credentials: Some(CREDENTIALS),
            shown: each(&directory, &SETTINGS),
            copied: each(&directory, &["installation_id", "version.json"]),
            state: vec![directory],
            hosts: Vec::new(),
        };
        own.with_hosts(&HOSTS)
    }

    fn repo_config(&self) -> Vec<&'static RepoConfig> {
        vec![&config::CONFIG]
    }

    fn sign_in(&self) -> Option<&'static SignIn> {
        Some(&sign_in::SIGN_IN)
    }

    fn command(&self, ask: &Ask<'_>) -> ProcessSpec {
        let wishes = ask.wishes;
        let mut args: Vec<OsString> = vec!["exec".into(), "--json".into()];
        // windlass keeps every state of the tree by itself, with git or without.
        if !wishes.extra_args.iter().any(|arg| arg == "--skip-git-repo-check") {
            args.push("--skip-git-repo-check".into());
        }
        if let Some(model) = &wishes.model {
            args.extend(["-m".into(), model.into()]);
        }
        if let Some(words) = &wishes.append_system_prompt {
            args.extend(["-c".into(), setting("developer_instructions", words)]);
        }
        if wishes.skip_permissions.is_always() {
            args.push("--dangerously-bypass-approvals-and-sandbox".into());
        } else {
            // Its own default cannot write at all. As a setting it gives way to a `--sandbox`
            // among the arguments of the user, where a second flag would be refused.
            args.extend(["-c".into(), setting("sandbox_mode", "workspace-write")]);
        }
        args.extend(wishes.extra_args.iter().map(OsString::from));
        args.push("-".into());
        ProcessSpec {
            program: "codex".into(),
            args,
            env: ask.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            directory: ask.directory.to_owned(),
            stdin: ask.prompt.as_bytes().to_vec(),
        }
    }

    fn decoder(&self, ask: &Ask<'_>) -> Box<dyn Decoder + Send> {
        Box::new(decoder::CodexDecoder::new(ask))
    }
}

/// `name="value"`, quoted so that no value is taken for a number or a table of TOML, whose strings
/// have the escapes of JSON.
fn setting(name: &str, value: &str) -> OsString {
    let value = serde_json::Value::from(value).to_string().replace('\u{7f}', "\\u007f");
    format!("{name}={value}").into()
}

#[cfg(test)]
mod tests;
