//! Loop kinds. A new one is a file here, a variant, and an arm in each match below.

mod common;
pub mod iterate;
pub mod tasks;

pub use common::Common;

use serde::{Deserialize, Serialize};

use crate::{
    agent::Cast,
    ending::Ending,
    halt::Halt,
    ids::LoopId,
    options::{Claiming, OnLimit, Protocol},
    run::Run,
};

/// A loop kind with its options: what is frozen when a loop starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// The same prompt until a claim is proven.
    Iterate(iterate::Options),
    /// A task file, one task a session, until no task is open and that is proven.
    Tasks(tasks::Options),
}

/// What a loop is called, for templates of commits and branches.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its id.
    pub id: String,
    /// The name that people type.
    pub name: String,
    /// The agent's name.
    pub agent: String,
    /// The longest prompt that the agent takes.
    pub prompt_limit: Option<usize>,
}

impl Named {
    /// The loop of that id and name, with its agents.
    pub fn new(id: &LoopId, name: &str, cast: &Cast) -> Self {
        Self {
            id: id.to_string(),
            name: name.to_owned(),
            agent: cast.lead_name().to_owned(),
            prompt_limit: cast.prompt_limit(),
        }
    }
}

impl Kind {
    /// The word that people type.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Iterate(_) => "iterate",
            Self::Tasks(_) => "tasks",
        }
    }

    /// The options that every kind has.
    pub fn common(&self) -> &Common {
        match self {
            Self::Iterate(options) => &options.common,
            Self::Tasks(options) => &options.common,
        }
    }

    pub(crate) fn common_mut(&mut self) -> &mut Common {
        match self {
            Self::Iterate(options) => &mut options.common,
            Self::Tasks(options) => &mut options.common,
        }
    }

    /// What a claim is, in kinds where the agent that works is the one that claims.
    pub fn claiming(&self) -> Option<&Claiming> {
        match self {
            Self::Iterate(options) => Some(&options.claiming),
            Self::Tasks(options) => Some(&options.claiming),
        }
    }

    /// What its agents are taught for saying how they stand.
    pub fn protocol(&self) -> Protocol {
        self.claiming().map_or(Protocol::Promise, |claiming| claiming.protocol)
    }

    /// The names of the agents that it may call besides its own.
    pub fn other_agents(&self) -> impl Iterator<Item = &str> {
        let limits = &self.common().limits;
        let fallback = limits.fallback_agent.as_deref();
        fallback.filter(|_| limits.on_limit == OnLimit::Fallback).into_iter()
    }

    /// The words of the user that an agent must be able to take whole.
    pub fn prompt(&self) -> &str {
        match self {
            Self::Iterate(options) => &options.prompt,
            Self::Tasks(options) => options.words(),
        }
    }

    /// Runs the loop to its ending.
    pub async fn drive(&self, run: &Run<'_>, named: &Named) -> Result<Ending, Halt> {
        match self {
            Self::Iterate(options) => iterate::drive(run, options, named).await,
            Self::Tasks(options) => tasks::drive(run, options, named).await,
        }
    }
}
