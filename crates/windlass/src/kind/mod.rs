//! Loop kinds. A new one is a file here, a variant, and an arm in each match below.

pub mod develop;
mod emptiness;
pub mod heal;
pub mod iterate;
pub mod merge;
pub mod pr;
pub mod tasks;

use std::path::Path;

use serde::{Deserialize, Serialize};
use windlass_agents::Cast;
use windlass_core::{
    ending::Ending,
    ids::LoopId,
    options::{Claiming, OnLimit, Protocol, Rules},
    prompts::PromptOptions,
    role,
};

pub use crate::every_kind::Common;
use crate::{halt::Halt, identity::LoopIdentity, run::Run};

/// A loop kind with its options: what is frozen when a loop starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// The same prompt until a claim is proven.
    Iterate(iterate::Options),
    /// A task file, one task a session, until no task is open and that is proven.
    Tasks(tasks::Options),
    /// A developer and a reviewer, until the work is approved and that is proven.
    Develop(develop::Options),
    /// A review, a fix for each of its findings, and the tests.
    Heal(heal::Options),
    /// Auditors of a pull request, fixes, and a review on GitHub.
    Pr(pr::Options),
    /// The work of another loop, brought home.
    Merge(Box<merge::Options>),
}

/// Which checks windlass looks for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LooksFor {
    /// None.
    Nothing,
    /// The project's tests.
    Tests,
    /// These, and what lints and checks types.
    TestsAndLints,
}

impl Kind {
    /// What the loop of that id and name is called, with its agents.
    pub(crate) fn identity(&self, id: &LoopId, name: &str, cast: &Cast) -> LoopIdentity {
        let parts = self.parts().into_iter();
        let parts = parts.filter_map(|(role, agent)| Some((role.to_owned(), agent?.to_owned())));
        LoopIdentity {
            id: id.to_string(),
            name: name.to_owned(),
            agent: cast.lead_name().to_owned(),
            parts: parts.collect(),
            prompt_limit: cast.prompt_limit(),
            learners: cast.iter().map(|(name, hired)| (name.to_owned(), hired.learner())).collect(),
        }
    }

    /// The word that people type.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Iterate(_) => "iterate",
            Self::Tasks(_) => "tasks",
            Self::Develop(_) => "develop",
            Self::Heal(_) => "heal",
            Self::Pr(_) => "pr",
            Self::Merge(_) => "merge",
        }
    }

    /// The options that every kind has.
    pub(crate) fn common(&self) -> &Common {
        match self {
            Self::Iterate(options) => &options.common,
            Self::Tasks(options) => &options.common,
            Self::Develop(options) => &options.common,
            Self::Heal(options) => &options.common,
            Self::Pr(options) => &options.common,
            Self::Merge(options) => &options.common,
        }
    }

    pub(crate) fn common_mut(&mut self) -> &mut Common {
        match self {
            Self::Iterate(options) => &mut options.common,
            Self::Tasks(options) => &mut options.common,
            Self::Develop(options) => &mut options.common,
            Self::Heal(options) => &mut options.common,
            Self::Pr(options) => &mut options.common,
            Self::Merge(options) => &mut options.common,
        }
    }

    /// What a claim is, in kinds where the agent that works is the one that claims.
    pub(crate) fn claiming(&self) -> Option<&Claiming> {
        match self {
            Self::Iterate(options) => Some(&options.claiming),
            Self::Tasks(options) => Some(&options.claiming),
            Self::Merge(options) => Some(&options.claiming),
            Self::Develop(_) | Self::Heal(_) | Self::Pr(_) => None,
        }
    }

    /// The rules that judge its iterations. Where the allowed iterations mean another ending than
    /// that they are used up, the kind counts them itself.
    pub fn rules(&self) -> Rules {
        let rules = self.common().rules.clone();
        match self {
            Self::Iterate(_) | Self::Tasks(_) | Self::Merge(_) => rules,
            Self::Develop(_) | Self::Heal(_) | Self::Pr(_) => Rules { max_iterations: 0, ..rules },
        }
    }

    /// How many iterations it may have in all, as far as that is known; 0 for no limit.
    pub(crate) fn max_iterations(&self) -> u32 {
        match self {
            Self::Develop(options) if options.tasks.is_some() => 0,
            Self::Heal(options) => options.max_iterations(),
            Self::Pr(options) => options.max_iterations(),
            Self::Iterate(_) | Self::Tasks(_) | Self::Develop(_) | Self::Merge(_) => {
                self.common().rules.max_iterations
            }
        }
    }

    /// Whether windlass itself commits in it.
    pub(crate) fn commits(&self) -> bool {
        let of_kind = match self {
            Self::Pr(options) => options.commit || options.push,
            Self::Merge(_) => true,
            Self::Iterate(_) | Self::Tasks(_) | Self::Develop(_) | Self::Heal(_) => false,
        };
        of_kind || self.common().git.auto_commit
    }

    /// The prompts that the user has replaced, in kinds whose agents are asked by windlass.
    pub(crate) fn prompts(&self) -> Option<&PromptOptions> {
        match self {
            Self::Iterate(_) | Self::Tasks(_) | Self::Merge(_) => None,
            Self::Develop(options) => Some(&options.prompts),
            Self::Heal(options) => Some(&options.prompts),
            Self::Pr(options) => Some(&options.prompts),
        }
    }

    /// Which checks windlass looks for itself, where the user has given none.
    pub(crate) fn looks_for(&self) -> LooksFor {
        let proof = &self.common().proof;
        let (given, wanted) = match self {
            Self::Iterate(_) | Self::Tasks(_) | Self::Develop(_) => {
                (!proof.checks.is_empty(), LooksFor::Tests)
            }
            // `--check` adds to the tests there.
            Self::Heal(options) => (options.test.is_some() || options.review_only, LooksFor::Tests),
            Self::Pr(options) => {
                (!proof.checks.is_empty() || !options.looped, LooksFor::TestsAndLints)
            }
            Self::Merge(_) => (true, LooksFor::Nothing),
        };
        if given || proof.no_check { LooksFor::Nothing } else { wanted }
    }

    /// The commands that must pass by the user's own words.
    pub(crate) fn given_checks(&self) -> Vec<&str> {
        let test = match self {
            Self::Heal(options) => options.test.as_deref(),
            _ => None,
        };
        test.into_iter().chain(self.common().proof.checks.iter().map(String::as_str)).collect()
    }

    /// Drops all checks where the user wants none, wherever they were set.
    pub(crate) fn drop_checks_if_unwanted(&mut self) {
        if !self.common().proof.no_check {
            return;
        }
        if let Self::Heal(options) = self {
            options.test = None;
        }
        let proof = &mut self.common_mut().proof;
        proof.checks.clear();
        proof.found.clear();
    }

    /// The files that the loop reads again and again, by their paths from where it works.
    pub(crate) fn files_mut(&mut self) -> Vec<&mut String> {
        match self {
            Self::Iterate(_) | Self::Heal(_) | Self::Pr(_) | Self::Merge(_) => Vec::new(),
            Self::Tasks(options) => vec![&mut options.tasks],
            Self::Develop(options) => options.tasks.iter_mut().chain(&mut options.plan).collect(),
        }
    }

    /// What its agents are taught for saying how they stand.
    pub fn protocol(&self) -> Protocol {
        self.claiming().map_or(Protocol::Promise, |claiming| claiming.protocol)
    }

    /// The parts that agents play in it, and who was asked to play them.
    pub(crate) fn parts(&self) -> Vec<(&'static str, Option<&str>)> {
        match self {
            Self::Iterate(_) | Self::Tasks(_) | Self::Merge(_) => vec![(role::AGENT, None)],
            Self::Develop(options) => vec![
                (role::DEVELOPER, options.developer.as_deref()),
                (role::REVIEWER, options.reviewer.as_deref()),
            ],
            Self::Heal(options) => vec![
                (role::REVIEWER, options.reviewer.as_deref()),
                (role::PARSER, options.reviewer.as_deref()),
                (role::FIXER, options.fixer.as_deref()),
            ],
            Self::Pr(options) => vec![
                (role::AUDITOR, options.auditor.as_deref()),
                (role::FIXER, options.fixer.as_deref()),
            ],
        }
    }

    /// The names of the agents that it may call besides its own.
    pub(crate) fn other_agents(&self) -> impl Iterator<Item = &str> {
        let limits = &self.common().limits;
        let fallback = limits.fallback_agent.as_deref();
        let fallback = fallback.filter(|_| limits.on_limit == OnLimit::Fallback);
        let of_auditors = match self {
            Self::Pr(options) => options.auditors.agents(),
            Self::Iterate(_)
            | Self::Tasks(_)
            | Self::Develop(_)
            | Self::Heal(_)
            | Self::Merge(_) => Vec::new(),
        };
        let parts = self.parts().into_iter().filter_map(|(_, agent)| agent);
        parts.chain(of_auditors).chain(fallback)
    }

    /// The words of the user that an agent must be able to take whole.
    pub(crate) fn prompt(&self) -> &str {
        match self {
            Self::Iterate(options) => &options.prompt,
            Self::Tasks(options) => options.words(),
            Self::Develop(options) => options.words(),
            Self::Heal(_) | Self::Pr(_) => "review",
            Self::Merge(_) => "merge",
        }
    }

    /// The file that these words were read from, where they were.
    pub(crate) fn prompt_file(&self) -> Option<&Path> {
        match self {
            Self::Iterate(options) => options.prompt_file.as_deref(),
            Self::Tasks(options) => options.prompt_file.as_deref(),
            Self::Develop(options) => options.prompt_file.as_deref(),
            Self::Heal(_) | Self::Pr(_) | Self::Merge(_) => None,
        }
    }

    /// Runs the loop to its ending. The futures are boxed: some are large, and all are long-lived.
    pub(crate) async fn drive(&self, run: &Run<'_>, named: &LoopIdentity) -> Result<Ending, Halt> {
        match self {
            Self::Iterate(options) => Box::pin(iterate::drive(run, options, named)).await,
            Self::Tasks(options) => Box::pin(tasks::drive(run, options, named)).await,
            Self::Develop(options) => Box::pin(develop::drive(run, options, named)).await,
            Self::Heal(options) => Box::pin(heal::drive(run, options, named)).await,
            Self::Pr(options) => Box::pin(pr::drive(run, options, named)).await,
            Self::Merge(options) => Box::pin(merge::drive(run, options, named)).await,
        }
    }
}
