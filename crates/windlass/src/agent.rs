//! Agents: the trait that embedders implement to bring their own, and those that are built in.

pub use windlass_agents::{
    Abilities, Agent, AgentOptions, Ask, BUILT_IN, BuiltIn, ChooseError, ConfiguredAgent, Decoder,
    Hooked, HooksError, PromptMode, Reading, TextDecoder, Wishes, environment,
};
