//! Has the loop work on the head of a pull request, whatever the user has checked out.

use std::path::PathBuf;

use windlass_core::step::{HeadStep, StepResult};
use windlass_repo::tree::TreeError;

use super::Worker;
use crate::{
    halt::Halt,
    workplace::{Courier, Tree},
};

/// How a loop comes to work on the head of a pull request.
#[derive(Clone, Debug, Default)]
pub(crate) enum Arrival {
    /// It works on what is checked out.
    #[default]
    None,
    /// In a worktree of the user's repository.
    Worktree {
        /// Whether its branch was made for the loop, so that it may go anywhere.
        is_new: bool,
    },
    /// In a repository of windlass's own.
    Apart {
        /// Where the user started the loop.
        directory: PathBuf,
        /// The branch that is checked out there.
        branch: Option<String>,
    },
}

impl Worker {
    /// Checks a head out, and fetches it before if it is missing.
    pub(super) async fn head(&self, step: &HeadStep) -> Result<StepResult, Halt> {
        let mut notes = Vec::new();
        let Some(tree) = &self.tree else { return Ok(StepResult::Arrived { notes }) };
        let commit = &step.commit;
        if !self.has(tree, commit).await? {
            let from = self.fetch_head(tree, step).await?;
            notes.push(format!("fetched {} from {from}", short(commit)));
        }
        let failed = |error: &TreeError| self.failed("check the head out", error);
        match &self.arrival {
            Arrival::None => (),
            Arrival::Apart { .. } => {
                self.bring_base(tree, step).await?;
                tree.start_at(commit, true).await.map_err(|error| failed(&error))?;
                notes.push(format!(
                    "{}, the head of pull request {}, is audited in a worktree of windlass's own",
                    short(commit),
                    step.number
                ));
            }
            Arrival::Worktree { is_new } => {
                let goes =
                    *is_new || tree.is_before("HEAD", commit).await.map_err(|e| failed(&e))?;
                if goes {
                    tree.start_at(commit, false).await.map_err(|error| failed(&error))?;
                }
            }
        }
        Ok(StepResult::Arrived { notes })
    }

    async fn has(&self, tree: &Tree, commit: &str) -> Result<bool, Halt> {
        match tree.commit_id(commit).await {
            Ok(_) => Ok(true),
            Err(TreeError::NoSuchCommit { .. }) => Ok(false),
            Err(error) => Err(self.tree_failed(&error)),
        }
    }

    /// Fetches the head from where it may be; gives where it was.
    async fn fetch_head(&self, tree: &Tree, step: &HeadStep) -> Result<&'static str, Halt> {
        let origin = tree.origin().await.map_err(|error| self.tree_failed(&error))?;
        let mut sources = Vec::new();
        if let Some(origin) = origin {
            // Not every server gives out commits by their ids.
            sources.push(("`origin`", origin.clone(), step.commit.clone()));
            sources.push(("`origin`", origin, format!("refs/pull/{}/head", step.number)));
        }
        if let Some(address) = step.address.clone().filter(|address| is_address(address)) {
            let branch = format!("refs/heads/{}", step.branch);
            sources.push(("the repository that it comes from", address, branch));
        }
        let known = known(tree, step).await;
        let mut tried = Vec::new();
        for (name, address, what) in sources {
            match tree.fetch(self.courier(), &address, &what, &known).await {
                Ok(()) if self.has(tree, &step.commit).await? => return Ok(name),
                Ok(()) => tried.push(format!("{what} of {name} is another commit")),
                // The address may hold a password.
                Err(error) => tried.push(error.to_string().replace(&address, name)),
            }
        }
        if tried.is_empty() {
            tried.push("there is no `origin`".to_owned());
        }
        tried.dedup();
        let message = format!(
            "{}, the head of pull request {}, is not in this repository and cannot be fetched: {}",
            short(&step.commit),
            step.number,
            tried.join("; ")
        );
        Err(Halt::Failed { message, code: 7 })
    }

    /// Has the base be where the forge says that it is; where that cannot be had, it is where the
    /// user's repository has it.
    async fn bring_base(&self, tree: &Tree, step: &HeadStep) -> Result<(), Halt> {
        let commit = &step.base_commit;
        if !self.has(tree, commit).await? {
            let origin = tree.origin().await.map_err(|error| self.tree_failed(&error))?;
            let Some(origin) = origin else { return Ok(()) };
            let known = known(tree, step).await;
            let fetched = tree.fetch(self.courier(), &origin, commit, &known).await;
            if fetched.is_err() || !self.has(tree, commit).await? {
                return Ok(());
            }
        }
        tree.set_base(&step.base, commit).await.map_err(|error| self.tree_failed(&error))
    }

    /// Who goes out to a remote.
    pub(super) fn courier(&self) -> Courier<'_> {
        let (from, variables) = (self.users_top.as_path(), &self.to_reach_a_remote[..]);
        Courier { guardian: &self.guardian, from, variables }
    }
}

/// Whether it is an address, and nothing that git would take for an option.
fn is_address(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('-') && !text.contains(char::is_whitespace)
}

/// Commits that are here and that the head probably comes after.
async fn known(tree: &Tree, step: &HeadStep) -> Vec<String> {
    let mut known = Vec::new();
    for name in ["HEAD", "refs/remotes/origin/", "refs/heads/"] {
        let name = if name == "HEAD" { name.to_owned() } else { format!("{name}{}", step.base) };
        known.extend(tree.commit_id(&name).await.ok());
    }
    known.dedup();
    known
}

fn short(commit: &str) -> &str {
    commit.get(..7).unwrap_or(commit)
}
