//! Aider: text only, and exit code 0 for nearly everything. Each answer of the model is closed by
//! a line with its tokens; what is no answer is told by aider's own sentences.

use std::{borrow::Cow, ffi::OsString};

use windlass_core::{agent_files::AgentFiles, process::ProcessSpec};

use super::{Agent, Ask, Decoder, Places, RepoConfig, SignIn, agent::each};

mod config;
mod decoder;
mod lines;
mod sign_in;

use decoder::AiderDecoder;

/// The program.
const PROGRAM: &str = "aider";

/// What keeps it plain, unattended, and out of the work tree and its `.gitignore`. Commits are
/// the prompt's affair, as with every other agent; a user's own arguments come later and win.
const FLAGS: [&str; 12] = [
    "--no-pretty",
    "--no-fancy-input",
    "--no-check-update",
    "--no-show-release-notes",
    "--no-show-model-warnings",
    "--no-analytics",
    "--no-gitignore",
    "--no-detect-urls",
    "--no-auto-commits",
    "--no-dirty-commits",
    "--chat-history-file=/dev/null",
    "--input-history-file=/dev/null",
];

/// Its files in the home.
const SETTINGS: [&str; 3] =
    [".aider.conf.yml", ".aider.model.settings.yml", ".aider.model.metadata.json"];

/// The providers that most people use with it.
const HOSTS: [&str; 5] = [
    "api.anthropic.com",
    "api.openai.com",
    "openrouter.ai",
    "generativelanguage.googleapis.com",
    "api.deepseek.com",
];

/// Aider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Aider;

impl Agent for Aider {
    fn name(&self) -> &str {
        "aider"
    }

    fn reads_prompt_file(&self) -> bool {
        true
    }

    fn prompt_file_text<'a>(&self, ask: &Ask<'a>) -> Cow<'a, str> {
        ask.prompt_with_system_words()
    }

    fn program(&self) -> Option<OsString> {
        Some(PROGRAM.into())
    }

    fn own(&self, places: &Places<'_>) -> AgentFiles {
        let shown = each(places.home, &SETTINGS);
        let own = AgentFiles {
            kept: vec![places.home(".aider/oauth-keys.env")],
            credentials: None,
            copied: Vec::new(),
            state: shown.iter().cloned().chain([places.home(".aider")]).collect(),
            shown,
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
        let mut args: Vec<OsString> = FLAGS.map(OsString::from).into();
        if let Some(model) = &ask.wishes.model {
            args.extend(["--model".into(), model.into()]);
        }
        if ask.wishes.skip_permissions.is_always() {
            args.push("--yes-always".into());
        }
        args.extend(["--message-file".into(), ask.prompt_file.into()]);
        args.extend(ask.wishes.extra_args.iter().map(OsString::from));
        ProcessSpec {
            program: PROGRAM.into(),
            args,
            env: ask.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            directory: ask.directory.to_owned(),
            stdin: Vec::new(),
        }
    }

    fn decoder(&self, ask: &Ask<'_>) -> Box<dyn Decoder + Send> {
        Box::new(AiderDecoder::new(ask))
    }
}
