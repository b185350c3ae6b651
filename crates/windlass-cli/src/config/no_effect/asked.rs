//! What holds in a loop once all layers and flags are laid over each other, as questions that the
//! table asks.

use serde_json::{Map, Value};
use windlass::agent::{BuiltIn, DEFAULT};

/// What holds in a loop.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    kind: String,
    values: Map<String, Value>,
}

/// The flags that name agents, by loop kind.
const PARTS: [(&str, [&str; 2]); 3] = [
    ("develop", ["developer", "reviewer"]),
    ("heal", ["reviewer", "fixer"]),
    ("pr", ["auditor", "fixer"]),
];

impl Asked {
    pub(crate) fn new(kind: &str, values: Map<String, Value>) -> Self {
        Self { kind: kind.to_owned(), values }
    }

    pub(super) fn kind(&self) -> &str {
        &self.kind
    }

    /// Whether a switch is on.
    pub(super) fn is_on(&self, key: &str) -> bool {
        self.values.get(key) == Some(&Value::Bool(true))
    }

    /// Whether there is a value at all: an empty list or text is none.
    pub(super) fn has(&self, key: &str) -> bool {
        match self.values.get(key) {
            None | Some(Value::Null) => false,
            Some(Value::Array(items)) => !items.is_empty(),
            Some(Value::String(text)) => !text.is_empty(),
            Some(_) => true,
        }
    }

    pub(super) fn is(&self, key: &str, text: &str) -> bool {
        self.text(key) == Some(text)
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.values.get(key).and_then(Value::as_str)
    }

    /// The loop's own agent as it was asked for, maybe with a model.
    fn own_agent(&self) -> &str {
        match (self.text("agent"), self.has("command")) {
            (Some(agent), _) => agent,
            (None, true) => "command",
            (None, false) => DEFAULT,
        }
    }

    /// Whether the loop's own agent is of that name.
    pub(super) fn own_agent_is(&self, name: &str) -> bool {
        without_model(self.own_agent()) == name
    }

    /// Whether the loop's own agent is named together with its model.
    pub(super) fn own_agent_has_model(&self) -> bool {
        self.own_agent().contains(':')
    }

    /// All agents that the loop may call, as they were asked for.
    fn agents(&self) -> Vec<&str> {
        let mut agents = self.other_agents();
        if self.calls_own_agent() {
            agents.push(self.own_agent());
        }
        agents
    }

    /// Those that play a part in the loop's own agent's stead.
    fn other_agents(&self) -> Vec<&str> {
        let mut agents: Vec<&str> =
            self.parts().iter().filter_map(|part| self.text(part)).collect();
        let tables = self.values.get("auditors").and_then(Value::as_object);
        let tables = tables.into_iter().flat_map(Map::values);
        agents.extend(tables.filter_map(|table| table.get("agent")?.as_str()));
        agents.extend(self.text("fallback_agent").filter(|_| self.is("on_limit", "fallback")));
        agents
    }

    fn parts(&self) -> &'static [&'static str] {
        PARTS.iter().find(|(kind, _)| *kind == self.kind).map_or(&[], |(_, parts)| parts)
    }

    /// Whether there are agents of all names that were asked for; otherwise that is told first.
    pub(super) fn knows_its_agents(&self) -> bool {
        let tables = self.values.get("agents").and_then(Value::as_object);
        let has_table = |name: &str| tables.is_some_and(|tables| tables.contains_key(name));
        let agents = self.agents();
        let mut names = agents.iter().map(|agent| without_model(agent));
        names.all(|name| BuiltIn::named(name).is_some() || has_table(name))
    }

    /// Whether any agent that may be called is of that name.
    pub(super) fn calls(&self, name: &str) -> bool {
        self.agents().iter().any(|agent| without_model(agent) == name)
    }

    /// Whether the loop's own agent is called: not where others play all parts.
    pub(super) fn calls_own_agent(&self) -> bool {
        let parts = self.parts();
        parts.is_empty()
            || parts.iter().any(|part| self.text(part).is_none())
            || self.other_agents().contains(&self.own_agent())
    }

    /// Whether any agent that may be called reports what a session costs. A program that windlass does
    /// not know reports what the agent does whose output it prints.
    pub(super) fn reports_cost(&self) -> bool {
        let tables = self.values.get("agents").and_then(Value::as_object);
        self.agents().iter().any(|agent| {
            let name = without_model(agent);
            let decoder = match tables.and_then(|tables| tables.get(name)) {
                Some(table) => table.get("decoder").and_then(Value::as_str),
                None if name == "command" => self.text("decoder"),
                None => Some(name),
            };
            decoder.and_then(BuiltIn::named).is_some_and(|built_in| built_in.abilities.cost)
        })
    }

    /// Whether any agent that may be called is confined in a way that `fits`.
    pub(super) fn is_confined(&self, fits: fn(&str) -> bool) -> bool {
        if let Some(sandbox) = self.text("sandbox") {
            return fits(sandbox);
        }
        let tables = self.values.get("agents").and_then(Value::as_object);
        self.agents().iter().any(|agent| {
            let table = tables.and_then(|tables| tables.get(without_model(agent)));
            table.and_then(|table| table.get("sandbox")?.as_str()).is_some_and(fits)
        })
    }
}

fn without_model(agent: &str) -> &str {
    agent.split(':').next().unwrap_or_default()
}
