//! Decides what a merge is about: which commits, whether they fit, and what must pass.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use serde_json::json;
use windlass_agents::AgentOptions;
use windlass_core::{
    ending::{ClaimedBy, Ending},
    event::EventKind,
    options::{Branched, GitOptions, Proof, Rules, TestPolicy},
    step::StepResult,
};
use windlass_repo::tree::{CONFIG_FILE, Conflict, Joined, Lines, Way};
use windlass_store::store::{LoopRecord, Store};

use super::{
    super::{LoopError, resume::frozen_options, settle::settle_tree, setup::lock_tree},
    MergePlace, MergeRequest, Planned,
};
use crate::{
    every_kind::Common,
    kind::{
        Kind,
        merge::{Options, Unfit, message},
    },
    workplace::{Opening, Tree},
};

/// A merge that is being planned.
pub(super) struct Plan<'a> {
    pub(super) place: &'a MergePlace<'a>,
    pub(super) opening: &'a Opening,
    pub(super) store: &'a Store,
    pub(super) record: &'a LoopRecord,
    pub(super) request: &'a MergeRequest,
    pub(super) kind: Kind,
}

impl Plan<'_> {
    /// Decides.
    pub(super) async fn make(&self) -> Result<Planned, LoopError> {
        let branched = self.branched()?;
        let workplace = self.workplace();
        let tree = self.open(&self.record.directory).await?;
        let branch = branched.branch;
        if !tree.has_branch(&branch).await? {
            return Err(self.refuse(
                format!("its branch `{branch}` is not there any more"),
                "what it left may be in another branch; `git branch --all` lists them".to_owned(),
            ));
        }
        let into = self.into(&tree, &branch, branched.from).await?;
        self.commit_the_rest(&workplace, &branch).await?;
        let mut common = self.common()?;
        let waived = self.waive(&mut common)?;
        let options = Options {
            of: self.record.id.to_string(),
            of_name: self.record.name.clone(),
            home: self.record.directory.clone(),
            workplace,
            repository: tree.git_directories()[1].to_owned(),
            from: tree.commit_id(&refs(&branch)).await?,
            onto: tree.commit_id(&refs(&into)).await?,
            branch,
            into,
            resolve: self.request.resolve,
            keep: self.request.keep,
            waived,
            common,
            ..Options::default()
        };
        self.join(&tree, options).await
    }

    /// Brings the two together, as far as that touches nothing of the user's.
    async fn join(&self, tree: &Tree, mut options: Options) -> Result<Planned, LoopError> {
        let way = if self.request.rebase { Way::Rebase } else { Way::Merge };
        let Options { branch, into, from, onto, .. } = &options;
        let message = message(branch, into, &self.record.name);
        let lines = Lines { onto, from, way, message: &message };
        match tree.join(lines, self.request.resolve).await? {
            Joined::Nothing => {
                let Options { branch, into, .. } = options;
                return Ok(Planned::Nothing { branch, into });
            }
            Joined::Fits { commit, .. } => options.commit = Some(commit),
            Joined::Conflict(conflict) => options.unfit = Some(self.unfit(&options, conflict)?),
        }
        let touched = options.commit.as_deref().unwrap_or(&options.from);
        options.checked_out = tree.may_advance(&options.into, touched).await?;
        Ok(Planned::Merge(Box::new(options)))
    }

    /// Where the two do not fit, for an agent; without one that is the end of it.
    fn unfit(&self, options: &Options, conflict: Conflict) -> Result<Unfit, LoopError> {
        let Options { branch, into, from, onto, .. } = options;
        let Conflict { paths: files, told, tree, .. } = conflict;
        if !self.request.resolve {
            let (name, branch, into) = (self.record.name.clone(), branch.clone(), into.clone());
            return Err(LoopError::Conflict { name, branch, into, files });
        }
        // People know branches, not ids.
        let told = told.iter().map(|told| told.replace(onto, into).replace(from, branch));
        Ok(Unfit { files, told: told.collect(), tree })
    }

    async fn open(&self, directory: &Path) -> Result<Tree, LoopError> {
        let flag = "merge";
        let missing = || LoopError::NeedsGit { flag, directory: directory.to_owned() };
        let tree = self.opening.tree(directory).await?;
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
                "it has no branch: its work is where it ran".to_owned(),
                "loops with `--worktree BRANCH` or `--create-branch` have one".to_owned(),
            )
        })?;
        let from = Some(from.to_owned()).filter(|from| !from.is_empty());
        Ok(Branched { branch: branch.to_owned(), from, commit: None, is_new: false })
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
        drop(settle_tree(self.place.home, self.store, &tree, None).await?);
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
        let left = dirty.difference(spare).filter(|path| *path != CONFIG_FILE);
        Ok(left.cloned().collect())
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
        self.settle_checks(&kind, &mut common.proof);
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

    /// Takes the checks out that the user accepted the work without, and gives them: all but those that
    /// passed when it was accepted. Checks that are asked for now are none of them.
    fn waive(&self, common: &mut Common) -> Result<Vec<String>, LoopError> {
        let is_accepted =
            matches!(self.record.ending, Some(Ending::Done { by: ClaimedBy::User, .. }));
        if !is_accepted || self.request.checks.is_some() {
            return Ok(Vec::new());
        }
        let proof = self.store.proof(&self.record.id)?.unwrap_or_default();
        let is_waived = |command: &String| {
            !proof.checks.iter().any(|check| check.passed && check.command == *command)
        };
        let mut all = common.proof.command_lines();
        let mut known = BTreeSet::new();
        all.retain(|command| known.insert(command.clone()));
        common.proof.checks.retain(|command| !is_waived(command));
        common.proof.found.retain(|found| !is_waived(&found.command));
        common.proof.no_check = !common.proof.has_checks();
        Ok(all.into_iter().filter(is_waived).collect())
    }

    /// What must pass on the result: what the user says now, else what the loop had to pass, each
    /// where it ran there. Tests are as the loop leaves them, and nothing ran before.
    fn settle_checks(&self, kind: &Kind, proof: &mut Proof) {
        if self.request.checks.is_some() {
            proof.found.clear();
            proof.no_check = false;
        } else if let Kind::Heal(options) = kind {
            let test = options.test.iter().filter(|test| !proof.checks.contains(test));
            proof.checks.splice(0..0, test.cloned().collect::<Vec<_>>());
        }
        proof.test_policy = TestPolicy::Free;
        proof.no_baseline = true;
    }

    fn refuse(&self, why: String, hint: String) -> LoopError {
        LoopError::NotMergeable { name: self.record.name.clone(), why, hint }
    }
}

fn refs(branch: &str) -> String {
    format!("refs/heads/{branch}")
}
