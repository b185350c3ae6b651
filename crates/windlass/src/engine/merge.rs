//! Decides what a merge is about: which commits, whether they fit, and what must pass. Nothing of
//! the user's is touched before all of it is known to be right.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value, json};

use super::{LoopError, grounds::open_tree, interrupted, resume::frozen_options, setup::lock_tree};
use crate::{
    agent::AgentOptions,
    event::EventKind,
    kind::{
        Common, Kind,
        merge::{Options, Unfit, message},
    },
    options::{Branched, GitOptions, Rules},
    process::{Guardian, GuardianProgram},
    step::StepResult,
    store::{LoopRecord, Store},
    tree::{Joined, Lines, Tree, Way},
};

/// How the work of a loop is to be brought home.
#[derive(Clone, Debug, Default)]
pub struct MergeRequest {
    /// The branch that it is brought to; the one that the loop's branch began from if left out.
    pub into: Option<String>,
    /// Whether the commits are made anew after those of the branch, so that there is no merge.
    pub rebase: bool,
    /// What must pass on the result; the loop's own checks if left out.
    pub checks: Option<Vec<String>>,
    /// Whether an agent may bring together what does not fit.
    pub resolve: bool,
    /// Whether the work of a loop is taken that did not end well.
    pub any_ending: bool,
    /// Whether work that is in no commit is committed first.
    pub commit: bool,
    /// Whether the loop's worktree stays.
    pub keep: bool,
    /// Options that are to have another value than for the loop, by the names of the flags with `_`.
    pub changes: Map<String, Value>,
}

/// What a merge comes to before it starts.
#[derive(Debug)]
pub enum Planned {
    /// All of the work is there already.
    Nothing {
        /// The loop's branch.
        branch: String,
        /// The branch that has it.
        into: String,
    },
    /// There is something to bring home, and it can be tried: [`Loop::merge`](super::Loop::merge)
    /// does it.
    Merge(Box<Options>),
}

/// Where merges take place.
pub struct MergePlace<'a> {
    /// The program that guards processes.
    pub guardian: &'a GuardianProgram,
    /// Where windlass keeps its store.
    pub home: &'a Path,
    /// The user's environment.
    pub host: Vec<(OsString, OsString)>,
}

/// Decides what merging the work of a loop is about. Merges that were cut off are brought to their
/// end first.
pub async fn plan_merge(
    place: &MergePlace<'_>,
    store: &Store,
    record: &LoopRecord,
    request: &MergeRequest,
) -> Result<Planned, LoopError> {
    interrupted::settle(place, store).await?;
    let kind = may_merge(place, record, request)?;
    let guardian = Guardian::start(place.guardian, None, Vec::new())?;
    let env = place.host.iter().cloned().collect();
    let planned = Plan { place, guardian: &guardian, env, store, record, request, kind };
    let planned = planned.make().await;
    guardian.close().await;
    planned
}

/// Says whether the loop stands so that its work can be merged; gives its options.
fn may_merge(
    place: &MergePlace<'_>,
    record: &LoopRecord,
    request: &MergeRequest,
) -> Result<Kind, LoopError> {
    if record.ending.is_none() && record.owner.is_alive() {
        let (name, owner) = (record.name.clone(), Some(record.owner.clone()));
        return Err(LoopError::LoopInUse { name, owner });
    }
    let name = &record.name;
    if record.kind == "merge" {
        let why = "it is a merge itself".to_owned();
        let hint = "name the loop whose work is to be merged; `windlass list` shows all".to_owned();
        return Err(LoopError::NotMergeable { name: name.clone(), why, hint });
    }
    let is_done = record.ending.as_ref().is_some_and(|ending| ending.is_success());
    if !is_done && !request.any_ending {
        let how = record.ending.as_ref().map_or("interrupted", |ending| ending.word());
        let why = format!("it did not end well ({how})");
        let hint = format!(
            "`windlass why {name}` tells more; `windlass merge {name} --any-ending` takes what is there"
        );
        return Err(LoopError::NotMergeable { name: name.clone(), why, hint });
    }
    frozen_options(place.host.clone(), record, &Map::new())
}

/// A merge that is being planned.
struct Plan<'a> {
    place: &'a MergePlace<'a>,
    guardian: &'a Guardian,
    env: BTreeMap<OsString, OsString>,
    store: &'a Store,
    record: &'a LoopRecord,
    request: &'a MergeRequest,
    kind: Kind,
}

impl Plan<'_> {
    async fn make(&self) -> Result<Planned, LoopError> {
        let branched = self.branched()?;
        let workplace = self.workplace();
        let tree = self.open(&self.record.directory).await?;
        let branch = branched.branch;
        let full = format!("refs/heads/{branch}");
        if !tree.has_branch(&branch).await? {
            return Err(self.refuse(
                format!("its branch `{branch}` is not there any more"),
                "what it left may be in another branch; `git branch --all` lists them".to_owned(),
            ));
        }
        let into = self.into(&tree, &branch, branched.from).await?;
        self.commit_the_rest(&workplace, &branch).await?;
        let (from, onto) = (tree.commit_id(&full).await?, tree.commit_id(&refs(&into)).await?);
        let way = if self.request.rebase { Way::Rebase } else { Way::Merge };
        let said = message(&branch, &into, &self.record.name);
        let lines = Lines { onto: &onto, from: &from, way, message: &said };
        let (commit, unfit) = match tree.join(lines, self.request.resolve).await? {
            Joined::Nothing => return Ok(Planned::Nothing { branch, into }),
            Joined::Fits { commit, .. } => (Some(commit), None),
            Joined::Conflict(conflict) if !self.request.resolve => {
                let (name, files) = (self.record.name.clone(), conflict.paths);
                return Err(LoopError::Conflict { name, branch, into, files });
            }
            Joined::Conflict(conflict) => {
                let told = conflict.told.iter();
                let told = told.map(|told| told.replace(&onto, &into).replace(&from, &branch));
                let (files, tree) = (conflict.paths, conflict.tree);
                (None, Some(Unfit { files, told: told.collect(), tree }))
            }
        };
        let touched = commit.as_deref().unwrap_or(&from);
        let checked_out = tree.may_advance(&into, touched).await?;
        let repository = tree.git_directories()[1].to_owned();
        Ok(Planned::Merge(Box::new(Options {
            of: self.record.id.to_string(),
            of_name: self.record.name.clone(),
            home: self.record.directory.clone(),
            workplace,
            repository,
            branch,
            from,
            into,
            onto,
            checked_out,
            commit,
            unfit,
            resolve: self.request.resolve,
            keep: self.request.keep,
            common: self.common()?,
            ..Options::default()
        })))
    }

    async fn open(&self, directory: &Path) -> Result<Tree, LoopError> {
        let flag = "merge";
        let missing = || LoopError::NeedsGit { flag, directory: directory.to_owned() };
        let tree = open_tree(self.guardian, self.place.home, directory, &self.env).await?;
        tree.ok_or_else(missing)
    }

    fn workplace(&self) -> PathBuf {
        self.record.worktree.clone().unwrap_or_else(|| self.record.directory.clone())
    }

    /// The loop's own branch.
    fn branched(&self) -> Result<Branched, LoopError> {
        let git = &self.kind.common().git;
        if let Some(branched) = &git.branched {
            return Ok(branched.clone());
        }
        // A loop of an older windlass, which took down no more than what was asked for.
        let asked =
            git.worktree.as_deref().map(|asked| asked.split_once(':').unwrap_or((asked, "")));
        let (branch, from) = asked.ok_or_else(|| {
            self.refuse(
                "it has no branch of its own: what it did is where it ran".to_owned(),
                "loops with `--worktree BRANCH` or `--create-branch` have one".to_owned(),
            )
        })?;
        let from = Some(from.to_owned()).filter(|from| !from.is_empty());
        Ok(Branched { branch: branch.to_owned(), from, commit: None })
    }

    /// The branch that the work is brought to.
    async fn into(
        &self,
        tree: &Tree,
        branch: &str,
        began: Option<String>,
    ) -> Result<String, LoopError> {
        let into = match (&self.request.into, began) {
            (Some(into), _) => into.clone(),
            (None, Some(began)) if tree.has_branch(&began).await? => began,
            (None, _) => {
                return Err(self.refuse(
                    "it is not known which branch it began from".to_owned(),
                    "name the one to bring it to with `--into BRANCH`".to_owned(),
                ));
            }
        };
        if !tree.has_branch(&into).await? {
            return Err(self.refuse(
                format!("there is no branch `{into}`"),
                format!("`git branch {into}` makes one"),
            ));
        }
        if into == branch {
            return Err(self.refuse(
                format!("`{into}` is its own branch"),
                "name another one with `--into BRANCH`".to_owned(),
            ));
        }
        Ok(into)
    }

    /// Sees to it that all that the loop has left is committed.
    async fn commit_the_rest(&self, workplace: &Path, branch: &str) -> Result<(), LoopError> {
        if !workplace.is_dir() {
            return Ok(());
        }
        let record = self.record;
        let _lock = lock_tree(self.place.home, workplace, &record.id, &record.name)?;
        let tree = self.open(workplace).await?;
        if record.worktree.is_none() && tree.branch().await?.as_deref() != Some(branch) {
            // The user has gone on to another branch, and whatever lies about is theirs.
            return Ok(());
        }
        tree.clear();
        let spare = self.dirty_before()?;
        let left = self.left(&tree, &spare).await?;
        if left.is_empty() {
            return Ok(());
        }
        if self.request.commit {
            let name = &record.name;
            tree.commit(&format!("{name}: what the loop left"), &spare).await?;
        }
        match self.left(&tree, &spare).await? {
            left if left.is_empty() => Ok(()),
            paths => Err(LoopError::Uncommitted { name: record.name.clone(), paths }),
        }
    }

    /// The paths that the loop has left uncommitted.
    async fn left(&self, tree: &Tree, spare: &BTreeSet<String>) -> Result<Vec<String>, LoopError> {
        let dirty = tree.dirty_paths(&tree.snapshot().await?).await?;
        Ok(dirty.difference(spare).cloned().collect())
    }

    /// What the user had changed before the loop.
    fn dirty_before(&self) -> Result<BTreeSet<String>, LoopError> {
        let history = self.store.history(&self.record.id)?;
        let dirty = history.into_iter().filter_map(|event| match event.kind {
            EventKind::StepFinished { result: StepResult::Dirty { paths }, .. } => Some(paths),
            _ => None,
        });
        Ok(dirty.flatten().collect())
    }

    /// The loop's own options, as far as they concern agents and checks.
    fn common(&self) -> Result<Common, LoopError> {
        let mut changes = self.request.changes.clone();
        if changes.contains_key("agent") || changes.contains_key("command") {
            // Another agent has nothing of the one that was there.
            for key in ["agent", "command", "script", "model", "agent_args"] {
                changes.entry(key).or_insert(if key == "agent_args" {
                    json!([])
                } else {
                    json!(null)
                });
            }
        }
        if let Some(checks) = &self.request.checks {
            changes.insert("checks".to_owned(), json!(checks));
        }
        let allowed = changes.contains_key("max_iterations");
        let kind = frozen_options(self.place.host.clone(), self.record, &changes)?;
        let mut common = kind.common().clone();
        if self.request.checks.is_none() {
            common.proof.checks = kind.checks();
        }
        if !allowed {
            common.rules.max_iterations = Rules::of_reviewed_loops().max_iterations;
        }
        if !self.request.resolve {
            // No agent is called, so none need be there.
            let AgentOptions { env, pass_env, .. } = common.agent;
            let command = Some("true".to_owned());
            common.agent = AgentOptions { command, env, pass_env, ..AgentOptions::default() };
        }
        common.git = GitOptions::default();
        Ok(common)
    }

    fn refuse(&self, why: String, hint: String) -> LoopError {
        LoopError::NotMergeable { name: self.record.name.clone(), why, hint }
    }
}

fn refs(branch: &str) -> String {
    format!("refs/heads/{branch}")
}
