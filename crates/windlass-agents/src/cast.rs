//! The agents of one loop, by the names that they were asked for: its own, and those that play
//! other parts.

use std::{collections::BTreeMap, fmt, sync::Arc};

use windlass_core::context::Learner;

use super::{Agent, Wishes};

/// An agent that was chosen, and what is wished of it.
#[derive(Clone)]
pub struct Hired {
    /// The agent.
    pub agent: Arc<dyn Agent>,
    /// What the user wants of it beyond the prompt.
    pub wishes: Wishes,
}

impl Hired {
    /// How it can be taught.
    pub fn learner(&self) -> Learner {
        match self.agent.name() {
            _ if self.agent.has_system_prompt() => Learner::BySystemPrompt,
            "command" => Learner::Command,
            _ => Learner::ByPrompt,
        }
    }
}

impl fmt::Debug for Hired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hired")
            .field("agent", &self.agent.name())
            .field("wishes", &self.wishes)
            .finish()
    }
}

/// The agents of one loop, by names such as `claude` and `claude:opus`.
#[derive(Clone, Debug)]
pub struct Cast {
    lead: String,
    own: Hired,
    others: BTreeMap<String, Hired>,
}

impl Cast {
    /// A cast of one: the loop's own agent.
    pub fn new(name: impl Into<String>, hired: Hired) -> Self {
        Self { lead: name.into(), own: hired, others: BTreeMap::new() }
    }

    /// Adds an agent for another part; the loop's own stays as it is.
    pub fn add(&mut self, name: impl Into<String>, hired: Hired) {
        let name = name.into();
        if name != self.lead {
            self.others.insert(name, hired);
        }
    }

    /// The name of the loop's own agent.
    pub fn lead_name(&self) -> &str {
        &self.lead
    }

    /// The loop's own agent.
    pub fn lead(&self) -> &Hired {
        &self.own
    }

    /// The agent of that name.
    pub fn get(&self, name: &str) -> Option<&Hired> {
        if name == self.lead { Some(&self.own) } else { self.others.get(name) }
    }

    /// How many bytes a prompt may have that any of them can take.
    pub fn prompt_limit(&self) -> Option<usize> {
        self.iter().filter_map(|(_, hired)| hired.agent.prompt_limit()).min()
    }

    /// All of them, the loop's own first.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Hired)> {
        let others = self.others.iter().map(|(name, hired)| (name.as_str(), hired));
        std::iter::once((self.lead.as_str(), &self.own)).chain(others)
    }
}
