//! What the agents of a loop ask of their sandboxes.

use std::{collections::BTreeMap, ffi::OsString, path::PathBuf};

use windlass_agents::{Cast, ConfiguredAgent, Places};
use windlass_core::options::{SandboxName, SandboxOptions};
use windlass_system::sandbox::{Confined, Repository, user_home};

use crate::{every_kind::Common, workplace::Tree};

/// What an agent is to be confined by, as it was asked for.
pub(super) fn asked(
    options: &SandboxOptions,
    agents: &BTreeMap<String, ConfiguredAgent>,
    agent: &str,
) -> SandboxName {
    let name = agent.split(':').next().unwrap_or_default();
    let of_agent = agents.get(name).and_then(|agent| agent.sandbox);
    options.sandbox.or(of_agent).unwrap_or(SandboxName::None)
}

/// The agents of a loop, its own first.
pub(super) fn confined(
    cast: &Cast,
    common: &Common,
    env: &BTreeMap<OsString, OsString>,
    found: &BTreeMap<OsString, PathBuf>,
) -> Vec<Confined> {
    let home = user_home(env);
    let places = Places { home: &home, env };
    let confined = cast.iter().map(|(name, hired)| {
        let by = asked(&common.sandbox, &common.agent.agents, name);
        let program = hired.agent.program();
        // In a container the programs are those of its image.
        let here = program.as_ref().filter(|_| !by.is_container());
        let here = here.and_then(|program| found.get(program)).map(|path| path.clone().into());
        Confined {
            name: name.to_owned(),
            by,
            files: hired.agent.own(&places),
            program: here.or(program),
        }
    });
    confined.collect()
}

/// The repository that a work tree belongs to, as sandboxes see it.
pub(super) fn repository(tree: &Tree) -> Repository {
    let [git_dir, common_dir] = tree.git_directories();
    let (name, email) = tree.committer();
    Repository {
        top: tree.top().to_owned(),
        git_dir: git_dir.to_owned(),
        common_dir: common_dir.to_owned(),
        name: name.map(str::to_owned),
        email: email.map(str::to_owned),
        private: tree.private_mounts(),
    }
}
