//! How each agent is called, and what its output means. Pure: nothing is started or read here.
//!
//! This crate is an internal part of `windlass`: what embedders need of it is exported there.
//!
//! [`Agent`] is what all have in common; a new one is a file here, and a line in [`BUILT_IN`].

#![forbid(unsafe_code)]

mod agent;
mod aider;
mod built_in;
mod called;
mod cast;
mod choose;
mod claude;
mod codex;
mod configured;
mod environment;
mod error;
mod gemini;
pub mod json_lines;
mod long_text;
mod message;
mod opencode;
mod options;
mod permissions;
mod plain;
mod plans;
mod prompt_mode;
mod raw;
pub mod repo_config;
mod reset;
pub mod script;
mod sign_in;
mod skip_permissions;
mod summary;
mod text;
mod verdict;

pub use self::{
    agent::{
        Agent, Ask, Decoder, Hooked, HooksError, Places, ReadSettings, Reading, Wishes,
        outcome_of_exit,
    },
    aider::Aider,
    built_in::{Abilities, BUILT_IN, BuiltIn, DEFAULT},
    called::called_by,
    cast::{Cast, Hired},
    choose::choose,
    claude::Claude,
    codex::Codex,
    configured::{ConfiguredAgent, DecoderName},
    environment::environment,
    error::ChooseError,
    gemini::Gemini,
    opencode::OpenCode,
    options::AgentOptions,
    permissions::Permissions,
    plain::Plain,
    plans::Plan,
    prompt_mode::PromptMode,
    repo_config::RepoConfig,
    sign_in::{Answer, Billing, Question, SignIn, SignedIn},
    skip_permissions::SkipPermissions,
    text::TextDecoder,
};
