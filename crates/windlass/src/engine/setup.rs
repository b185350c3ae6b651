//! The surroundings of a loop, and what can be said about them before anything runs.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    sync::Arc,
};

use windlass_agents::{Agent, Cast, ChooseError, Hired, script::Script};
use windlass_core::{
    ids::LoopId,
    options::{DoneWhen, OnLimit},
    prompts::Prompts,
    secrets::Secrets,
    status,
};
use windlass_store::{report::Reporter, store::LoopRecord};
use windlass_system::{
    home,
    ownership::{Holder, Lock, LockError, LockKey, Owner},
    process::GuardianProgram,
    stop::Stop,
};

use super::{LoopError, acquire::acquire, agent_programs::look_for, named_file};
use crate::{
    ask::Asker,
    forge::Forge,
    kind::{Kind, pr::auditors::auditors},
};

/// What whoever runs a loop has to say about its surroundings.
#[derive(Default)]
pub(super) struct Setup {
    pub(super) home: Option<PathBuf>,
    pub(super) directory: Option<PathBuf>,
    pub(super) name: Option<String>,
    pub(super) agent: Option<Arc<dyn Agent>>,
    pub(super) host_environment: Option<Vec<(OsString, OsString)>>,
    pub(super) guardian: GuardianProgram,
    pub(super) reporters: Vec<Box<dyn Reporter>>,
    pub(super) asker: Option<Arc<dyn Asker>>,
    pub(super) forge: Option<Arc<dyn Forge>>,
    pub(super) stop: Stop,
    /// What the start warns of, besides what windlass sees itself.
    pub(super) warnings: Vec<String>,
    /// Whether what the work tree brings for agents may act this time, whatever it is.
    pub(super) trust_agent_config: bool,
}

impl Setup {
    /// Where windlass keeps its store.
    pub(super) fn home(&self) -> Result<PathBuf, LoopError> {
        match &self.home {
            Some(home) => Ok(home.clone()),
            None => home::of_user()
                .map_err(|source| LoopError::Home { what: "find windlass's home", source }),
        }
    }

    /// Where the user is, with symbolic links resolved.
    #[expect(clippy::disallowed_methods, reason = "embedders may leave the choice to windlass")]
    pub(super) fn directory(&self) -> Result<PathBuf, LoopError> {
        let directory = match &self.directory {
            Some(directory) => directory.clone(),
            None => env::current_dir()
                .map_err(|source| LoopError::Home { what: "find the directory", source })?,
        };
        match directory.canonicalize() {
            Ok(found) if found.is_dir() => Ok(found),
            _ => Err(LoopError::NoDirectory { directory }),
        }
    }

    /// The user's environment.
    #[expect(clippy::disallowed_methods, reason = "embedders may leave the choice to windlass")]
    pub(super) fn host(&self) -> Vec<(OsString, OsString)> {
        let given = self.host_environment.clone();
        given.map_or_else(|| env::vars_os().collect(), |given| given.into_iter().collect())
    }

    /// The environment of agents and checks.
    pub(super) fn environment(&self, kind: &Kind) -> BTreeMap<OsString, OsString> {
        let host = self.host();
        let options = &kind.common().agent;
        windlass_agents::environment(host, &options.pass_env, &options.env)
    }

    /// What is secret: of the user's environment, and of what the options add to it.
    pub(super) fn secrets(&self, kind: &Kind) -> Secrets {
        let options = &kind.common().agent;
        let set = options.env.iter().filter_map(|setting| setting.split_once('='));
        let of_agents = options.agents.values().flat_map(|agent| &agent.env);
        let of_agents = of_agents.map(|(name, value)| (name.as_str(), value.as_str()));
        let added = set.chain(of_agents).map(|(name, value)| (name.into(), value.into()));
        Secrets::of_environment(self.host().into_iter().chain(added))
    }

    /// The agents of the loop: the embedder's own, or those that the options name. Where they name
    /// none, the default is taken if it is installed, and frozen with the loop. Files that they
    /// name are looked for in `directory`, where the user stands, wherever the agent works.
    pub(super) fn cast(
        &self,
        kind: &mut Kind,
        directory: &Path,
        env: &BTreeMap<OsString, OsString>,
    ) -> Result<Cast, LoopError> {
        if self.agent.is_none() && kind.common().agent.asked()?.is_none() {
            let lead = default_agent(kind, env, directory)?;
            kind.common_mut().agent.agent = Some(lead);
        }
        let mut options = kind.common().agent.clone();
        options.script = options.script.map(|script| directory.join(script));
        let this_program = self.guardian.path()?;
        let choose = |asked: &str| windlass_agents::choose(&options, asked, &this_program);
        let mut cast = match &self.agent {
            Some(agent) => {
                let (agent, wishes) = (Arc::clone(agent), options.own_wishes());
                Cast::new(agent.name().to_owned(), Hired { agent, wishes })
            }
            None => {
                let asked = options.asked()?.unwrap_or(windlass_agents::DEFAULT);
                Cast::new(asked, choose(asked)?)
            }
        };
        for other in kind.other_agents() {
            cast.add(other, choose(other)?);
        }
        if let Some(script) = options.script.as_ref().filter(|_| self.agent.is_none()) {
            read_script(directory, script)?;
        }
        Ok(cast)
    }
}

/// The loop's own agent where nobody named it: whoever plays the first part where all parts are
/// given away, else the default, if it is installed.
fn default_agent(
    kind: &Kind,
    env: &BTreeMap<OsString, OsString>,
    directory: &Path,
) -> Result<String, ChooseError> {
    let parts: Option<Vec<&str>> = kind.parts().into_iter().map(|(_, agent)| agent).collect();
    if let Some(first) = parts.as_ref().and_then(|parts| parts.first()) {
        return Ok((*first).to_owned());
    }
    look_for(windlass_agents::DEFAULT.as_ref(), env, directory)
        .map_err(|_| ChooseError::None { known: kind.common().agent.known() })?;
    Ok(windlass_agents::DEFAULT.to_owned())
}

/// Says what is wrong with a script, before it is played.
fn read_script(directory: &Path, path: &Path) -> Result<(), LoopError> {
    let text = named_file::read(directory, path).map_err(|error| error.to_string());
    let script = text.and_then(|text| Script::parse(&text).map_err(|error| error.to_string()));
    script.map(drop).map_err(|why| LoopError::BadScript { path: path.to_owned(), why })
}

/// Says what is wrong with the options, before anything is touched.
pub(super) fn validate(kind: &Kind, cast: &Cast) -> Result<(), LoopError> {
    let prompt = kind.prompt().trim();
    if prompt.is_empty() {
        return Err(LoopError::EmptyPrompt);
    }
    if prompt.contains('\0') {
        return Err(LoopError::BadText { what: "the prompt", why: "holds a NUL character" });
    }
    if let Some(limit) = cast.prompt_limit()
        && prompt.len() > limit
    {
        return Err(LoopError::PromptTooLong { size: prompt.len(), limit });
    }
    if kind.claiming().is_some_and(|claiming| claiming.promise.contains(['\n', '\r', '\0'])) {
        return Err(LoopError::BadText { what: "the promise", why: "must be one line" });
    }
    if let Some(why) = kind.claiming().and_then(status::unreachable) {
        return Err(LoopError::NoClaim { why });
    }
    let common = kind.common();
    if common.proof.checks.iter().any(|check| check.trim().is_empty()) {
        return Err(LoopError::BadText { what: "a check", why: "is empty" });
    }
    if common.limits.on_limit == OnLimit::Fallback && common.limits.fallback_agent.is_none() {
        return Err(LoopError::NoFallback);
    }
    if let Some(prompts) = kind.prompts() {
        let prompts = Prompts::new(prompts)?;
        if let Kind::Pr(options) = kind {
            auditors(&options.auditors, &prompts)?;
        }
    }
    for globs in [&common.proof.protect, &common.proof.guard, &common.proof.unguard] {
        windlass_proof::globs(globs)?;
    }
    if kind.claiming().is_some_and(|claiming| claiming.done_when == DoneWhen::Checks) {
        let (no_check, no_baseline) = (common.proof.no_check, common.proof.no_baseline);
        needs_a_failing_check(no_check, no_baseline)?;
    }
    for setting in &common.agent.env {
        if setting.split_once('=').is_none_or(|(name, _)| name.is_empty()) {
            return Err(LoopError::BadVariable { setting: setting.clone() });
        }
    }
    Ok(())
}

/// Says whether checks alone can tell when a loop is done.
fn needs_a_failing_check(no_check: bool, no_baseline: bool) -> Result<(), LoopError> {
    let why = match (no_check, no_baseline) {
        (true, _) => "`--done-when checks` and `--no-check` cannot be used together",
        (_, true) => {
            "`--done-when checks` and `--no-baseline` cannot be used together: only a check that \
             fails before the loop can show when it is done"
        }
        (false, false) => return Ok(()),
    };
    Err(LoopError::Contradiction { why })
}

/// The root of the work tree that a directory is in: the nearest one above with `.git` or `.jj`.
pub(super) fn work_tree(directory: &Path) -> PathBuf {
    let is_root = |place: &&Path| place.join(".git").exists() || place.join(".jj").exists();
    let root = directory.ancestors().find(is_root);
    root.unwrap_or(directory).to_owned()
}

/// Takes the work tree for this loop, or says whose it is.
pub(super) fn lock_tree(
    home: &Path,
    directory: &Path,
    id: &LoopId,
    name: &str,
) -> Result<Lock, LoopError> {
    let directory = work_tree(directory);
    match acquire(home, &LockKey::of_tree(&directory), &holder(id, name)) {
        Ok(lock) => Ok(lock),
        Err(LockError::Held { holder }) => {
            let holder = holder.map(|holder| holder.name);
            Err(LoopError::TreeInUse { directory, holder })
        }
        Err(LockError::Unusable { source, .. }) => {
            Err(LoopError::Home { what: "lock the work tree", source })
        }
    }
}

/// Takes the loop for this process, or says whose it is.
pub(super) fn lock_loop(home: &Path, id: &LoopId, name: &str) -> Result<Lock, LoopError> {
    match acquire(home, &LockKey::of_loop(id), &holder(id, name)) {
        Ok(lock) => Ok(lock),
        Err(LockError::Held { holder }) => {
            let owner = holder.map(|holder| holder.owner);
            Err(LoopError::LoopInUse { name: name.to_owned(), owner })
        }
        Err(LockError::Unusable { source, .. }) => {
            Err(LoopError::Home { what: "lock the loop", source })
        }
    }
}

/// Takes both from a process that does not answer any more. It is fenced off by the epoch.
pub(super) fn take_over_locks(
    home: &Path,
    directory: &Path,
    record: &LoopRecord,
) -> Result<Vec<Lock>, LoopError> {
    let keys = [LockKey::of_loop(&record.id), LockKey::of_tree(&work_tree(directory))];
    let holder = holder(&record.id, &record.name);
    let take = |key| match Lock::take_over(home, key, &holder, &record.owner) {
        Ok(lock) => Ok(lock),
        Err(LockError::Held { holder }) => {
            let (name, owner) = (record.name.clone(), holder.map(|holder| holder.owner));
            Err(LoopError::LoopInUse { name, owner })
        }
        Err(LockError::Unusable { source, .. }) => {
            Err(LoopError::Home { what: "take the locks over", source })
        }
    };
    keys.iter().map(take).collect()
}

pub(super) fn holder(id: &LoopId, name: &str) -> Holder {
    Holder { owner: Owner::this_process(), loop_id: id.clone(), name: name.to_owned() }
}
