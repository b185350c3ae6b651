//! Agents: the trait that embedders implement to bring their own, what its methods take and give,
//! and the agents that are built in.

pub use windlass_agents::{
    Abilities, Agent, AgentOptions, Ask, BUILT_IN, BuiltIn, ChooseError, ConfiguredAgent, DEFAULT,
    Decoder, Hooked, HooksError, Places, PromptMode, ReadSettings, Reading, TextDecoder, Wishes,
    environment, outcome_of_exit,
};
pub use windlass_core::{
    agent_files::AgentFiles,
    claim::ClaimReading,
    outcome::Outcome,
    process::{EndedBy, Exit, ProcessSpec},
    said::{Said, Usage},
};
