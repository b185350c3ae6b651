//! Agents: the trait that embedders implement to bring their own, what its methods take and give,
//! and the agents that are built in.

pub use windlass_agents::{
    Abilities, Agent, AgentOptions, Answer, Ask, BUILT_IN, Billing, BuiltIn, ChooseError,
    ConfiguredAgent, DEFAULT, Decoder, Hooked, HooksError, Places, PromptMode, Question,
    ReadSettings, Reading, SignIn, SignedIn, SkipPermissions, TextDecoder, Wishes, environment,
    outcome_of_exit,
};
pub use windlass_core::{
    agent_files::AgentFiles,
    claim::ClaimReading,
    outcome::Outcome,
    process::{EndedBy, Exit, ProcessSpec},
    said::{Said, Usage},
};
