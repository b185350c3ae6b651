//! What a loop is called, and who plays which part in it.

use std::collections::BTreeMap;

use windlass_core::context::Learner;

/// A loop's names, the agents of its parts, and the longest prompt that they take.
#[derive(Clone, Debug)]
pub(crate) struct LoopIdentity {
    /// Its id.
    pub(crate) id: String,
    /// The name that people type.
    pub(crate) name: String,
    /// The agent's name.
    pub(crate) agent: String,
    /// The agents of the parts that have one of their own.
    pub(crate) parts: BTreeMap<String, String>,
    /// The longest prompt that the agent takes.
    pub(crate) prompt_limit: Option<usize>,
    /// How each agent can be taught.
    pub(crate) learners: BTreeMap<String, Learner>,
}

impl LoopIdentity {
    /// The name of the agent that plays a part.
    pub(crate) fn agent_of(&self, role: &str) -> &str {
        self.parts.get(role).unwrap_or(&self.agent)
    }

    /// How an agent of the loop can be taught.
    pub(crate) fn learner(&self, agent: &str) -> Learner {
        self.learners.get(agent).copied().unwrap_or(Learner::ByPrompt)
    }
}
