//! What a loop stands on, whether it is new or taken up again: where it works, with which agents
//! and environment; and the worker that is hired for it.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock},
};

use windlass_agents::Cast;
use windlass_core::ids::LoopId;
use windlass_store::store::Store;
use windlass_system::{
    home,
    ownership::Lock,
    process::{Guardian, Programs},
    sandbox::{SandboxRequest, Sandboxes},
    surroundings::SleepInhibitor,
};

use super::{
    LoopError,
    agent_programs::agent_programs,
    agent_trust::Running,
    apart,
    confined::{confined, repository},
    programs::programs,
    settle::{settle_files, settle_tree},
    setup::{Setup, work_tree},
};
use crate::{
    kind::Kind,
    perform::{Arrival, HookCommands, LeftBehindWatch, Worker},
    workplace::{Opening, Workplace},
};

/// What a loop stands on.
pub(super) struct Grounds {
    pub(super) home: PathBuf,
    /// Where the user started the loop.
    pub(super) directory: PathBuf,
    /// Where the agent works when that is a worktree of the loop's own.
    pub(super) worktree: Option<PathBuf>,
    /// What stays behind where the user started the loop, in words.
    pub(super) left_in_place: Option<String>,
    pub(super) kind: Kind,
    pub(super) cast: Cast,
    pub(super) env: BTreeMap<OsString, OsString>,
}

impl Grounds {
    /// Where the agent and the checks work.
    pub(super) fn workplace(&self) -> &Path {
        self.worktree.as_deref().unwrap_or(&self.directory)
    }

    /// Where programs are looked for that the user names by a path: what is in the head of a pull
    /// request may be a stranger's.
    pub(super) fn programs_at(&self) -> &Path {
        match self.arrival() {
            Arrival::Apart { .. } => &self.directory,
            Arrival::Worktree { .. } | Arrival::None => self.workplace(),
        }
    }

    /// How the loop comes to work on the head of a pull request.
    pub(super) fn arrival(&self) -> Arrival {
        let Kind::Pr(options) = &self.kind else { return Arrival::None };
        if apart::is_apart(&self.home, self.worktree.as_ref()) {
            let (directory, branch) = (self.directory.clone(), options.branch.clone());
            return Arrival::Apart { directory, branch };
        }
        match (&self.worktree, &options.common.git.branched) {
            (Some(_), Some(branched)) if options.needs_forge() => {
                Arrival::Worktree { is_new: branched.is_new }
            }
            _ => Arrival::None,
        }
    }

    /// Starts the guardian, which holds the locks too, and looks at the tree.
    pub(super) async fn hire(
        &self,
        setup: &Setup,
        id: &LoopId,
        locks: &[Lock],
    ) -> Result<Worker, LoopError> {
        let held: Result<Vec<OwnedFd>, _> = locks.iter().map(Lock::try_clone_fd).collect();
        let held = held.map_err(|source| LoopError::Home { what: "share the locks", source })?;
        // Absolute, because guardians are found by it from any directory.
        let home = std::path::absolute(&self.home)
            .map_err(|source| LoopError::Home { what: "find windlass's home", source })?;
        let guardian = Guardian::start_in(&home, &setup.guardian, Some(id), held)?;
        let whole = self.kind.common().rules.max_duration.map(|span| span.0);
        let common = self.kind.common();
        let places = [self.workplace(), &self.directory];
        let programs = programs(&self.env, &self.home, &places, Some(&common.sandbox));
        let sleep_inhibitor = inhibit_sleep(setup, &guardian, &programs);
        let opening = Opening::of_loop(&setup.guardian, &home, &self.env, &programs, id)?;
        let opening = opening.within(whole).taking_refs(common.git.refs);
        let Workplace { files, tree, watched } = opening.open(self.workplace()).await?;
        let store = Store::open(&self.home)?;
        let settled = match &tree {
            Some(tree) => settle_tree(&self.home, &store, tree, Some(id)).await?,
            None => settle_files(&self.home, &store, &files, Some(id)).await?,
        };
        drop(store);
        let run_directory = home::run(&self.home).join(id.as_str());
        let found = agent_programs(common, &self.cast, &programs, &self.env, self.programs_at());
        let sandboxes = Sandboxes::open(&SandboxRequest {
            guardian: &guardian,
            programs: &programs,
            program: &setup.guardian,
            agents: &confined(&self.cast, common, &self.env, &found),
            options: &common.sandbox,
            env: &self.env,
            host: &setup.host().into_iter().collect(),
            loop_id: id,
            windlass_home: &self.home,
            run_directory: &run_directory,
            directory: self.workplace(),
            repository: tree.as_ref().map(repository).as_ref(),
        })
        .await?;
        let output_directory = home::output(&self.home, id);
        // Output that cannot be kept is counted; it does not keep a loop from running.
        drop(home::create_private(&home::outputs(&self.home)));
        drop(home::create_private(&output_directory));
        let kept = run_directory.join("own");
        let hook_commands =
            HookCommands::find(&common.on, &programs, self.programs_at(), &sandboxes, &kept);
        Ok(Worker {
            cast: self.cast.clone(),
            programs: found,
            hook_commands,
            directory: self.workplace().to_owned(),
            env: self.env.clone(),
            to_reach_a_remote: to_reach_a_remote(setup, &programs),
            trusted: programs,
            programs_at_start: OnceLock::new(),
            users_top: work_tree(&self.directory),
            arrival: self.arrival(),
            brings: Arc::new(Running::new(setup, self, id)),
            files,
            tree,
            left_behind: LeftBehindWatch::new(watched, id),
            settled,
            sleep_inhibitor,
            claiming: self.kind.claiming().cloned().unwrap_or_default(),
            has_checks: common.proof.has_checks(),
            check_timeout: common.proof.check_timeout,
            pace: common.pace.clone(),
            hooks: common.on.clone(),
            refused: Mutex::default(),
            agent_hooks: common.agent.hooks_text.clone(),
            output_directory,
            asker: setup.asker.clone(),
            forge: setup.forge.clone(),
            run_directory,
            sandboxes,
            secrets: Arc::new(setup.secrets(&self.kind)),
            guardian,
        })
    }
}

/// Keeps the machine awake, unless the user's environment says otherwise.
fn inhibit_sleep(
    setup: &Setup,
    guardian: &Guardian,
    programs: &Programs,
) -> Option<SleepInhibitor> {
    let host: BTreeMap<OsString, OsString> = setup.host().into_iter().collect();
    let wanted = host.get(OsStr::new("WINDLASS_INHIBIT_SLEEP"));
    let is_off = wanted.is_some_and(|value| value == "false" || value == "0");
    if is_off { None } else { SleepInhibitor::start(guardian, programs, &host) }
}

/// The variables by which a user tells git how to reach a remote.
const TO_REACH_A_REMOTE: &[&str] = &[
    "HOME",
    "XDG_CONFIG_HOME",
    "SSH_AUTH_SOCK",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "GIT_SSL_CAINFO",
    "http_proxy",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
];

/// What git needs of the user's environment to reach a remote, with a `PATH` for `ssh` and for
/// helpers that know passwords.
fn to_reach_a_remote(setup: &Setup, programs: &Programs) -> Vec<(String, OsString)> {
    let known = programs.environment(setup.host()).into_iter().filter_map(|(name, value)| {
        let is_known = |name: &&str| *name == "PATH" || TO_REACH_A_REMOTE.contains(name);
        let name = name.to_str().filter(is_known)?;
        Some((name.to_owned(), value))
    });
    known.collect()
}
